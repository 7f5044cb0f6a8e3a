// The documents that the server sends. Those of `check` are the ones of `tracehound check --format json`.

export interface Place { file: string; line: number; column?: number; end_line?: number; end_column?: number }

export interface Related extends Place { message: string }

export interface Edit { file: string; line: number; column: number; end_line: number; end_column: number; text: string }

/** Something to type, as changes that do not overlap. */
export interface Fix { title: string; edits: Edit[] }

export interface Diagnostic extends Place {
  severity: "error" | "warning" | "note";
  code: string;
  message: string;
  column: number; end_line: number; end_column: number;
  label?: string;
  related?: Related[];
  notes?: string[];
  help?: string[];
  fixes?: Fix[];
}

export interface AssertionHead {
  index: number; file: string; line: number; end_line?: number;
  text: string; kind: string; model?: string; negated: boolean;
  process: string; specification?: string;
}

export interface Symbol { name: string; kind: string; file: string; line: number; column: number }

/** What is known of a script before anything is decided. */
export interface Outline {
  language: string;
  has_errors: boolean;
  diagnostics: Diagnostic[];
  /** Problems that were left out because there are so many. */
  more_diagnostics: number;
  assertions: AssertionHead[];
  processes: string[];
  symbols: Symbol[];
  files: string[];
  /** The version of the text that it is about. */
  version: number;
}

/** The place is that of the process it becomes; what it does is written where it is taken. */
export interface Part extends Partial<Place> { component: number; event: string; process?: string; taken?: Place }

export interface Step { event: string; hidden?: string; followed?: boolean; by: string[]; parts: Part[]; offered?: string[]; delay?: string; time?: string }

export interface Component extends Partial<Place> { name: string; wants?: string[]; waits_for?: number[] }

export interface Truth { formula: string; values: boolean[] }

export interface Counterexample {
  kind: string; replayed: string;
  copies?: { process: string; count: number }[];
  trace: string[]; steps: Step[]; loop?: Step[];
  /** What the specification allows before each step, and at the end. */
  specification?: string[][];
  event?: string; accepts?: string[]; allowed?: string[] | string[][];
  sealed?: number; positions?: number[]; event_reading?: "leaving" | "arriving"; rows?: (number | null)[]; formulas?: Truth[]; fair?: string[];
  variables?: Record<string, string>; optimum?: number;
  possible_results?: string[];
  /** The moment beyond which time cannot pass at the end. */
  time_stops?: string;
  /** How much time each round of the loop takes. */
  loop_takes?: string;
  components: Component[]; circle?: number[];
}

export interface Stats {
  states?: number; transitions?: number; spec_states?: number; depth?: number; reduction?: string;
  seconds: number; peak_memory_bytes: number;
}

export interface Answer {
  index: number; file: string; line: number; text: string; kind: string; model?: string; negated: boolean;
  verdict: "holds" | "fails" | "unknown" | "error";
  engine?: string; reason?: string; detail?: string; hints?: string[]; notes?: string[];
  counterexample?: Counterexample;
  temporal?: Record<string, unknown> & { reading: string; weakest_fairness?: string; remarks?: string[]; notes?: string[] };
  stats: Stats;
}

export interface Progress { phase?: string; part?: number; states: number; transitions: number; waiting?: number; depth: number; seconds: number; memory_bytes: number; rate?: number }

/** A move of the simulator. */
export interface Move {
  event: string; hidden?: string; becomes?: string; visible: boolean; silent: number; by: string[];
}

export interface Blocked { event: string; ready: string[]; missing: string[] }

export interface TreePart { path: number[]; name: string; state: string; changed: boolean; moved: boolean }

export interface Variable { name: string; value: string; before?: string }

/** A move by its number, or a time to wait for behind a `w`. */
export type Choice = number | string;

/** What the run so far says about an assertion. */
export interface Monitor { index: number; says: "unbroken" | "broken" | "reached" | "not-reached"; step?: number }

/** Now, where time passes; times are exact fractions. */
export interface Moment { now: string; until?: string; waits: string[]; clocks: { of: string; from?: string; until?: string }[] }

export interface SimulatorState {
  process: string;
  history: Move[];
  moves: Move[];
  /** Moves that are possible and not listed, because there are so many. */
  more_moves: number;
  /** Nothing can happen any more, however long one waits. */
  is_stuck: boolean;
  blocked: Blocked[];
  state: string;
  parts: TreePart[];
  variables: Variable[];
  /** What repeats a run, from the start. */
  ahead: Choice[];
  /** Where the last move is written. */
  places: Place[];
  monitors: Monitor[];
  time?: Moment;
  problem?: string;
}

export interface FileEntry { path: string; bytes: number }

export interface Folder { name: string; files: FileEntry[]; more: number; read_only: boolean; start?: string; version: string }

export interface OpenFile { file: string; text: string; version: number; saved: boolean; changed_on_disk?: boolean }

export interface GraphState { x: number; y: number; depth: number; name?: string; size?: number; frontier: boolean; offers: string[] }

export interface GraphEdge {
  source: number; target: number; labels: string[]; silent: boolean; color?: number; numbers: number[];
  /** A curve by its ends and two bends, and the corners of its head. */
  curve: number[]; head: number[]; name: string; name_at?: [number, number];
}

export interface Graph {
  process: string; n_states: number; n_transitions: number;
  merged?: { states: number; transitions: number };
  is_complete: boolean;
  /** There are more states than these; how many was not looked at. */
  more_than?: number;
  /** Nothing is drawn, because there are too many. */
  too_large: boolean;
  max_states: number; max_edges: number; most_states: number;
  width: number; height: number;
  states: GraphState[]; edges: GraphEdge[];
  svg?: string; aut?: string; dot?: string;
}

export interface Machine extends Partial<Place> { name: string; states: number; transitions: number; alphabet: number; is_open: boolean }

/** An operator, or a component if it has no symbol. */
export interface Branch extends Partial<Place> { depth: number; symbol?: string; events?: number; name?: string; machine?: number }

export interface Structure {
  process: string;
  kind: "network" | "terms";
  n_rules: number; n_modes: number;
  specification?: { states: number; transitions: number };
  operators: Branch[];
  machines: Machine[];
  compressions: { process: string; before: [number, number]; after: [number, number] }[];
  variables: number;
}

/** A round of the game that tells two processes apart. */
export interface Round { by: string; event: string; answered: boolean }

export interface Comparison {
  left: string; right: string; answers: Answer[];
  /** Of bisimulations: none if they are equal. */
  rounds?: Round[]; states?: number[]; seconds?: number;
}

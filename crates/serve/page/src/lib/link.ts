// Every view has a link: the file, what is shown of it, and how. The token is never in one.

export type View = "home" | "assertion" | "sim" | "graph" | "structure" | "compare";

export interface Link { file: string | null; view: View; assertion?: number; step?: number; options: Record<string, string> }

export function readLink(hash: string): Link {
  const [path, query] = hash.replace(/^#/, "").split("?", 2);
  const options = Object.fromEntries(new URLSearchParams(query ?? ""));
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (parts[0] !== "f" || !parts[1]) return { file: null, view: "home", options };
  const link: Link = { file: parts[1], view: "home", options };
  if (parts[2] === "a" && Number(parts[3]) > 0) {
    link.view = "assertion";
    link.assertion = Number(parts[3]);
    if (parts[4] === "step") link.step = Number(parts[5]) || 0;
  } else if (["sim", "graph", "structure", "compare"].includes(parts[2])) link.view = parts[2] as View;
  return link;
}

export function writeLink(link: Link): string {
  if (link.file === null) return "";
  let path = `#/f/${encodeURIComponent(link.file)}`;
  if (link.view === "assertion") path += `/a/${link.assertion}${link.step ? `/step/${link.step}` : ""}`;
  else if (link.view !== "home") path += `/${link.view}`;
  const options = Object.entries(link.options).filter(([, value]) => value !== "");
  const query = new URLSearchParams(options).toString();
  return query ? `${path}?${query}` : path;
}

/** A short name for a text: FNV-1a. A link has it, so that it can be said that the text is another one. */
export function textHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

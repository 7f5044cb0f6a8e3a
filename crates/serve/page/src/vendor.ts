// What changes rarely, in a file of its own: the app and this share it.
export * as autocomplete from "@codemirror/autocomplete";
export * as commands from "@codemirror/commands";
export * as language from "@codemirror/language";
export * as lint from "@codemirror/lint";
export * as search from "@codemirror/search";
export * as state from "@codemirror/state";
export * as view from "@codemirror/view";
export * as highlight from "@lezer/highlight";

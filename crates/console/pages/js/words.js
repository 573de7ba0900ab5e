// The words for permissions and tools. Texts of the five known permissions go by their id; what another party
// says about its own permissions is quoted.

import { h } from "./dom.js";
import { hasText, language, t, tn } from "./i18n.js";
import { visible } from "./text/visible.js";

const ICONS = {
  "notification:send": "bell",
  "filesystem:read": "file",
  "clipboard:read": "clipboard",
  "location:read": "pin",
  "network:http": "globe",
};

const ALIASES = {
  fetch_web_page: "fetch_url",
  notify: "send_notification",
  read_location: "get_location",
};

/** Returns `true` for a permission that Assent knows. */
export const isKnownScope = (id) => hasText(`scope.${id}.label`);

export const scopeIcon = (id) => ICONS[id] ?? "plug";

/** The name of a permission in a sentence: its label, or its id. */
export const scopeName = (id) => (isKnownScope(id) ? t(`scope.${id}.label`) : id);

/** The name of a permission as nodes: its label, or its id in the typeface of code. */
export function scopeTitle(id) {
  return isKnownScope(id) ? t(`scope.${id}.label`) : h("code", null, ...visible(id));
}

/** A label or description that another party wrote: a text, or one text per language. */
export function fallbackText(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  return (
    value[language()] ??
    value.en ??
    Object.values(value).find((text) => typeof text === "string") ??
    ""
  );
}

/**
 * The built-in tool that serves a call, or `null`. Sentences of Assent speak of what really runs, never of the name
 * that an agent has chosen.
 */
export function builtinOf(tool) {
  const served = tool.served_by;
  const name = typeof served === "object" ? served?.builtin : served?.replace(/^builtin:/, "");
  const canonical = ALIASES[name] ?? name;
  return canonical && hasText(`does.${canonical}.wants`) ? canonical : null;
}

/** The key of the words for a tool. Without one, a message could not be opened. */
function wordsOf(tool) {
  if (!tool) return "does.refused";
  const builtin = builtinOf(tool);
  return builtin === null ? "does.other" : `does.${builtin}`;
}

/** What a call is, as nodes: "{agent} wants to read a file". `form` is `wants`, `did` or `tried`. */
export function sentence(form, agentName, tool) {
  const agent = h("span", null, ...visible(agentName));
  return tn(`${wordsOf(tool)}.${form}`, {
    agent,
    tool: h("code", null, ...visible(tool?.name ?? "")),
  });
}

/** The same as a text, for titles and accessible names. */
export function sentenceText(form, agentName, tool) {
  return t(`${wordsOf(tool)}.${form}`, { agent: agentName, tool: tool?.name ?? "" });
}

/** What a tool does, as a title: "Read a file". */
export function toolTitle(tool) {
  const words = wordsOf(tool);
  return words === "does.other" ? h("code", null, ...visible(tool.name)) : t(`${words}.title`);
}

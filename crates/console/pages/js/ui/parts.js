// Small parts that many pages use.

import { h } from "../dom.js";
import { icon, sensitivityIcon } from "../icons.js";
import { exactTime, hasText, shortTime, t } from "../i18n.js";
import { visible } from "../text/visible.js";

/** A digest by its first and last characters; the whole value is in the title. */
export function digest(hex) {
  const value = String(hex).replace(/^sha256:/, "");
  const short =
    value.length > 16 ? `${value.slice(0, 4)} ${value.slice(4, 8)} … ${value.slice(-4)}` : value;
  return h("code", { class: "digest", title: value }, short);
}

/** A sensitivity: bars and a word. `full` says what the word is about. */
export function sensitivity(level, full = false) {
  const key = hasText(`sens.${level}`) ? level : "high";
  return h(
    "span",
    { class: `sens sens-${key}` },
    sensitivityIcon(key),
    t(full ? `sens.${key}.full` : `sens.${key}`),
  );
}

/** A state: an icon, a word and a color. */
export function stateOf(color, iconName, text) {
  const sign =
    iconName === "dot" ? h("span", { class: "dot", "aria-hidden": "true" }) : icon(iconName);
  return h("span", { class: `state state-${color}` }, sign, text);
}

/** A sentence that says what to do. */
export function note(kind, iconName, ...content) {
  return h(
    "div",
    { class: kind === "" ? "note" : `note note-${kind}` },
    icon(iconName),
    h("div", null, ...content),
  );
}

/** A time with its machine-readable form; the exact time is in the title. */
export function time(value, text = shortTime(value)) {
  return h("time", { datetime: new Date(value).toISOString(), title: exactTime(value) }, text);
}

/** Whether the safety number of an agent was compared. */
export function verification(isVerified) {
  return isVerified
    ? stateOf("jade", "shield-check", t("agent.compared"))
    : stateOf("ochre", "shield", t("agent.not-compared"));
}

/** A longer text of another party is cut until the person opens it. */
const SAID_MAX = 600;

/** What another party says: quoted, marked and attributed. */
export function said(who, text) {
  const all = [...String(text)];
  const quote = h("blockquote", null, ...visible(all.slice(0, SAID_MAX).join("")));
  const figure = h(
    "figure",
    { class: "said" },
    h("figcaption", { class: "who" }, icon("quote"), who),
    quote,
  );
  if (all.length > SAID_MAX) {
    const open = () => {
      quote.replaceChildren(...visible(text));
      button.remove();
    };
    const button = h(
      "button",
      { class: "btn btn-sm", type: "button", on: { click: open } },
      t("prompt.show-all"),
    );
    figure.append(button);
  }
  return figure;
}

/** The head of a section: a title, a remark and a link or state at the end. */
export function sectionHead(id, title, ...rest) {
  return h("div", { class: "section-head" }, h("h2", { id }, title), ...rest);
}

/** A link back to the list that a page belongs to. */
export function crumb(href, text) {
  return h("a", { class: "crumb", href }, icon("left"), text);
}

/** The digits of a safety number in groups of five. Groups that differ from `before` are marked. */
export function safetyNumber(number, classes = "", before = number) {
  const groups = (text) => String(text).replace(/\D/g, "").match(/\d{5}/g) ?? [];
  const old = groups(before);
  return h(
    "p",
    { class: `safety ${classes}`.trim(), role: "group", "aria-label": t("safety.label") },
    groups(number).map((group, index) => h(group === old[index] ? "span" : "mark", null, group)),
  );
}

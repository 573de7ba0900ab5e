// A change of a manifest in words: by its rule, with what was before and what is now, and an input that shows it.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { hasText, language, t } from "../i18n.js";
import { visible } from "../text/visible.js";

const KINDS = [
  [/raised$/, "alert", "change.raised"],
  [/^input-(narrowed|closed|enum|required|type)/, "edit", "change.narrowed"],
  [/added$|announced$/, "plus", "change.new"],
  [/removed$|withdrawn$/, "x", "change.gone"],
];

/** A change that needs an answer. */
export function changeCard(change) {
  const [, iconName, kind] = KINDS.find(([pattern]) => pattern.test(change.rule)) ?? [
    null,
    "edit",
    "change.changed",
  ];
  return h(
    "li",
    { class: "card change" },
    h(
      "header",
      null,
      h("span", { class: "kind" }, icon(iconName), t(kind)),
      h("h3", null, ...title(change)),
      h("code", { class: "faint xs" }, change.rule),
    ),
    details(change),
  );
}

/** A change for information. */
export function changeLine(change) {
  return h(
    "li",
    null,
    h("p", null, ...title(change), " ", h("code", { class: "faint xs" }, change.rule)),
  );
}

/** English has the sentence of the device; other languages have one per rule, and the names from the sentence. */
function title(change) {
  const sentence = change.text ?? change.summary ?? "";
  if (language() === "en" || !hasText(`rule.${change.rule}`)) return withCode(sentence);
  const names = [...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) =>
    h("code", null, ...visible(name)),
  );
  return [
    t(`rule.${change.rule}`),
    names.length > 0 ? "：" : "",
    ...names.flatMap((name, index) => (index === 0 ? [name] : [" ", name])),
  ];
}

function withCode(sentence) {
  return sentence
    .split(/`([^`]*)`/)
    .map((part, index) =>
      index % 2 === 1 ? h("code", null, ...visible(part)) : h("span", null, ...visible(part)),
    );
}

function details(change) {
  const parts = [];
  if (change.old !== undefined || change.new !== undefined) {
    parts.push(
      h(
        "div",
        { class: "ba" },
        h("div", null, h("h4", null, t("change.before")), value(change.old)),
        h("div", null, h("h4", null, t("change.now")), value(change.new)),
      ),
    );
  }
  if (change.witness !== undefined && change.witness !== null) parts.push(witness(change));
  return parts.length === 0 ? null : h("div", { class: "pad stack stack-3" }, parts);
}

function value(json) {
  if (json === undefined || json === null) return h("p", { class: "faint" }, t("change.nothing"));
  return h(
    "p",
    { class: "mono break" },
    ...visible(typeof json === "string" ? json : JSON.stringify(json)),
  );
}

function witness(change) {
  const state = (color, iconName, key) =>
    h("span", { class: `state state-${color}` }, icon(iconName), t(key));
  const text = typeof change.witness === "string" ? change.witness : JSON.stringify(change.witness);
  return h(
    "div",
    { class: "witness" },
    h("code", null, ...visible(text)),
    h(
      "span",
      { class: "flip" },
      state("jade", "check", "change.worked"),
      state("cinnabar", "x", "change.refused"),
    ),
  );
}

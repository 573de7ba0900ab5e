// The arguments of a call: one row per value, complete, with everything hidden made visible.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { list, t, tn } from "../i18n.js";
import { codePoint } from "../text/hidden.js";
import { findings, nodesOf, unitsOf, unitsOfViewText } from "../text/visible.js";
import { digest } from "../ui/parts.js";

/** Longer values are folded until the person opens them. The device counts the same characters. */
const LONG = 256;
const SHOWN_OF_LONG = 32;

/**
 * @typedef {{element: HTMLElement, isLong: boolean, isOpen: () => boolean, toggle: () => void, suspicious: number}} Row
 */

/**
 * A row for a line of the view.
 * @param {{path: string, text: string}} line
 * @param {() => void} onOpen called when a folded value is opened for the first time
 * @returns {Row}
 */
export function valueRow(line, onOpen) {
  const units = unitsOfViewText(line.text);
  const isLong = [...line.text].length > LONG;
  const found = findings(units);
  const value = h("dd", { class: "v" });
  const element = h("div", null, h("dt", null, ...pathNodes(line.path)), value);
  const fold = { isOpen: !isLong, wasOpened: !isLong };
  const button = isLong
    ? h("button", { class: "btn btn-sm", type: "button", "data-fold": true, on: { click: toggle } })
    : null;

  function toggle() {
    if (!isLong) return;
    fold.isOpen = !fold.isOpen;
    paint();
    if (fold.wasOpened) return;
    fold.wasOpened = true;
    onOpen();
  }

  function paint() {
    value.replaceChildren(...(fold.isOpen ? nodesOf(units) : foldedNodes(units)));
    if (button === null) return;
    button.textContent = t(fold.isOpen ? "prompt.show-less" : "prompt.show-all");
    button.setAttribute("aria-expanded", String(fold.isOpen));
    button.setAttribute("aria-label", `${button.textContent}: ${dotted(line.path)}`);
  }

  paint();
  element.append(...factNodes(found), ...(isLong ? [longFact(line, units, found, button)] : []));
  return {
    element,
    isLong,
    isOpen: () => fold.wasOpened,
    toggle,
    suspicious: found.hidden + found.likes.length,
  };
}

/** A row for what the call is aimed at, as the device has resolved it. */
export function targetRow(target) {
  const units = unitsOf(target.text);
  const found = findings(units);
  const element = h(
    "div",
    { class: "target" },
    h("dt", null, t(`target.${target.kind}`)),
    h("dd", { class: "v" }, ...nodesOf(units)),
    ...factNodes(found),
  );
  return {
    element,
    isLong: false,
    isOpen: () => true,
    toggle() {},
    suspicious: found.hidden + found.likes.length,
  };
}

function foldedNodes(units) {
  // A text stands in quotation marks that are not part of it.
  const marks = units[0].raw === '"' ? 1 : 0;
  const shown = SHOWN_OF_LONG + marks;
  const rest = units.length - shown - marks;
  const cut = h("span", { class: "cut" }, t("prompt.more-characters", { count: rest }));
  return [...nodesOf(units.slice(0, shown)), cut];
}

function factNodes({ hidden, spelled, likes }) {
  const facts = [];
  if (hidden > 0) facts.push(fact("eye-off", t("prompt.hidden-fact", { count: hidden })));
  if (spelled !== "") {
    const said = h("span", { class: "said-in" }, spelled);
    facts.push(fact("eye-off", ...tn("prompt.spelled", { text: said })));
  }
  if (likes.length > 0) facts.push(fact("eye", likeFact(likes)));
  return facts;
}

function likeFact(likes) {
  const letters = [...new Map(likes.map((like) => [like.letter, like])).values()];
  const named = letters.map(({ letter, script }) =>
    t("prompt.like-letter", {
      letter,
      script: t(`script.${script}`),
      code: codePoint(letter.codePointAt(0)),
    }),
  );
  return t("prompt.like-fact", { count: letters.length, letters: list(named) });
}

function fact(name, ...content) {
  return h("dd", { class: "fact" }, icon(name), h("span", null, ...content));
}

function longFact(line, units, found, button) {
  const sum = h("span");
  const raw = units.map((unit) => unit.raw).join("");
  const content = line.text.startsWith('"') ? raw.slice(1, -1) : raw;
  sha256(content).then((hex) => sum.replaceChildren("SHA-256 ", digest(hex)));
  const counts = t("prompt.long-fact", { count: [...content].length, hidden: found.hidden });
  return h("dd", { class: "fact long" }, h("span", null, counts), sum, button);
}

async function sha256(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pathNodes(path) {
  return nodesOf(unitsOfViewText(dotted(path)));
}

/** `/payee/name` as `payee.name`. A path stays as it is if dots would make it ambiguous. */
export function dotted(path) {
  if (path === "") return t("prompt.whole");
  const parts = path.slice(1).split("/");
  const isPlain = parts.every((part) => part !== "" && !/[.~]/.test(part));
  return isPlain ? parts.join(".") : path;
}

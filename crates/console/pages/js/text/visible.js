// Shows a text so that nothing in it is hidden: hidden characters are boxed, look-alikes underlined.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { codePoint, isHidden, nameKey, shortName, spelledByTag } from "./hidden.js";
import { lookAlikes } from "./look-alike.js";

/**
 * @typedef {{shown: string, raw: string, hidden: number | null}} Unit
 *   What is displayed, the character itself, and its code point if it is hidden.
 */

const EMOJI = /(\p{RGI_Emoji})/v;

/** The units of a text as it came. Line breaks and emoji are what they look like. @returns {Unit[]} */
export function unitsOf(text) {
  return text.split(EMOJI).flatMap((part, index) => {
    if (index % 2 === 1) return [{ shown: part, raw: part, hidden: null }];
    return [...part].map((character) => {
      const code = character.codePointAt(0);
      const boxed = isHidden(code) && character !== "\n" && character !== "\t";
      return { shown: character, raw: character, hidden: boxed ? code : null };
    });
  });
}

const ESCAPE = /\\u\{([0-9a-f]{1,6})\}|\\([nrt\\"])|[^]/gu;
const LETTERS = { n: "\n", r: "\r", t: "\t" };

/** The units of a line of a view, in which the device has escaped hidden characters. @returns {Unit[]} */
export function unitsOfViewText(text) {
  return [...text.matchAll(ESCAPE)].map(([whole, hex, letter]) => {
    const raw = hex === undefined ? (LETTERS[letter] ?? letter ?? whole) : fromHex(hex);
    const code = raw.codePointAt(0);
    return { shown: whole, raw, hidden: isHidden(code) ? code : null };
  });
}

function fromHex(hex) {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

/** What is not as it looks in a text: counts, what TAG characters spell, and the look-alikes. */
export function findings(units) {
  const text = units.map((unit) => (unit.hidden === null ? unit.shown : "\0")).join("");
  const tags = units.map((unit) => (unit.hidden === null ? null : spelledByTag(unit.hidden)));
  return {
    // Line breaks and tabs are boxed too, but they hide nothing.
    hidden: units.filter((unit) => unit.hidden !== null && !"\n\r\t".includes(unit.raw)).length,
    spelled: tags.filter((letter) => letter !== null).join(""),
    likes: lookAlikes(text),
  };
}

/** The nodes that show the units. */
export function nodesOf(units) {
  const nodes = [];
  let run = [];
  const flush = () => {
    nodes.push(...plainNodes(run.map((unit) => unit.shown).join("")));
    run = [];
  };
  for (let index = 0; index < units.length; index += 1) {
    const { hidden, raw } = units[index];
    if (hidden === null) {
      run.push(units[index]);
      continue;
    }
    flush();
    const count = sameTags(units, index);
    nodes.push(count > 1 ? tagBox(count) : box(hidden));
    if (raw === "\n") nodes.push("\n");
    index += count - 1;
  }
  flush();
  return nodes;
}

/** A text that another party wrote, as nodes, with everything hidden made visible. */
export const visible = (text) => nodesOf(unitsOf(String(text)));

function sameTags(units, from) {
  let to = from;
  while (to < units.length && units[to].hidden !== null && spelledByTag(units[to].hidden) !== null)
    to += 1;
  return Math.max(1, to - from);
}

function box(code) {
  const label = t("char.label", { name: t(nameKey(code)), code: codePoint(code) });
  const short =
    code === 0x0a || code === 0x0d || code === 0x09
      ? shortName(code)
      : `${shortName(code)} ${codePoint(code)}`;
  return h("span", { class: "cp", role: "img", "aria-label": label }, short);
}

function tagBox(count) {
  return h(
    "span",
    { class: "cp", role: "img", "aria-label": t("char.tags", { count }) },
    `${count} TAG`,
  );
}

function plainNodes(text) {
  const nodes = [];
  let from = 0;
  for (const { at, letter } of lookAlikes(text)) {
    if (at > from) nodes.push(text.slice(from, at));
    nodes.push(h("span", { class: "like" }, letter));
    from = at + letter.length;
  }
  if (from < text.length) nodes.push(text.slice(from));
  // Text that runs from right to left must not reorder what stands around it.
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)
    ? [h("bdi", null, ...nodes)]
    : nodes;
}

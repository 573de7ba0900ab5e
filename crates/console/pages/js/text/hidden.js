// Characters that are invisible or change how other characters are shown. The device uses the same list.

/** Short names that are printed in the box of a hidden character. */
const SHORT = {
  0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x09: "TAB", 0x0a: "LF", 0x0d: "CR", 0x1b: "ESC", 0x7f: "DEL",
  0xad: "SHY", 0x34f: "CGJ", 0x61c: "ALM", 0x180e: "MVS",
  0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM",
  0x2028: "LSEP", 0x2029: "PSEP",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO",
  0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI",
  0x2800: "BLANK", 0x3164: "HF", 0xfeff: "BOM",
}; // prettier-ignore

const RANGES = [
  [0x00, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x1160],
  [0x17b4, 0x17b5], [0x180b, 0x180f], [0x200b, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f],
  [0x2800, 0x2800], [0x3164, 0x3164], [0xe000, 0xf8ff], [0xfdd0, 0xfdef], [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff], [0xffa0, 0xffa0], [0xfff0, 0xfffb], [0x1bca0, 0x1bca3], [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff], [0xf0000, 0x10ffff],
]; // prettier-ignore

/** Returns `true` if a reader would not see the character, or would see others differently because of it. */
export function isHidden(code) {
  if ((code & 0xfffe) === 0xfffe) return true;
  return RANGES.some(([first, last]) => first <= code && code <= last);
}

/** TAG characters copy ASCII invisibly. Returns what one spells, or `null`. */
export function spelledByTag(code) {
  return 0xe0020 <= code && code <= 0xe007e ? String.fromCharCode(code - 0xe0000) : null;
}

/** `U+202E` */
export const codePoint = (code) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;

/** The short name of a character, or of the kind it belongs to. */
export function shortName(code) {
  if (SHORT[code] !== undefined) return SHORT[code];
  return { control: "CTRL", tag: "TAG", variation: "VS", private: "PUA", other: "HIDDEN" }[
    kindOf(code)
  ];
}

/** The key of the long name in the texts: that of the character if it has one, else that of its kind. */
export function nameKey(code) {
  return SHORT[code] === undefined ? `char.${kindOf(code)}` : `char.${SHORT[code]}`;
}

function kindOf(code) {
  if (code < 0xa0) return "control";
  if (0xe0000 <= code && code <= 0xe007f) return "tag";
  if ((0xfe00 <= code && code <= 0xfe0f) || (0xe0100 <= code && code <= 0xe01ef))
    return "variation";
  if ((0xe000 <= code && code <= 0xf8ff) || code >= 0xf0000) return "private";
  return "other";
}

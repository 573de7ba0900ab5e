// Letters of another script that look like Latin ones, inside words that mix both.

const LIKE_LATIN = {
  cyrillic: new Set("аеорсухіјѕһԁԛԝёкгпАВЕКМНОРСТХУІЈЅԌЁ"),
  greek: new Set("οανρικυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"),
};
const SCRIPTS = {
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
};
const LATIN = /\p{Script=Latin}/u;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

/**
 * Finds look-alikes. A word in one script is left alone, also if all of its letters look Latin, and so are units
 * such as "μm".
 * @param {string} text
 * @returns {{at: number, letter: string, script: "cyrillic" | "greek" | "latin"}[]}
 */
export function lookAlikes(text) {
  return [...text.matchAll(WORD)].flatMap((match) => inWord(match[0], match.index));
}

function inWord(word, start) {
  if (!LATIN.test(word)) return [];
  for (const [script, pattern] of Object.entries(SCRIPTS)) {
    const foreign = [...word].filter((letter) => pattern.test(letter));
    if (!foreign.some((letter) => LIKE_LATIN[script].has(letter))) continue;
    // A letter that has no Latin look-alike shows that the word is of the other script: then Latin is the intruder.
    const isForeignWord = foreign.some((letter) => !LIKE_LATIN[script].has(letter));
    return isForeignWord ? find(word, start, LATIN, "latin") : find(word, start, pattern, script);
  }
  return [];
}

function find(word, start, pattern, script) {
  const found = [];
  let at = start;
  for (const letter of word) {
    if (pattern.test(letter)) found.push({ at, letter, script });
    at += letter.length;
  }
  return found;
}

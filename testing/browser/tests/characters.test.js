// Hidden characters and look-alikes, against the lists of Unicode that the device uses.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  codePoint,
  isHidden,
  nameKey,
  shortName,
  spelledByTag,
} from "../../../crates/console/pages/js/text/hidden.js";
import { lookAlikes } from "../../../crates/console/pages/js/text/look-alike.js";
import {
  findings,
  unitsOf,
  unitsOfViewText,
} from "../../../crates/console/pages/js/text/visible.js";
import { dotted } from "../../../crates/console/pages/js/prompt/rows.js";
import en from "../../../crates/console/pages/i18n/en.js";

test("every invisible, control and private character is hidden and has a name", () => {
  const invisible =
    /\p{Default_Ignorable_Code_Point}|\p{Cc}|\p{Bidi_Control}|\p{Co}|\p{Zl}|\p{Zp}|\p{Noncharacter_Code_Point}/u;
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (invisible.test(character)) assert.ok(isHidden(code), codePoint(code));
    if (isHidden(code)) {
      assert.ok(nameKey(code) in en, codePoint(code));
      assert.notEqual(shortName(code), undefined);
    }
  }
});

test("letters, marks, digits and emoji of every language stay as they are", () => {
  for (const text of [
    "Grüße",
    "读取文件",
    "שלום",
    "नमस्ते",
    "Привет",
    "μm",
    "10 kΩ",
    "👩‍👩‍👧",
    "❤️",
    "a\tb\nc",
  ]) {
    const found = findings(unitsOf(text));
    assert.deepEqual([found.hidden, found.likes.length], [0, 0], text);
  }
});

test("letters of another script are found inside words only", () => {
  const letters = (text) => lookAlikes(text).map(({ letter, script }) => `${letter} ${script}`);
  assert.deepEqual(letters("N\u043erthwind"), ["\u043e cyrillic"]);
  assert.deepEqual(letters("p\u0430yp\u0430l.example"), ["\u0430 cyrillic", "\u0430 cyrillic"]);
  assert.deepEqual(letters("\u0391mazon"), ["\u0391 greek"]);
  assert.deepEqual(letters("Б\u0430нк a"), []);
  assert.deepEqual(letters("Бaнк"), ["a latin"]);
});

test("a line of a view is read as the device wrote it", () => {
  const units = unitsOfViewText(String.raw`"a\u{202e}\n\\n \"q\" \u{e0041}"`);
  assert.equal(units.map((unit) => unit.raw).join(""), '"a\u202e\n\\n "q" \u{e0041}"');
  assert.deepEqual(
    units.filter((unit) => unit.hidden !== null).map((unit) => unit.hidden),
    [0x202e, 0x0a, 0xe0041],
  );
  assert.ok(
    units
      .filter((unit) => unit.hidden === null)
      .every((unit) => !isHidden(unit.shown.codePointAt(0))),
  );
  assert.equal(findings(units).spelled, "A");
  assert.equal(findings(units).hidden, 2, "a line break is boxed, and hides nothing");
  assert.equal(spelledByTag(0xe0069), "i");
});

test("a backslash in a value cannot pretend to be an escape", () => {
  const units = unitsOfViewText(String.raw`"\\u{202e}"`);
  assert.ok(units.every((unit) => unit.hidden === null));
  assert.equal(units.map((unit) => unit.raw).join(""), '"\\u{202e}"');
});

test("a path has dots unless they would make it ambiguous", () => {
  assert.equal(dotted("/payee/name"), "payee.name");
  assert.equal(dotted("/a.b/c"), "/a.b/c");
  assert.equal(dotted("/a~1b"), "/a~1b");
  assert.equal(dotted("//x"), "//x");
});

// The texts of the pages: complete in both languages, all used, all plain.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

import en from "../../../crates/console/pages/i18n/en.js";
import zh from "../../../crates/console/pages/i18n/zh.js";

const PAGES = fileURLToPath(new URL("../../../crates/console/pages/", import.meta.url));

async function sources(folder) {
  const files = await readdir(path.join(PAGES, folder), { recursive: true });
  const scripts = files.filter((file) => /\.(js|html|css|svg)$/.test(file));
  return Promise.all(
    scripts.map(async (file) => [file, await readFile(path.join(PAGES, folder, file), "utf8")]),
  );
}

const forms = (text) => (typeof text === "string" ? [text] : Object.values(text));

const placeholders = (text) =>
  [...new Set(forms(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

/** English needs none: the device has a sentence for each rule. */
const ONLY_CHINESE = /^rule\./;

/** Where the name of a link has to be what it shows. */
const ALSO_IN_CHINESE = { "inbox.changes": ["{agent}"] };

test("both languages have the same texts with the same values", () => {
  const keys = Object.keys(zh).filter((key) => !ONLY_CHINESE.test(key));
  assert.deepEqual(Object.keys(en).sort(), keys.sort());
  for (const key of Object.keys(en)) {
    // A plural form may name its number in words.
    const isPlural = typeof en[key] !== "string";
    const [english, chinese] = [placeholders(en[key]), placeholders(zh[key])];
    if (!isPlural)
      assert.deepEqual(chinese, [...english, ...(ALSO_IN_CHINESE[key] ?? [])].sort(), key);
    else
      for (const value of chinese) assert.ok(value === "{count}" || english.includes(value), key);
  }
});

test("every text that the scripts name exists, and every text is used", async () => {
  const code = (await sources("js")).map(([, source]) => source).join("\n");
  for (const [, key] of code.matchAll(/\btn?\(\s*"([^"]+)"/g))
    assert.ok(key in en, `there is no text ${key}`);
  const literals = new Set([...code.matchAll(/["`]([\w.:-]+)["`]/g)].map(([, key]) => key));
  const patterns = [...code.matchAll(/`([^`\s]*\$\{[^`]*)`/g)].map(([, template]) =>
    pattern(template),
  );
  const isUsed = (key) => literals.has(key) || patterns.some((regex) => regex.test(key));
  // Sections are named by their key; their titles and texts follow from it.
  const unused = Object.keys(en).filter(
    (key) => !isUsed(key) && !literals.has(key.replace(/\.(text|title)$/, "")),
  );
  assert.deepEqual(unused, []);
});

/** What a template with values can become. One that is nothing but values says nothing about its keys. */
function pattern(template) {
  const fixed = template.replaceAll(/\$\{[^}]*\}/g, "\0");
  if (!/^[\w.:-]*\0|\0/.test(fixed) || !/[a-z]+\./.test(fixed)) return /^(?!)/;
  return new RegExp(
    `^${fixed.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll("\0", "[\\w.:-]+")}$`,
  );
}

test("the texts follow the rules of the copy", () => {
  for (const [key, text] of [...Object.entries(en), ...Object.entries(zh)]) {
    for (const form of forms(text)) {
      assert.doesNotMatch(form, /—|…$|!|！/u, key);
      assert.doesNotMatch(
        form,
        /\b(please|oops|secure|safe|trusted|simply|whoever|nobody|somebody)\b/i,
        key,
      );
    }
  }
});

test("no page loads anything from elsewhere, and none has markup made of data", async () => {
  for (const folder of ["js", "i18n", "css", "html", "icons"]) {
    for (const [file, source] of await sources(folder)) {
      assert.doesNotMatch(
        source,
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/,
        file,
      );
      assert.doesNotMatch(source, /\sstyle=|<script(?! type="module" src="\/assets\/)/, file);
      const addresses = source.match(/(?:https?:)?\/\/[a-z0-9.-]+\.[a-z]{2,}/gi) ?? [];
      assert.deepEqual(
        addresses.filter((address) => !address.endsWith("www.w3.org")),
        [],
        file,
      );
      assert.doesNotMatch(source, /url\(/, file);
    }
  }
});

// A real browser with an empty profile, signed in to the console of a world.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { chromium } from "playwright-core";

const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1200, height: 900 };

const axeSource = await readFile(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

export function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({
    executablePath,
    args: ARGUMENTS,
    ignoreDefaultArgs: ["--headless=old"],
  });
}

/**
 * Opens the console with a link and returns what other contexts need to be signed in.
 * @returns {Promise<import("playwright-core").BrowserContextOptions["storageState"]>}
 */
export async function signIn(browser, world) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await world.newLink());
  await page.getByRole("navigation", { name: /Main|主导航/ }).waitFor();
  assert.equal(new URL(page.url()).hash, "", "the token stays in the address");
  const state = await context.storageState();
  await context.close();
  return state;
}

/**
 * A page that is signed in. Errors of scripts and violations of the content security policy fail the test.
 * @param {import("node:test").TestContext} test
 */
export async function openPage(
  test,
  browser,
  storageState,
  { viewport = DESKTOP, colorScheme = "light" } = {},
) {
  const context = await browser.newContext({ storageState, viewport, colorScheme });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error.stack)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(message.text());
  });
  test.after(async () => {
    await context.close();
    assert.deepEqual(problems, []);
  });
  return page;
}

/** Fails if the page is not accessible. */
export async function checkAccessibility(page, name) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
  );
  assert.deepEqual(found, [], name);
}

/** Fails if the page is wider than the screen. */
export async function checkWidth(page, name) {
  const extra = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(extra, 0, `${name} is ${extra} px too wide`);
}

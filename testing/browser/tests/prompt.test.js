// The rules of a prompt, with a call of a real agent behind each.

import assert from "node:assert/strict";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";

import { PHONE, launch, openPage, signIn } from "../lib/browser.js";
import { ALL, addAgent, assertDenyHasFocus, button, isOff, openPrompt } from "../lib/prompts.js";
import { startWorld } from "../lib/world.js";

let browser;
let world;
let session;

before(async () => {
  world = await startWorld();
  browser = await launch();
  session = await signIn(browser, world);
  const context = await browser.newContext({ storageState: session });
  await addAgent(await context.newPage(), world, ALL);
  await context.close();
});

after(async () => {
  await browser?.close();
  await world?.stop();
});

afterEach(() => world.settle());

/** A page on the inbox. */
async function inbox(t, options) {
  const page = await openPage(t, browser, session, options);
  await page.goto(`${world.console}/`);
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  return page;
}

const readNotes = (options) =>
  world.call("read_file", { path: path.join(world.folder, "notes.md") }, options);
const locate = (options) => world.call("get_location", { accuracy: "coarse" }, options);
const fetchPage = (args, options) =>
  world.call("fetch_url", { url: "https://example.com/", ...args }, options);

test("a prompt shows who asks, what, the target, every value and the agent's words", async (t) => {
  const page = await inbox(t);
  const outcome = readNotes({ reason: "I want to tidy up." });
  const dialog = await openPrompt(page);
  await assert.doesNotReject(
    page.getByRole("alertdialog", { name: `${world.agentName} wants to read a file` }).waitFor(),
  );
  const text = await dialog.innerText();
  for (const part of [
    "Number not compared",
    "Read local files",
    "Medium sensitivity",
    "notes.md",
    "If you allow it",
    "Assent has not checked this.",
    "I want to tidy up.",
  ]) {
    assert.ok(text.includes(part), part);
  }
  await button(dialog, "Deny").click();
  assert.deepEqual(pick(await outcome), { status: "denied", reason: "user_refused" });
  await page
    .getByRole("status")
    .getByText(/^Denied\./)
    .waitFor();
});

test("nothing counts in the first 500 ms, and Deny has the focus", async (t) => {
  const page = await inbox(t);
  await page.evaluate(pressAtOnce);
  const outcome = readNotes();
  const dialog = await openPrompt(page);
  await assertDenyHasFocus(page);
  const { inertAtFirst, inertFor } = await page.evaluate(() => globalThis.firstMoments);
  assert.ok(inertAtFirst, "Deny took answers at once");
  assert.ok(inertFor >= 490, `it was inert for ${inertFor} ms only`);
  assert.equal(await dialog.count(), 1, "an early click or key answered");
  await page.keyboard.press("d");
  assert.equal((await outcome).reason, "user_refused");
});

/** Runs in the page: presses everything in the moment in which a prompt appears, and measures how long it is inert. */
function pressAtOnce() {
  const watch = new MutationObserver(() => {
    const deny = document.querySelector("[role=alertdialog] [data-answer=deny]");
    if (deny === null) return;
    const isInert = () => deny.getAttribute("aria-disabled") === "true";
    if (globalThis.firstMoments === undefined) {
      globalThis.firstMoments = { inertAtFirst: isInert(), inertFor: 0, since: performance.now() };
      for (const button of document.querySelectorAll("[role=alertdialog] [data-answer]"))
        button.click();
      for (const key of ["d", "Enter", " "]) {
        deny.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      }
    } else if (!isInert() && globalThis.firstMoments.inertFor === 0) {
      globalThis.firstMoments.inertFor = performance.now() - globalThis.firstMoments.since;
    }
  });
  watch.observe(document.body, { subtree: true, childList: true, attributes: true });
}

test("the window is inert again when it gets the focus back", async (t) => {
  const page = await inbox(t);
  const outcome = readNotes();
  const dialog = await openPrompt(page);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  assert.ok(await isOff(button(dialog, "Deny")));
  await page.keyboard.press("Enter");
  assert.equal(await dialog.count(), 1);
  await openPrompt(page);
  await page.keyboard.press("Enter");
  assert.equal((await outcome).reason, "user_refused", "Enter presses Deny, which has the focus");
});

test("a held key answers nothing", async (t) => {
  const page = await inbox(t);
  const outcome = readNotes();
  const dialog = await openPrompt(page);
  await page.evaluate(() => {
    const event = new KeyboardEvent("keydown", { key: "d", repeat: true, bubbles: true });
    document.activeElement.dispatchEvent(event);
  });
  assert.equal(await dialog.count(), 1);
  await page.keyboard.press("d");
  assert.equal((await outcome).reason, "user_refused");
});

test("Y goes to Allow once and only Enter presses it", async (t) => {
  const page = await inbox(t);
  const outcome = readNotes();
  const dialog = await openPrompt(page);
  await page.keyboard.press("y");
  assert.equal(await dialog.count(), 1, "one key allowed the call");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Allow once");
  await page.keyboard.press("Enter");
  assert.equal((await outcome).status, "ok");
  await page.getByText("You allowed it once. It runs now.").waitFor();
});

test("the end of a prompt gives way to a click, and the page behind can be used again", async (t) => {
  const page = await inbox(t);
  const outcome = readNotes();
  await openPrompt(page);
  await button(page, "Deny").click();
  assert.equal((await outcome).reason, "user_refused");
  await page.getByRole("link", { name: "What happened" }).click();
  await page.waitForURL(/\/activity\//);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
});

test("Escape decides nothing, and the request waits in the inbox", async (t) => {
  const page = await openPage(t, browser, session);
  await page.goto(`${world.console}/agents`);
  await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
  const outcome = readNotes();
  await openPrompt(page);
  await page.keyboard.press("Escape");
  await page.waitForURL(`${world.console}/`);
  assert.equal(await page.getByRole("alertdialog").count(), 0);
  await page.getByRole("link", { name: `Review ${world.agentName}: read a file` }).click();
  await page.waitForURL(/\/prompts\//);
  const dialog = await openPrompt(page);
  await assertDenyHasFocus(page);
  await button(dialog, "Deny").click();
  assert.equal((await outcome).reason, "user_refused");
});

test("the inbox can deny and never allow", async (t) => {
  const page = await inbox(t);
  const outcome = readNotes();
  await openPrompt(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Deny ${world.agentName}: read a file` }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Allow/ }).count(), 0);
  await page.getByRole("button", { name: `Deny ${world.agentName}: read a file` }).click();
  assert.equal((await outcome).reason, "user_refused");
});

test("the title and the badge say what waits", async (t) => {
  const page = await inbox(t);
  const outcome = locate();
  const dialog = await openPrompt(page);
  assert.match(await page.title(), /^\(\d+ s\) Ledgerly wants to know where you are/);
  const timer = dialog.getByRole("timer");
  assert.match(await timer.getAttribute("aria-label"), /^\d+ seconds left$/);
  await button(dialog, "Deny").click();
  assert.equal((await outcome).reason, "user_refused");
});

test("high sensitivity offers no 24 hours, and Take more time keeps the request", async (t) => {
  const page = await inbox(t);
  const outcome = locate({ timeout: "60s" });
  const dialog = await openPrompt(page);
  assert.equal(await dialog.getByRole("button", { name: "Allow for 24 hours" }).count(), 0);
  await button(dialog, "Take more time").click();
  await page.waitForFunction(() =>
    /minutes left/.test(document.querySelector("[role=timer]").getAttribute("aria-label")),
  );
  assert.equal(await dialog.getByRole("button", { name: "Take more time" }).count(), 0);
  await button(dialog, "Allow once").click();
  assert.equal((await outcome).status, "ok");
});

test("hidden characters are boxed with their code point", async (t) => {
  const page = await inbox(t);
  const outcome = fetchPage({ method: "POST", body: "INV-118\u202Efdp.811\u200B and p\u0430ypal" });
  const dialog = await openPrompt(page);
  await dialog.getByRole("img", { name: "hidden: right-to-left override, U+202E" }).waitFor();
  await dialog.getByRole("img", { name: "hidden: zero width space, U+200B" }).waitFor();
  await dialog.getByText("3 characters are not what they look like.").waitFor();
  assert.match(await dialog.innerText(), /Cyrillic, U\+0430/);
  const shown = await dialog.innerText();
  assert.ok(!/[\u202E\u200B]/.test(shown), "a hidden character reached the page");
  await dialog.getByText("POST sends something away").waitFor();
  await button(dialog, "Deny").click();
  assert.equal((await outcome).reason, "user_refused");
});

test("a long value is folded, and must be opened before anything is allowed", async (t) => {
  const page = await inbox(t);
  const body = "x".repeat(300) + "END";
  const outcome = fetchPage({ method: "POST", body });
  const dialog = await openPrompt(page);
  assert.ok(!(await dialog.innerText()).includes("END"));
  await dialog.getByText("303 characters, 0 hidden").waitFor();
  await dialog.getByText("1 value is folded. Show all of it first.").waitFor();
  assert.ok(await isOff(button(dialog, "Allow once")));
  await button(dialog, "Allow once").click({ force: true });
  assert.equal(await dialog.count(), 1, "a folded value was allowed");
  await dialog.getByRole("button", { name: "Show all: body" }).click();
  await page.waitForTimeout(700);
  assert.ok((await dialog.innerText()).includes("END"));
  assert.ok(!(await isOff(button(dialog, "Allow once"))));
  await button(dialog, "Deny").click();
  assert.equal((await outcome).reason, "user_refused");
});

test("Allow arms only after every value was on screen", async (t) => {
  const page = await inbox(t, { viewport: { width: 1200, height: 500 } });
  const outcome = fetchPage({ method: "POST", body: "line\n".repeat(40) });
  const dialog = await openPrompt(page);
  await dialog.getByText(/still below/).waitFor();
  assert.ok(await isOff(button(dialog, "Allow once")));
  await button(dialog, "Allow once").click({ force: true });
  assert.equal(await dialog.count(), 1, "a value that was not shown was allowed");
  await page.mouse.move(400, 250);
  for (let step = 0; step < 20; step += 1) {
    await page.mouse.wheel(0, 300);
    await page.waitForTimeout(30);
  }
  await page.waitForFunction(
    () => !/still below/.test(document.querySelector("[role=alertdialog]").innerText),
  );
  assert.ok(!(await isOff(button(dialog, "Allow once"))));
  await page.keyboard.press("d");
  assert.equal((await outcome).reason, "user_refused");
});

test("on a phone a bar keeps Deny in reach until the answers are on screen", async (t) => {
  const page = await inbox(t, { viewport: { ...PHONE, height: 640 } });
  const outcome = readNotes({ reason: "A long reason. ".repeat(20) });
  const dialog = await openPrompt(page);
  await assertDenyHasFocus(page);
  const jump = dialog.getByRole("link", { name: "Read on to answer" });
  await jump.click();
  await jump.waitFor({ state: "hidden" });
  await button(dialog, "Always deny").waitFor();
  await page.waitForTimeout(700);
  await button(dialog, "Deny").click();
  assert.equal((await outcome).reason, "user_refused");
});

test("one prompt is shown at a time, and the next one follows", async (t) => {
  const page = await inbox(t);
  const outcomes = world.callTogether([
    ["read_file", { path: path.join(world.folder, "notes.md") }],
    ["get_location", { accuracy: "coarse" }],
  ]);
  await page.getByText("1 of 2, oldest first").waitFor();
  const first = await (await openPrompt(page)).getByRole("heading", { level: 1 }).innerText();
  assert.equal(await page.getByRole("alertdialog").count(), 1);
  await page.keyboard.press("d");
  await page.getByText(/^Denied\./).waitFor();
  const second = await (await openPrompt(page)).getByRole("heading", { level: 1 }).innerText();
  assert.notEqual(second, first);
  await page.keyboard.press("d");
  const reasons = (await outcomes).map(({ reason }) => reason);
  assert.deepEqual(reasons, ["user_refused", "user_refused"]);
});

test("a prompt does not open while the person types", async (t) => {
  const page = await openPage(t, browser, session);
  await page.goto(`${world.console}/add`);
  const field = page.getByRole("searchbox");
  await field.pressSequentially("Led", { delay: 30 });
  const outcome = readNotes();
  const until = Date.now() + 2500;
  while (Date.now() < until) {
    await field.pressSequentially("x", { delay: 10 });
    await page.waitForTimeout(150);
    assert.equal(await page.getByRole("alertdialog").count(), 0);
  }
  await openPrompt(page);
  await page.keyboard.press("d");
  assert.equal((await outcome).reason, "user_refused");
});

test("the page behind a prompt cannot be reached", async (t) => {
  const page = await inbox(t);
  const outcome = readNotes();
  const dialog = await openPrompt(page);
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press("Tab");
    assert.ok(await dialog.evaluate((element) => element.contains(document.activeElement)));
  }
  await page.keyboard.press("d");
  assert.equal((await outcome).reason, "user_refused");
});

const pick = ({ status, reason }) => ({ status, reason });

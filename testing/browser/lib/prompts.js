// What tests do with prompts and agents, as a person would.

import assert from "node:assert/strict";

/** The 500 ms in which nothing counts, and some room. */
const INERT_MS = 800;

/** The prompt that is open, when it takes answers. */
export async function openPrompt(page) {
  const dialog = page.getByRole("alertdialog");
  await dialog.waitFor();
  await page.waitForTimeout(INERT_MS);
  return dialog;
}

export const button = (scope, name) =>
  scope.getByRole("button", { name, exact: true }).filter({ visible: true }).first();

export async function isOff(locator) {
  return (await locator.getAttribute("aria-disabled")) === "true";
}

/** Adds the agent of the world with the permissions of these names. */
export async function addAgent(page, world, permissions) {
  await page.goto(`${world.console}/add?agent=${world.agentId}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  for (const name of permissions) await page.getByRole("checkbox", { name }).check();
  await page.getByRole("button", { name: /^Connect / }).click();
  await page.getByRole("log", { name: /^Conversation with/ }).waitFor();
}

/** What the prompt must look like whenever it opens. */
export async function assertDenyHasFocus(page) {
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  assert.ok(["Deny", "拒绝"].includes(focused), `the focus is on ${focused}`);
}

export const ALL = [
  "Read local files",
  "Access the web",
  "Send notifications",
  "Read your location",
];

// A device without an account: signing in, making an account, signing out.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { checkAccessibility, checkWidth, launch, openPage } from "../lib/browser.js";
import { startWorld } from "../lib/world.js";

let browser;
let world;

before(async () => {
  world = await startWorld({ register: false });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await world?.stop();
});

test("a new account is made on the page, and the device signs out and in again", async (t) => {
  const page = await openPage(t, browser, undefined);
  await page.goto(await world.newLink());
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Relay" }).inputValue(), world.relay);
  await checkAccessibility(page, "signing in");
  await checkWidth(page, "signing in");

  await page.getByRole("button", { name: "Create account" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.labels[0].textContent), "Email");
  await page.getByRole("textbox", { name: "Email" }).fill("mei@example.com");
  await page.getByLabel("Password").fill("correct horse battery staple");
  await page.getByRole("textbox", { name: "Name" }).fill("Mei");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { level: 1, name: "Nothing waits for you" }).waitFor();

  await page.goto(`${world.console}/settings`);
  await page.getByText("mei@example.com").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.goto(`${world.console}/agents`);
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();

  await page.getByRole("textbox", { name: "Email" }).fill("mei@example.com");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("status").locator("code").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Email" }).inputValue(), "mei@example.com");
  await page.getByLabel("Password").fill("correct horse battery staple");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Nothing waits for you" }).waitFor();
});

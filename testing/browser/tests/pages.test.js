// Every page: reachable, accessible, not too wide, in both languages, light and dark.

import assert from "node:assert/strict";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";

import {
  DESKTOP,
  PHONE,
  checkAccessibility,
  checkWidth,
  launch,
  openPage,
  signIn,
} from "../lib/browser.js";
import { ALL, addAgent, button, openPrompt } from "../lib/prompts.js";
import { startWorld } from "../lib/world.js";

let browser;
let world;
let session;
let addresses;

before(async () => {
  world = await startWorld();
  browser = await launch();
  session = await signIn(browser, world);
  const context = await browser.newContext({ storageState: session });
  const page = await context.newPage();
  await addAgent(page, world, ALL);
  const conversation = new URL(page.url()).pathname;
  await world.call("send_notification", { title: "Hello" });
  const call = world.call("read_file", { path: path.join(world.folder, "notes.md") });
  await openPrompt(page);
  await button(page, "Allow once").click();
  await call;
  await page.goto(`${world.console}/activity`);
  const opened = await page
    .getByRole("link", { name: /Read a file/ })
    .first()
    .getAttribute("href");
  const agent = `/agents/${world.agentId}`;
  const keys = `/keys/${world.agentId}`;
  addresses = [
    "/",
    "/add",
    `/add?agent=${world.agentId}`,
    "/agents",
    agent,
    "/activity",
    opened,
    "/conversations",
    conversation,
    "/devices",
    keys,
    "/audit",
    "/settings",
  ];
  await context.close();
});

after(async () => {
  await browser?.close();
  await world?.stop();
});

afterEach(() => world.settle());

for (const [name, viewport] of [
  ["wide", DESKTOP],
  ["narrow", PHONE],
  ["360 px", { width: 360, height: 740 }],
]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`every page is accessible and fits, ${name} and ${colorScheme}`, async (t) => {
      const page = await openPage(t, browser, session, { viewport, colorScheme });
      for (const address of addresses) {
        await page.goto(world.console + address);
        await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
        await page.locator("main").filter({ hasNotText: "Loading" }).waitFor();
        await checkAccessibility(page, address);
        await checkWidth(page, address);
      }
    });

    test(`a prompt is accessible and fits, ${name} and ${colorScheme}`, async (t) => {
      const page = await openPage(t, browser, session, { viewport, colorScheme });
      await page.goto(`${world.console}/agents`);
      await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
      const outcome = world.call("fetch_url", {
        url: "https://example.com/",
        method: "POST",
        body: `a\u202Eb${"x".repeat(300)}`,
      });
      await openPrompt(page);
      await checkAccessibility(page, "the overlay");
      await checkWidth(page, "the overlay");
      await page.keyboard.press("Escape");
      await page
        .getByRole("link", { name: /^Review/ })
        .first()
        .click();
      await openPrompt(page);
      await checkAccessibility(page, "the page of a prompt");
      await checkWidth(page, "the page of a prompt");
      await page.keyboard.press("d");
      assert.equal((await outcome).reason, "user_refused");
    });
  }
}

test("without a session every page says how to get one", async (t) => {
  const page = await openPage(t, browser, undefined);
  for (const address of ["/", "/agents", "/settings"]) {
    await page.goto(world.console + address);
    await page.getByText("assent device open").waitFor();
    await checkAccessibility(page, address);
  }
});

test("a link opens one session and leaves no token behind", async (t) => {
  const page = await openPage(t, browser, undefined);
  const link = await world.newLink();
  await page.goto(link);
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  assert.equal(new URL(page.url()).hash, "");
  const again = await openPage(t, browser, undefined);
  await again.goto(link);
  await again.getByText("assent device open").waitFor();
});

test("the language is chosen in the settings and used at once", async (t) => {
  const page = await openPage(t, browser, session);
  await page.goto(`${world.console}/settings`);
  await page.getByRole("combobox", { name: "Language" }).selectOption("zh");
  await page.getByRole("heading", { level: 1, name: "设置" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "zh-Hans");
  for (const address of addresses) {
    await page.goto(world.console + address);
    await page.getByRole("navigation", { name: "主导航" }).waitFor();
    await page.locator("main").filter({ hasNotText: "正在加载" }).waitFor();
    await checkAccessibility(page, address);
  }
  const outcome = world.call("read_file", { path: path.join(world.folder, "todo.md") });
  const dialog = await openPrompt(page);
  await page.getByRole("alertdialog", { name: `${world.agentName} 想读取一个文件` }).waitFor();
  await checkAccessibility(page, "the overlay");
  await button(dialog, "拒绝").click();
  assert.equal((await outcome).reason, "user_refused");
  await page.goto(`${world.console}/settings`);
  await page.getByRole("combobox", { name: "语言" }).selectOption("en");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
});

test("keys lead to the pages, and can be switched off", async (t) => {
  const page = await openPage(t, browser, session);
  await page.goto(`${world.console}/`);
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await checkAccessibility(page, "all keys");
  await page.keyboard.press("Escape");
  await page.goto(`${world.console}/settings`);
  await page.getByRole("checkbox", { name: "Use single letters" }).uncheck();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.waitForTimeout(300);
  assert.equal(new URL(page.url()).pathname, "/settings");
});

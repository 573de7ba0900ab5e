// What the pages say when the relay or the device is gone.

import { after, before, test } from "node:test";

import { PHONE, checkAccessibility, checkWidth, launch, openPage, signIn } from "../lib/browser.js";
import { startWorld } from "../lib/world.js";

let browser;
let world;
let session;

before(async () => {
  world = await startWorld();
  browser = await launch();
  session = await signIn(browser, world);
});

after(async () => {
  await browser?.close();
  await world?.stop();
});

test("a lost relay is shown on every page, and then a lost device", async (t) => {
  const page = await openPage(t, browser, session, { viewport: PHONE });
  await page.goto(`${world.console}/agents`);
  await page.getByText("Connected", { exact: true }).waitFor();
  await world.stopRelay();
  await page
    .getByRole("region", { name: "Notices" })
    .getByText("Not connected to the relay.")
    .waitFor();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.getByText("Not connected to the relay.").waitFor();
  await checkAccessibility(page, "without a relay");
  await checkWidth(page, "without a relay");

  await world.stopDevice();
  await page.getByText("Connecting to this device").waitFor();
  for (const name of ["Agents", "Activity"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "This device does not answer" }).waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
  }
  await checkAccessibility(page, "without a device");
});

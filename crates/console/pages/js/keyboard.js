// Keys that work on every page.

import { navigate } from "./router.js";

const KEY = "assent.shortcuts";
const GO = { i: "/", a: "/agents", c: "/conversations", v: "/activity", k: "/devices" };
/** The second key of a pair has to follow within this time. */
const PAIR_MS = 1500;

let typedAt = 0;

/** Single letters can be switched off. */
export const shortcutsAreOn = () => localStorage.getItem(KEY) !== "off";

export function setShortcuts(isOn) {
  localStorage.setItem(KEY, isOn ? "on" : "off");
}

/** Returns `true` if keys go into a text. */
export function isTyping(target) {
  return (
    target instanceof Element &&
    target.closest(
      "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]",
    ) !== null
  );
}

/** When the person last typed into a text, in milliseconds. */
export const lastTyping = () => typedAt;

/** @param {{openHelp: () => void, recallPrompts: () => void}} actions */
export function listenEverywhere({ openHelp, recallPrompts }) {
  let wentAt = 0;
  document.addEventListener("input", (event) => {
    if (isTyping(event.target)) typedAt = Date.now();
  });
  document.addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
    if (!isPlain || isTyping(event.target) || !shortcutsAreOn() || isModal()) return;
    const key = event.key.toLowerCase();
    if (Date.now() - wentAt < PAIR_MS && GO[key] !== undefined) {
      wentAt = 0;
      event.preventDefault();
      if (key === "i") recallPrompts();
      navigate(GO[key]);
      return;
    }
    wentAt = key === "g" ? Date.now() : 0;
    if (event.key === "?") openHelp();
    else if (event.key === "/") focusSearch(event);
    else if (key === "j" || key === "arrowdown") moveInList(1, event);
    else if (key === "k" || key === "arrowup") moveInList(-1, event);
  });
}

const isModal = () =>
  document.body.classList.contains("has-overlay") ||
  document.querySelector("dialog[open]") !== null;

function focusSearch(event) {
  const field = document.querySelector("main input[type=search]");
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

/** Moves between the entries of the list in focus, or to its first one. */
function moveInList(step, event) {
  const links = [...document.querySelectorAll("main [data-list] a[href]:not([data-aside])")];
  const at = links.indexOf(document.activeElement);
  const isArrow = event.key.startsWith("Arrow");
  if (links.length === 0 || (isArrow && at < 0)) return;
  event.preventDefault();
  links[Math.min(links.length - 1, Math.max(0, at < 0 ? 0 : at + step))].focus();
}

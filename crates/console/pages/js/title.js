// The title of the tab: the page, what waits, and the time left for an answer.

import { store } from "./store.js";

/** Longer times are not counted in the title. */
const COUNTED_S = 60;

let page = "Assent";
let prompt = null;

/** Sets the title of the page. */
export function setTitle(title) {
  page = title;
  paint();
}

/** Shows the time left for a prompt, or `null` when there is none. */
export function showTimeLeft(seconds, question = "") {
  prompt = seconds === null ? null : { seconds, question };
  paint();
}

function paint() {
  if (prompt !== null) {
    const time = prompt.seconds <= COUNTED_S ? `(${prompt.seconds} s) ` : "";
    document.title = `${time}${prompt.question} · Assent`;
    return;
  }
  const count = store.prompts.length;
  document.title = `${count > 0 ? `(${count}) ` : ""}${page} · Assent`;
}

store.addEventListener("prompts", paint);

// The next prompt, over whatever page is open.

import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { store } from "../store.js";
import { announce } from "../ui/announce.js";
import { lastTyping } from "../keyboard.js";
import { sentenceText } from "../words.js";
import { promptFlow } from "./flow.js";

/** A person who types is not interrupted before a pause of this length. */
const PAUSE_MS = 2000;

class Overlay {
  #container = document.getElementById("overlay");
  #abort = null;
  #timer = 0;
  #focusBefore = null;
  /** Prompts that the person has put aside. They stay in the inbox. */
  #aside = new Set();
  #isAllowed = () => false;
  #onAside = () => {};

  /**
   * @param {{isAllowed: () => boolean, onAside: () => void}} options
   *   `isAllowed` is false on pages that show prompts themselves; `onAside` is called after the person has left.
   */
  start({ isAllowed, onAside }) {
    this.#isAllowed = isAllowed;
    this.#onAside = onAside;
    store.addEventListener("prompts", () => this.check());
    this.check();
  }

  /** Opens if there is a prompt and nothing speaks against it. */
  check() {
    clearTimeout(this.#timer);
    if (!this.#isAllowed()) return this.#close();
    if (this.#abort !== null || this.#next() === undefined) return;
    const pause = lastTyping() + PAUSE_MS - Date.now();
    if (pause > 0) {
      const prompt = this.#next();
      announce(sentenceText("wants", prompt.agent.name, prompt.tool));
      this.#timer = setTimeout(() => this.check(), pause);
      return;
    }
    this.#open();
  }

  /** Shows what was put aside again. */
  recall() {
    this.#aside.clear();
    this.check();
  }

  #next() {
    return store.prompts.find((prompt) => !this.#aside.has(prompt.prompt_id));
  }

  #open() {
    document.querySelector("dialog[open]")?.close();
    this.#abort = new AbortController();
    this.#focusBefore = document.activeElement;
    document.getElementById("app").inert = true;
    document.body.classList.add("has-overlay");
    const place = h("section", { class: "slip-wrap", "aria-label": t("prompt.queue") });
    replace(this.#container, place);
    this.#container.hidden = false;
    promptFlow({
      container: place,
      next: () => this.#next(),
      onShow: () => (this.#container.scrollTop = 0),
      onEmpty: () => this.#close(),
      onLeave: () => this.#leave(),
      signal: this.#abort.signal,
    });
  }

  /** The open prompts do not come up again by themselves. */
  putAside() {
    for (const prompt of store.prompts) this.#aside.add(prompt.prompt_id);
  }

  #leave() {
    this.putAside();
    this.#close();
    announce(t("prompt.aside"));
    this.#onAside();
  }

  #close() {
    if (this.#abort === null) return;
    this.#abort.abort();
    this.#abort = null;
    this.#container.hidden = true;
    this.#container.replaceChildren();
    document.getElementById("app").inert = false;
    document.body.classList.remove("has-overlay");
    this.#focusBefore?.focus?.({ preventScroll: true });
  }
}

export const overlay = new Overlay();

// What every page needs to know: the state of the device and the open prompts. Events keep both current.

import { get } from "./api.js";
import { follow } from "./events.js";

/** @typedef {{prompt_id: string, invocation_id: string, agent: {agent_id: string, name: string, verified: boolean}, tool: {name: string, description?: string, served_by?: string | null}, scope: {id: string, label?: string, sensitivity: string}, target?: {kind: string, text: string}, view: {lines: {path: string, text: string}[], digest: string, shortened: boolean}, agent_reason?: string, opened_at: string, answerable_at: string, not_after: string, choices: string[], silence?: {seconds: number, place?: string}}} Prompt */

class Store extends EventTarget {
  /** The state of the device, once it is known. */
  state = null;
  /** @type {Prompt[]} The open prompts, the oldest first. */
  prompts = [];
  /** Returns `true` while this page hears from the device. */
  isLive = false;
  /** How prompts ended: their outcome by id. */
  outcomes = new Map();

  /** Returns `true` if this device is signed in to a relay. */
  get isSignedIn() {
    return this.state?.account?.logged_in === true;
  }

  /** Loads the state, and the prompts if there is an account. */
  async load() {
    this.state = await get("/state");
    this.prompts = this.isSignedIn ? await get("/prompts") : [];
    this.#tell("state");
    this.#tell("prompts");
  }

  async loadPrompts() {
    const prompts = await get("/prompts");
    this.prompts = prompts;
    this.#tell("prompts");
  }

  async loadState() {
    this.state = await get("/state");
    this.#tell("state");
  }

  /**
   * Listens to the device until the signal aborts. What is loaded after the first answer misses no event.
   * @returns {Promise<void>} the first answer: the stream is open, or it could not be opened
   */
  follow(signal) {
    return new Promise((resolve) => {
      let wasOpen = null;
      const onState = (isOpen) => {
        this.isLive = isOpen;
        // What happened meanwhile is not known: load everything again.
        if (isOpen && wasOpen === false) this.#reload();
        wasOpen = isOpen;
        this.#tell("live");
        resolve();
      };
      follow({ signal, onState, onEvent: (type, data) => this.#receive(type, data) }).then(resolve);
    });
  }

  #receive(type, data) {
    if (type === "prompt.closed") this.outcomes.set(data.prompt_id, data.outcome);
    if (type === "reset") this.#reload();
    else if (type.startsWith("prompt.")) this.#quietly(this.loadPrompts());
    else if (type !== "message" && type !== "call.updated") this.#quietly(this.loadState());
    this.dispatchEvent(new CustomEvent("event", { detail: { type, data } }));
  }

  #reload() {
    this.#quietly(this.load());
    this.dispatchEvent(new CustomEvent("event", { detail: { type: "reset", data: {} } }));
  }

  /** A load that fails is repeated by the next event or when the stream opens again. */
  #quietly(promise) {
    promise.catch(() => {});
  }

  #tell(type) {
    this.dispatchEvent(new Event(type));
  }
}

export const store = new Store();

/** Calls `listener` for events of the device whose type is one of `types` or that begin with one of them. */
export function onDeviceEvent(types, listener, signal) {
  const listen = ({ detail }) => {
    const matches = detail.type === "reset" || types.some((type) => detail.type.startsWith(type));
    if (matches) listener(detail);
  };
  store.addEventListener("event", listen, { signal });
}

// Shows prompts one after the other and carries the answers to the device.

import { post } from "../api.js";
import { h, replace } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { store } from "../store.js";
import { visible } from "../text/visible.js";
import { announce } from "../ui/announce.js";
import { mark } from "../ui/mark.js";
import { note } from "../ui/parts.js";
import { showTimeLeft } from "../title.js";
import { sentenceText } from "../words.js";
import { createSlip } from "./slip.js";

/** How long the end of a prompt stands in its place. */
const END_MS = 4000;

const ENDS = {
  allowed: ["ok", "check"],
  denied: ["", "ban"],
  timed_out: ["warn", "clock"],
  withdrawn: ["", "info"],
  elsewhere: ["", "info"],
  gone: ["", "info"],
};

/**
 * @param {{container: HTMLElement, next: () => import("../store.js").Prompt | undefined, onShow: (prompt: import("../store.js").Prompt) => void, onEmpty: () => void, onLeave: (prompt: import("../store.js").Prompt) => void, signal: AbortSignal}} options
 *   `next` is the prompt to show next; `onEmpty` is called when there is none after the end of another.
 */
export function promptFlow({ container, next, onShow, onEmpty, onLeave, signal }) {
  /** @type {{prompt: any, slip: any, abort: AbortController} | null} */
  let open = null;
  let ending = 0;
  let pause = new AbortController();

  function showNext() {
    if (signal.aborted) return;
    pause.abort();
    clearTimeout(ending);
    ending = 0;
    const prompt = next();
    if (prompt === undefined) {
      close();
      onEmpty();
    } else {
      show(prompt);
    }
  }

  function show(prompt, interruption = null) {
    close();
    const abort = new AbortController();
    const slip = createSlip({
      prompt,
      signal: abort.signal,
      onAnswer: (decision, shownAll) => answer(decision, shownAll),
      onHold: hold,
      onLeave: () => onLeave(prompt),
      onTick: (seconds) =>
        showTimeLeft(seconds, sentenceText("wants", prompt.agent.name, prompt.tool)),
      onTimeout: () => settle(END_MS / 4),
    });
    open = { prompt, slip, abort };
    const holder = h("div", { class: "slip-stack" }, ...behind(), slip.element);
    replace(container, queue(prompt), holder, keysLine(prompt));
    if (interruption !== null) slip.interrupt(...interruption);
    slip.appear();
    onShow(prompt);
    reportShown(abort.signal);
  }

  function close() {
    open?.abort.abort();
    open = null;
    showTimeLeft(null);
  }

  /** Tells the device that the prompt is visible: its time begins. */
  function reportShown(abortSignal) {
    const report = () => {
      if (document.visibilityState !== "visible" || open === null) return;
      document.removeEventListener("visibilitychange", report);
      const { prompt, slip } = open;
      post(`/prompts/${prompt.prompt_id}/shown`)
        .then(({ not_after }) => slip.moveEnd(not_after))
        .catch((error) => failed(error, prompt));
    };
    document.addEventListener("visibilitychange", report, { signal: abortSignal });
    report();
  }

  async function answer(decision, shownAll) {
    const { prompt, slip } = open;
    slip.setBusy(true);
    const body = { decision, view_digest: prompt.view.digest };
    if (shownAll && prompt.view.shortened) body.shown = "all";
    try {
      await post(`/prompts/${prompt.prompt_id}/answer`, body);
      end(prompt, decision.startsWith("allow") ? "allowed" : "denied", decision);
    } catch (error) {
      slip.setBusy(false);
      failed(error, prompt);
    }
  }

  async function hold() {
    const { prompt, slip } = open;
    try {
      const { not_after } = await post(`/prompts/${prompt.prompt_id}/hold`);
      slip.moveEnd(not_after);
      slip.setHeld();
      announce(t("prompt.held"));
    } catch (error) {
      if (error.code === "ALREADY_HELD") slip.setHeld();
      failed(error, prompt);
    }
  }

  /** Says what an answer that did not count means. */
  function failed(error, prompt) {
    if (open?.prompt.prompt_id !== prompt.prompt_id) return;
    if (error.code === "ALREADY_RESOLVED" || error.status === 404) settle(0);
    else if (error.code === "VIEW_CHANGED") refresh();
    else if (error.code === "TOO_EARLY")
      open.slip.interrupt("warn", "clock", t("prompt.too-early"));
    else if (error.code === "NOT_SHOWN") open.slip.interrupt("warn", "eye", t("prompt.not-shown"));
    else if (error.code === "ALREADY_HELD")
      open.slip.interrupt("", "info", t("prompt.already-held"));
    else if (error.isUnreachable) open.slip.interrupt("stop", "alert", t("prompt.not-sent"));
    else open.slip.interrupt("stop", "alert", t("prompt.refused", { code: error.code }));
  }

  async function refresh() {
    await store.loadPrompts().catch(() => {});
    const current = store.prompts.find((prompt) => prompt.prompt_id === open?.prompt.prompt_id);
    if (current === undefined) settle(0);
    else show(current, ["warn", "refresh", t("prompt.changed")]);
  }

  /** Ends the slip with the outcome that the device has announced, or will. */
  function settle(wait) {
    const { prompt } = open;
    setTimeout(() => {
      if (open?.prompt.prompt_id !== prompt.prompt_id) return;
      end(prompt, store.outcomes.get(prompt.prompt_id) ?? (wait > 0 ? "timed_out" : "gone"));
    }, wait);
  }

  function end(prompt, outcome, decision = null) {
    close();
    const [kind, iconName] = ENDS[outcome] ?? ENDS.gone;
    const key = decision === null ? `end.${outcome}` : `end.${decision}`;
    const story = h("a", { href: `/activity/${prompt.invocation_id}` }, t("end.story"));
    const text = t(key, { agent: prompt.agent.name });
    const status = h(
      "div",
      { class: "slip-end", role: "status", tabindex: "-1" },
      note(kind, iconName, text, " ", story),
    );
    replace(container, status);
    status.focus({ preventScroll: true });
    ending = setTimeout(showNext, END_MS);
    listenForImpatience();
  }

  /** A click or Escape ends the pause after a prompt. A link is followed first. */
  function listenForImpatience() {
    const goOn = (event) => {
      const isKey = event.type === "keydown";
      if (isKey && event.key !== "Escape") return;
      clearTimeout(ending);
      ending = setTimeout(showNext);
    };
    pause = new AbortController();
    container.addEventListener("click", goOn, { signal: pause.signal });
    document.addEventListener("keydown", goOn, { signal: pause.signal });
  }

  /** Prompts have opened, changed or closed. */
  function onPrompts() {
    if (open === null) {
      if (ending === 0) showNext();
      return;
    }
    const current = store.prompts.find((prompt) => prompt.prompt_id === open.prompt.prompt_id);
    if (current === undefined) settle(0);
    else if (current.view.digest !== open.prompt.view.digest)
      show(current, ["warn", "refresh", t("prompt.changed")]);
    else {
      open.slip.moveEnd(current.not_after);
      container.querySelector(".queue")?.replaceWith(queue(current));
    }
  }

  store.addEventListener("prompts", onPrompts, { signal });
  signal.addEventListener(
    "abort",
    () => {
      clearTimeout(ending);
      pause.abort();
      close();
    },
    { once: true },
  );
  showNext();
}

const waiting = (prompt) => store.prompts.filter((other) => other.prompt_id !== prompt.prompt_id);

function queue(prompt) {
  const others = waiting(prompt);
  if (others.length === 0) return h("div", { class: "queue" });
  return h(
    "nav",
    { class: "queue", "aria-label": t("prompt.queue") },
    h("span", { class: "row" }, icon("stack"), t("prompt.one-of", { count: others.length + 1 })),
    h(
      "span",
      { class: "row" },
      h("span", { class: "hide-phone" }, t("prompt.next")),
      others
        .slice(0, 3)
        .map((other) => [
          mark(other.agent.agent_id, "sm"),
          h("span", { class: "hide-phone" }, ...visible(other.agent.name)),
        ]),
    ),
  );
}

function behind() {
  const sheets = Math.min(2, store.prompts.length - 1);
  return ["behind behind-2", "behind"]
    .slice(2 - Math.max(0, sheets))
    .map((name) => h("div", { class: name, "aria-hidden": "true" }));
}

function keysLine(prompt) {
  const key = (name) => h("kbd", null, name);
  const parts = [
    [key("D"), " ", t("keys.deny")],
    [key("Y"), " ", t("keys.allow"), " ", key("Enter"), " ", t("keys.press")],
    prompt.scope.sensitivity === "high" ? [key("T"), " ", t("keys.hold")] : null,
    [key("Esc"), " ", t("keys.leave")],
  ];
  return h(
    "p",
    { class: "slip-under" },
    parts.filter(Boolean).map((part) => h("span", null, ...part)),
  );
}

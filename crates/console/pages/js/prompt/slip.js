// One prompt on the page: what is asked on the left, the answers on the right.

import { h, uniqueId } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { visible } from "../text/visible.js";
import { mark } from "../ui/mark.js";
import { digest, note, said, sensitivity, verification } from "../ui/parts.js";
import { fallbackText, isKnownScope, scopeName, sentence } from "../words.js";
import { answerButtons } from "./answers.js";
import { armSlowly } from "./arming.js";
import { countdown } from "./countdown.js";
import { effectList } from "./effects.js";
import { listenToKeys } from "./keys.js";
import { targetRow, valueRow } from "./rows.js";
import { watchRows } from "./seen.js";

/**
 * Shows a prompt. Every answer goes through `choose`, which ignores it while the slip is inert or, for a yes, until
 * everything was seen.
 * @param {{prompt: import("../store.js").Prompt, onAnswer: (decision: string, shownAll: boolean) => void, onHold: () => void, onLeave: () => void, onTick: (seconds: number) => void, onTimeout: () => void, signal: AbortSignal}} options
 */
export function createSlip({ prompt, onAnswer, onHold, onLeave, onTick, onTimeout, signal }) {
  const ids = {
    question: uniqueId("question"),
    values: uniqueId("values"),
    effects: uniqueId("effects"),
    left: uniqueId("left"),
    answer: uniqueId("answer"),
  };
  const rows = rowsOf(prompt, () => update());
  const notes = h("div", { class: "stack stack-2 slip-notes" });
  const clock = countdown({ notAfter: prompt.not_after, signal, onTick: tick, onEnd: onTimeout });
  const buttons = answerButtons(prompt, choose, onHoldPressed);
  const barDeny = h(
    "button",
    {
      class: "btn btn-no",
      type: "button",
      "data-answer": "deny",
      on: { click: (event) => choose("deny", event) },
    },
    t("answer.deny"),
  );
  const barTime = h("b", { "aria-hidden": "true" });
  const element = layout({
    prompt,
    ids,
    rows,
    notes,
    clock,
    buttons,
    barDeny,
    barTime,
    onEndReached: () => seen.markAll(),
  });
  const seen = watchRows({
    rows: rows.map((row) => row.element),
    bar: barDeny.parentElement,
    onChange: () => update(),
    signal,
  });
  const arming = armSlowly({
    notBefore: Date.parse(prompt.answerable_at),
    onChange: () => update(),
    signal,
  });
  let isBusy = false;
  listenToKeys({
    element,
    buttons,
    choose,
    onLeave,
    onHold: onHoldPressed,
    isInert: () => !arming.isArmed(),
    signal,
  });

  const missing = () => ({
    rows: seen.remaining(),
    folded: rows.filter((row) => row.isLong && !row.isOpen()).length,
  });

  function choose(decision, event) {
    // The second click of a double click was meant for something else.
    if (event?.detail > 1 || !arming.isArmed() || isBusy) return;
    const isYes = decision.startsWith("allow");
    const { rows: below, folded } = missing();
    if (isYes && below + folded > 0) return;
    onAnswer(decision, below + folded === 0);
  }

  function onHoldPressed(event) {
    if (event?.detail > 1 || !arming.isArmed() || isBusy) return;
    onHold();
  }

  function update() {
    const isInert = !arming.isArmed() || isBusy;
    buttons.update({ isArming: !arming.isArmed(), isBusy, missing: missing() });
    setInert(barDeny, isInert);
  }

  function tick(seconds) {
    barTime.textContent = seconds < 120 ? t("prompt.seconds", { n: seconds }) : "";
    onTick(seconds);
  }

  hideBarBesideAnswers(barDeny, buttons.deny, signal);
  clock.start();
  update();
  return {
    element,
    /** Begins the inert time with the first frame, and focuses Deny without moving the question out of view. */
    appear() {
      requestAnimationFrame(() => arming.restart(Date.parse(prompt.answerable_at)));
      const isNarrow = getComputedStyle(barDeny.parentElement).display !== "none";
      (isNarrow ? barDeny : buttons.deny).focus({ preventScroll: true });
    },
    moveEnd: (time) => clock.moveTo(time),
    setBusy(value) {
      isBusy = value;
      update();
    },
    setHeld: () => buttons.removeHold(),
    /** Starts the inert time again and says why. */
    interrupt(kind, iconName, text) {
      notes.replaceChildren(note(kind, iconName, h("span", { role: "status" }, text)));
      arming.restart();
    },
  };
}

/** On narrow screens a bar keeps Deny in reach until the answers are on screen. */
function hideBarBesideAnswers(barDeny, deny, signal) {
  const bar = barDeny.parentElement;
  const observer = new IntersectionObserver(([entry]) => {
    const hadFocus = document.activeElement === barDeny || document.activeElement === deny;
    bar.hidden = entry.isIntersecting;
    if (hadFocus) (entry.isIntersecting ? deny : barDeny).focus({ preventScroll: true });
  });
  // Wide screens have no bar.
  const narrow = window.matchMedia("(max-width: 860px)");
  const follow = () => (narrow.matches ? observer.observe(deny) : observer.disconnect());
  narrow.addEventListener("change", follow, { signal });
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
  follow();
}

function setInert(button, isInert) {
  if (isInert) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

function rowsOf(prompt, onOpen) {
  // The first line is the name of the tool.
  const values = prompt.view.lines.slice(1).map((line) => valueRow(line, onOpen));
  return prompt.target ? [targetRow(prompt.target), ...values] : values;
}

function layout({ prompt, ids, rows, notes, clock, buttons, barDeny, barTime, onEndReached }) {
  const level = prompt.scope.sensitivity;
  return h(
    "section",
    {
      class: `slip slip-${level}`,
      role: "alertdialog",
      "aria-modal": "true",
      "aria-labelledby": ids.question,
      "aria-describedby": `${ids.left} ${ids.values} ${ids.effects}`,
    },
    h(
      "div",
      { class: "slip-main" },
      slipHead(prompt, ids),
      slipBody(prompt, ids, rows, notes, onEndReached),
    ),
    h("div", { class: "slip-tear", "aria-hidden": "true" }),
    h(
      "div",
      { class: "stub", id: ids.answer },
      h(
        "div",
        { class: "stub-in" },
        h(
          "div",
          { class: "stub-top" },
          clock.ring,
          h("div", { id: ids.left }, clock.sentence),
          buttons.hold,
        ),
        h(
          "form",
          {
            class: "slip-answer",
            "aria-label": t("prompt.answer"),
            on: { submit: (event) => event.preventDefault() },
          },
          buttons.element,
        ),
        slipFoot(prompt),
      ),
    ),
    h(
      "div",
      { class: "slip-bar" },
      barTime,
      barDeny,
      h(
        "a",
        { class: "btn", href: `#${ids.answer}`, "data-jump": ids.answer },
        t("prompt.read-on"),
        icon("down"),
      ),
    ),
  );
}

function slipHead(prompt, ids) {
  return h(
    "header",
    { class: "slip-head" },
    mark(prompt.agent.agent_id, "lg"),
    h("h1", { id: ids.question }, ...sentence("wants", prompt.agent.name, prompt.tool)),
    h(
      "p",
      { class: "who" },
      verification(prompt.agent.verified),
      h(
        "span",
        null,
        scopeLabel(prompt),
        " ",
        h("code", { class: "faint" }, ...visible(prompt.scope.id)),
      ),
      sensitivity(prompt.scope.sensitivity, true),
    ),
  );
}

function scopeLabel(prompt) {
  if (isKnownScope(prompt.scope.id)) return scopeName(prompt.scope.id);
  const label = fallbackText(prompt.scope.label) || prompt.scope.id;
  return h("span", { class: "said-in" }, ...visible(label));
}

function slipBody(prompt, ids, rows, notes, onEndReached) {
  const suspicious = rows.reduce((sum, row) => sum + row.suspicious, 0);
  const valuesTitle = uniqueId("values-title");
  const effectsTitle = uniqueId("effects-title");
  const count = prompt.view.lines.length - 1;
  return h(
    "div",
    { class: "slip-body stack" },
    notes,
    suspicious > 0
      ? note(
          "warn",
          "eye",
          h("b", null, t("prompt.suspicious", { count: suspicious })),
          " ",
          t("prompt.suspicious-where"),
        )
      : null,
    h(
      "section",
      { "aria-labelledby": valuesTitle },
      h("h2", { id: valuesTitle }, t("prompt.exactly", { count })),
      h(
        "dl",
        { class: "args", id: ids.values },
        rows.map((row) => row.element),
      ),
      // The keyboard and screen readers reach this after the last value.
      h(
        "span",
        { class: "vh", tabindex: "0", on: { focus: onEndReached } },
        t("prompt.end-of-values"),
      ),
    ),
    h(
      "section",
      { "aria-labelledby": effectsTitle },
      h("h2", { id: effectsTitle }, t("prompt.if-allowed")),
      effectList(prompt, ids.effects),
    ),
    prompt.agent_reason
      ? said(t("said.unchecked", { name: prompt.agent.name }), prompt.agent_reason)
      : null,
  );
}

function slipFoot(prompt) {
  return h(
    "footer",
    { class: "slip-foot" },
    h("div", null, h("span", null, t("prompt.what-you-see")), digest(prompt.view.digest)),
    h("p", null, t("prompt.exactly-this")),
  );
}

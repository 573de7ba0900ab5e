// The answers to a prompt. A no and a yes weigh the same.

import { h, uniqueId } from "../dom.js";
import { duration, t, tn } from "../i18n.js";
import { visible } from "../text/visible.js";

const DAY_S = 86_400;

/**
 * @param {import("../store.js").Prompt} prompt
 * @param {(decision: string, event: Event) => void} choose
 * @param {(event: Event) => void} onHold
 */
export function answerButtons(prompt, choose, onHold) {
  const offered = (choice) => prompt.choices.includes(choice);
  const make = (choice, classes, text) =>
    offered(choice)
      ? h(
          "button",
          {
            class: `btn ${classes}`,
            type: "button",
            "data-answer": choice,
            on: { click: (event) => choose(choice, event) },
          },
          text,
        )
      : null;
  const deny = make("deny", "btn-no btn-lg", t("answer.deny"));
  const never = make("always_deny", "more", t("answer.always_deny"));
  const once = make("allow_once", "btn-yes btn-lg", t("answer.allow_once"));
  const day = make("allow_24h", "more", dayText(prompt));
  const reason = h("p", { class: "hint not-yet", id: uniqueId("not-yet") });
  const isHigh = prompt.scope.sensitivity === "high";
  const hold = isHigh
    ? h(
        "button",
        { class: "btn", type: "button", "data-hold": true, on: { click: onHold } },
        t("answer.hold"),
      )
    : null;

  const element = h(
    "div",
    { class: "answers" },
    h(
      "div",
      null,
      deny,
      never,
      never
        ? describe(never, h("span", null, ...tn("answer.always_deny.hint", names(prompt))))
        : null,
    ),
    h(
      "div",
      null,
      once,
      reason,
      day,
      day ? describe(day, ...dayHint(prompt)) : h("p", { class: "hint" }, t("answer.every-time")),
    ),
  );

  return {
    element,
    deny,
    once,
    hold,
    removeHold: () => hold?.remove(),
    update({ isArming, isBusy, missing }) {
      const text = notYet(missing);
      reason.textContent = text;
      reason.hidden = text === "";
      for (const button of [deny, never, hold]) paint(button, isArming, isBusy, false);
      for (const button of [once, day]) paint(button, isArming, isBusy, text !== "");
      once?.setAttribute("aria-describedby", text === "" ? "" : reason.id);
    },
  };
}

function paint(button, isArming, isBusy, isNotYet) {
  if (!button) return;
  const isOff = isArming || isBusy || isNotYet;
  button.classList.toggle("is-arming", isArming && !isNotYet);
  if (isOff) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

/** Why nothing can be allowed yet. */
function notYet({ rows, folded }) {
  if (rows > 0) return t("prompt.below", { count: rows });
  return folded > 0 ? t("prompt.folded", { count: folded }) : "";
}

function dayText(prompt) {
  const seconds = prompt.silence?.seconds ?? DAY_S;
  return seconds === DAY_S
    ? t("answer.allow_24h")
    : t("answer.allow_for", { time: duration(seconds * 1000) });
}

function dayHint(prompt) {
  const time = duration((prompt.silence?.seconds ?? DAY_S) * 1000);
  const values = { ...names(prompt), time };
  if (!prompt.silence?.place) return tn("answer.allow_24h.hint", values);
  return tn("answer.allow_24h.hint-place", {
    ...values,
    place: h("code", null, ...visible(prompt.silence.place)),
  });
}

function names(prompt) {
  return {
    agent: h("span", null, ...visible(prompt.agent.name)),
    tool: h("code", null, ...visible(prompt.tool.name)),
  };
}

function describe(button, ...content) {
  const id = uniqueId("hint");
  button.setAttribute("aria-describedby", id);
  return h("p", { class: "hint", id }, ...content);
}

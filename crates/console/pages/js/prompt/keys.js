// The keys of a prompt. No single key allows anything.

import { isTyping, shortcutsAreOn } from "../keyboard.js";

/**
 * @param {{element: HTMLElement, buttons: any, choose: (decision: string) => void, onLeave: () => void, onHold: () => void, isInert: () => boolean, signal: AbortSignal}} options
 */
export function listenToKeys({ element, buttons, choose, onLeave, onHold, isInert, signal }) {
  const actions = {
    d: () => choose("deny"),
    y: () => buttons.once?.focus(),
    t: () => buttons.hold?.isConnected && onHold(),
    s: () => foldButton(element)?.click(),
  };

  function onKey(event) {
    const isPress = event.key === "Enter" || event.key === " ";
    const isAnswer = event.target.closest?.("[data-answer], [data-hold]");
    // A key that was already down, or went down too early, must not press a button when it comes up.
    if (isPress && isAnswer && (event.repeat || isInert())) {
      event.preventDefault();
      return;
    }
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      event.preventDefault();
      onLeave();
      return;
    }
    if (event.key === "Tab") return keepInside(element, event);
    const action = actions[event.key.toLowerCase()];
    if (action === undefined || isTyping(event.target) || !shortcutsAreOn()) return;
    event.preventDefault();
    action();
  }

  document.addEventListener("keydown", onKey, { signal });
  element.addEventListener("click", jump, { signal });
}

/** The button of the value in focus, else the first one that is still folded. */
function foldButton(element) {
  const focused = document.activeElement?.closest(".args > div")?.querySelector("[data-fold]");
  return focused ?? element.querySelector('[data-fold][aria-expanded="false"]');
}

/** The link of the bar goes to the answers without changing the address. */
function jump(event) {
  const link = event.target.closest("[data-jump]");
  if (link === null) return;
  event.preventDefault();
  document.getElementById(link.dataset.jump).scrollIntoView({ block: "end" });
}

function keepInside(element, event) {
  const stops = [...element.querySelectorAll("button, a[href], [tabindex]")].filter(
    (stop) => stop.getClientRects().length > 0,
  );
  const first = stops[0];
  const last = stops.at(-1);
  if (event.shiftKey && document.activeElement === first) {
    event.preventDefault();
    last.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first.focus();
  } else if (!element.contains(document.activeElement)) {
    event.preventDefault();
    first.focus();
  }
}

// The time left for an answer: a number, a ring and a sentence, and announcements near the end.

import { h, svg } from "../dom.js";
import { duration, t } from "../i18n.js";
import { alert, announce } from "../ui/announce.js";

const ANNOUNCED_S = [30, 10, 5];
/** Prompts with less time than this show every second. */
const RING_MAX_S = 60;

/**
 * @param {{notAfter: string, signal: AbortSignal, onTick: (seconds: number) => void, onEnd: () => void}} options
 */
export function countdown({ notAfter, signal, onTick, onEnd }) {
  let end = Date.parse(notAfter);
  let announced = Infinity;
  let isOver = false;
  const number = h("b");
  const arc = svg("circle", { class: "left", cx: 20, cy: 20, r: 17, pathLength: 100 });
  const ring = h(
    "div",
    { class: "ring", role: "timer", "aria-live": "off" },
    svg(
      "svg",
      { viewBox: "0 0 40 40", "aria-hidden": "true" },
      svg("circle", { class: "track", cx: 20, cy: 20, r: 17 }),
      arc,
    ),
    number,
  );
  const sentence = h("p", { class: "left-text" });
  let whole = Math.max(1, Math.ceil((end - Date.now()) / 1000));

  function tick() {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    const name =
      left < 120
        ? t("prompt.left", { count: left })
        : t("prompt.left-long", { time: duration(left * 1000) });
    ring.setAttribute("aria-label", name);
    ring.classList.toggle("is-long", left > RING_MAX_S);
    number.textContent = left < 120 ? String(left) : `${Math.round(left / 60)}′`;
    arc.setAttribute("stroke-dasharray", `${Math.min(100, (left / whole) * 100)} 100`);
    sentence.replaceChildren(
      h(
        "b",
        null,
        left < 120
          ? t("prompt.denied-in", { count: left })
          : t("prompt.denied-in-long", { time: duration(left * 1000) }),
      ),
      t("prompt.if-nothing"),
    );
    say(left);
    onTick(left);
    if (left === 0 && !isOver) {
      isOver = true;
      onEnd();
    }
  }

  function say(left) {
    const due = ANNOUNCED_S.find(
      (seconds) => left <= seconds && seconds < announced && left > seconds - 4,
    );
    if (due === undefined) return;
    announced = due;
    (due === 5 ? alert : announce)(t("prompt.left", { count: due }));
  }

  return {
    ring,
    sentence,
    start() {
      const timer = setInterval(tick, 1000);
      signal.addEventListener("abort", () => clearInterval(timer), { once: true });
      tick();
    },
    /** The device has moved the end. */
    moveTo(time) {
      const moved = Date.parse(time);
      if (moved === end) return;
      end = moved;
      isOver = false;
      announced = Infinity;
      whole = Math.max(1, Math.ceil((end - Date.now()) / 1000));
      tick();
    },
  };
}

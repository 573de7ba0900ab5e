// How long a tool runs without asking.

import { h, svg } from "../dom.js";
import { shortTime, t, tn } from "../i18n.js";
import { visible } from "../text/visible.js";
import { stateOf } from "./parts.js";

const WIDTH = 480;

/** @param {{name: string, silent_until: string, silent_at_most?: string}} tool */
export function silenceWindow(tool) {
  const now = Date.now();
  const until = Date.parse(tool.silent_until);
  const most = Date.parse(tool.silent_at_most ?? tool.silent_until);
  const label = t("silence.label", { until: shortTime(until), most: shortTime(most) });
  // The width of the sure part, out of what is possible at most.
  const sure = Math.max(2, Math.round((WIDTH * (until - now)) / Math.max(1, most - now)));
  return h(
    "div",
    { class: "silence" },
    h(
      "p",
      { class: "small" },
      stateOf("jade", "moon", t("silence.until", { until: shortTime(until) })),
      " ",
      h(
        "span",
        { class: "muted" },
        ...tn("silence.text", {
          tool: h("code", null, ...visible(tool.name)),
          most: shortTime(most),
        }),
      ),
    ),
    svg(
      "svg",
      {
        class: "window",
        role: "img",
        "aria-label": label,
        viewBox: `0 0 ${WIDTH} 24`,
        preserveAspectRatio: "none",
      },
      svg("rect", { class: "base", x: 0, y: 9, width: WIDTH, height: 6, rx: 3 }),
      svg("rect", { class: "may", x: 0, y: 9, width: WIDTH, height: 6, rx: 3 }),
      svg("rect", { class: "quiet", x: 0, y: 9, width: Math.min(WIDTH, sure), height: 6, rx: 3 }),
      svg("rect", { class: "now", x: 0, y: 3, width: 2.5, height: 18 }),
    ),
    h(
      "p",
      { class: "ends xs faint" },
      h("span", null, t("silence.now")),
      h("span", null, t("silence.most", { most: shortTime(most) })),
    ),
  );
}

// The line icons of the pages, drawn on a 20 × 20 grid. Words beside an icon always carry the meaning.

import { svg } from "./dom.js";

/** The strokes of each icon. */
const STROKES = {
  inbox: "M3.5 11.5 5.6 4.4h8.8l2.1 7.1v4.1H3.5zM3.5 11.5h3.6l1.1 2h3.6l1.1-2h3.6",
  agent:
    "M6 6.2h8a2.3 2.3 0 0 1 2.3 2.3v5A2.3 2.3 0 0 1 14 15.8H6a2.3 2.3 0 0 1-2.3-2.3v-5A2.3 2.3 0 0 1 6 6.2zM10 6.2V3.4M7.6 10.2v1.4M12.4 10.2v1.4",
  activity: "M2.8 10.4h3l2.3-5.8 3.6 11 2.4-5.2h3.1",
  chat: "M4 4.5h12a1 1 0 0 1 1 1v7.6a1 1 0 0 1-1 1H9l-3.6 2.8v-2.8H4a1 1 0 0 1-1-1V5.5a1 1 0 0 1 1-1z",
  key: "M12.9 3.4a3.8 3.8 0 1 1-2.8 6.3L4 15.9v1M5.9 14l1.9 1.9M12.9 7.1h.01",
  gear: "M10 7.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM10 2.9v1.7M10 15.4v1.7M17.1 10h-1.7M4.6 10H2.9M15 5l-1.2 1.2M6.2 13.8 5 15M15 15l-1.2-1.2M6.2 6.2 5 5",
  file: "M5.2 2.9h6l3.6 3.7v10.5H5.2zM11 2.9v3.9h3.8",
  folder: "M2.9 5h4.7l1.7 2h7.8v8.8H2.9z",
  globe:
    "M10 2.9a7.1 7.1 0 1 0 0 14.2 7.1 7.1 0 0 0 0-14.2zM2.9 10h14.2M10 2.9c2.2 2 3.1 4.4 3.1 7.1S12.2 15.1 10 17.1C7.8 15.1 6.9 12.7 6.9 10S7.8 4.9 10 2.9z",
  bell: "M5 13.6V9a5 5 0 0 1 10 0v4.6l1.2 1.2H3.8zM8.4 17.1h3.2",
  clipboard: "M7.3 4.3H5v12.8h10V4.3h-2.3M7.6 2.9h4.8v2.9H7.6z",
  pin: "M10 17.3c3.7-3.7 5.4-6.3 5.4-8.9a5.4 5.4 0 0 0-10.8 0c0 2.6 1.7 5.2 5.4 8.9zM10 6.6a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8z",
  plug: "M7.2 2.9v3.6M12.8 2.9v3.6M5 6.5h10v2.3a5 5 0 0 1-10 0zM10 13.8v3.3",
  lock: "M4.8 9h10.4v7.9H4.8zM7 9V6.3a3 3 0 0 1 6 0V9",
  shield: "M10 2.8 4.3 5v4.6c0 3.6 2.3 6.2 5.7 7.6 3.4-1.4 5.7-4 5.7-7.6V5z",
  "shield-check":
    "M10 2.8 4.3 5v4.6c0 3.6 2.3 6.2 5.7 7.6 3.4-1.4 5.7-4 5.7-7.6V5zM7.4 9.9l1.9 1.9 3.4-3.7",
  check: "M4.4 10.6l3.7 3.7 7.5-8.4",
  x: "M5.2 5.2l9.6 9.6M14.8 5.2l-9.6 9.6",
  clock: "M10 2.9a7.1 7.1 0 1 0 0 14.2 7.1 7.1 0 0 0 0-14.2zM10 6v4.2l2.7 1.7",
  alert: "M10 3.3 17.4 16.5H2.6zM10 8.2v3.7M10 14.1v.1",
  info: "M10 2.9a7.1 7.1 0 1 0 0 14.2 7.1 7.1 0 0 0 0-14.2zM10 9.2v4.3M10 6.5v.1",
  eye: "M2.2 10c1.9-3.4 4.5-5.1 7.8-5.1s5.9 1.7 7.8 5.1c-1.9 3.4-4.5 5.1-7.8 5.1S4.1 13.4 2.2 10zM10 7.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8z",
  "eye-off":
    "M3.2 3.2l13.6 13.6M7.7 5.3c.7-.2 1.5-.4 2.3-.4 3.3 0 5.9 1.7 7.8 5.1-.6 1.1-1.3 2-2.1 2.8M13 14.6c-.9.3-1.9.5-3 .5-3.3 0-5.9-1.7-7.8-5.1.7-1.3 1.6-2.4 2.6-3.2M8.4 8.2a2.4 2.4 0 0 0 3.4 3.4",
  right: "M7.8 4.8l5.2 5.2-5.2 5.2",
  left: "M12.2 4.8 7 10l5.2 5.2",
  down: "M4.8 7.8 10 13l5.2-5.2",
  plus: "M10 4v12M4 10h12",
  search: "M8.8 3.3a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM12.9 12.9l3.9 3.9",
  laptop: "M4.3 4.4h11.4v8.2H4.3zM2.3 15.5h15.4",
  edit: "M12.7 3.7l3.6 3.6-9 9-4.1.5.5-4.1zM10.6 5.8l3.6 3.6",
  link: "M8.4 11.6a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3l-1.2 1.2M11.6 8.4a3 3 0 0 0-4.3 0l-2.7 2.7a3 3 0 0 0 4.3 4.3l1.2-1.2",
  quote: "M4 13.5c2.3-.4 3.6-1.9 3.6-4.7V6H3.8v3.8h2M12 13.5c2.3-.4 3.6-1.9 3.6-4.7V6h-3.8v3.8h2",
  ban: "M10 2.9a7.1 7.1 0 1 0 0 14.2 7.1 7.1 0 0 0 0-14.2zM5 5l10 10",
  pause: "M7 4.8v10.4M13 4.8v10.4",
  refresh:
    "M16 8.3A6.3 6.3 0 0 0 4.6 6.9L3.3 8.7M3.3 4.6v4.1h4.1M4 11.7a6.3 6.3 0 0 0 11.4 1.4l1.3-1.8M16.7 15.4v-4.1h-4.1",
  download: "M10 3.2v9M6.3 8.8l3.7 3.7 3.7-3.7M3.6 16.5h12.8",
  tool: "M12.3 3.3a4.3 4.3 0 0 0-4.2 5.9l-4.8 4.8 2.7 2.7 4.8-4.8a4.3 4.3 0 0 0 5.6-5.5l-2.5 2.5-2.3-.7-.7-2.3 2.5-2.5c-.4-.1-.7-.1-1.1-.1z",
  send: "M17 3.3 3 8.7l5.6 2.5L11.2 17z",
  moon: "M15.9 12.2A6.6 6.6 0 0 1 7.8 4.1a6.6 6.6 0 1 0 8.1 8.1z",
  park: "M10 2.9a7.1 7.1 0 1 0 0 14.2 7.1 7.1 0 0 0 0-14.2zM8.2 7.5v5M11.8 7.5v5",
  stack: "M10 3.2 3.2 6.7 10 10.2l6.8-3.5zM3.2 10.2 10 13.7l6.8-3.5M3.2 13.4 10 16.9l6.8-3.5",
};

/** How many bars of the sensitivity icon are filled. */
const BARS = { low: 1, medium: 2, high: 3 };

/**
 * An icon. Screen readers do not see it.
 * @param {keyof typeof STROKES | "spin"} name
 * @param {string} [classes]
 */
export function icon(name, classes = "") {
  if (name === "spin") return spinner(classes);
  return frame(`i i-${name} ${classes}`, svg("path", { d: STROKES[name] }));
}

/** The bars that show a sensitivity. */
export function sensitivityIcon(level) {
  const filled = BARS[level] ?? BARS.high;
  const bars = [
    [2.5, 11.5, 5.5],
    [8, 7.75, 9.25],
    [13.5, 4, 13],
  ].map(([x, y, height], index) =>
    svg("rect", { class: index < filled ? "bar" : "bar off", x, y, width: 4, height, rx: 1.2 }),
  );
  return frame("i", ...bars);
}

/** The product's sign. */
export function logo() {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("rect", { width: 24, height: 24, rx: 7, class: "logo-ground" }),
    svg("path", { class: "logo-line", d: "M5.9 17.6 11.2 6.5a.9.9 0 0 1 1.6 0L18.1 17.6" }),
    svg("path", { class: "logo-line", d: "M9.3 13.7l2.1 2 3.3-3.7" }),
  );
}

function spinner(classes) {
  return frame(
    `i spin ${classes}`,
    svg("circle", { class: "off", cx: 10, cy: 10, r: 6.8 }),
    svg("path", { d: "M10 3.2a6.8 6.8 0 0 1 6.8 6.8" }),
  );
}

function frame(classes, ...shapes) {
  return svg(
    "svg",
    { class: classes.trim(), viewBox: "0 0 20 20", "aria-hidden": "true" },
    ...shapes,
  );
}

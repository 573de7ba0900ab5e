// The mark of an agent. It is drawn from the agent's id, so that no agent can choose or imitate one.

import { svg } from "../dom.js";

const COLORS = "abcdef";
const TILES = [
  (x, y) => `M${x} ${y}h10a10 10 0 0 1-10 10z`,
  (x, y) => `M${x + 10} ${y}v10a10 10 0 0 1-10-10z`,
  (x, y) => `M${x + 10} ${y + 10}h-10a10 10 0 0 1 10-10z`,
  (x, y) => `M${x} ${y + 10}v-10a10 10 0 0 1 10 10z`,
  (x, y) => `M${x + 5} ${y + 1.2}a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 0 1 0-7.6z`,
];
const CORNERS = [
  [0, 0],
  [10, 0],
  [0, 10],
  [10, 10],
];

/** @param {string} agentId @param {"" | "sm" | "lg"} [size] */
export function mark(agentId, size = "") {
  let bits = hash(agentId);
  const color = COLORS[bits % COLORS.length];
  bits = Math.floor(bits / COLORS.length);
  let path = "";
  for (const [x, y] of CORNERS) {
    path += TILES[bits % TILES.length](x, y);
    bits = Math.floor(bits / TILES.length);
  }
  const classes = `mark mk-${color} ${size === "" ? "" : `mark-${size}`}`.trim();
  return svg(
    "svg",
    { class: classes, viewBox: "0 0 20 20", "aria-hidden": "true" },
    svg("path", { fill: "currentColor", d: path }),
  );
}

/** FNV-1a with a final mix: ids of the same minute differ in few characters. */
function hash(text) {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

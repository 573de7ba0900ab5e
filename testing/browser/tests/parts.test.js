// Parts without a page: the QR code, the stream of events, the addresses of agents.

import assert from "node:assert/strict";
import { test } from "node:test";

import jsqr from "jsqr";

import { EventParser } from "../../../crates/console/pages/js/events.js";
import { modules } from "../../../crates/console/pages/js/ui/qr.js";

/** Draws a code as a scanner would see it. */
function picture(dark, scale = 4, margin = 4) {
  const size = (dark.length + 2 * margin) * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  dark.forEach((row, y) =>
    row.forEach((isDark, x) => {
      if (!isDark) return;
      for (let dy = 0; dy < scale; dy += 1) {
        for (let dx = 0; dx < scale; dx += 1) {
          const at = (((y + margin) * scale + dy) * size + (x + margin) * scale + dx) * 4;
          pixels.fill(0, at, at + 3);
        }
      }
    }),
  );
  return [pixels, size, size];
}

test("a scanner reads the safety number from its code", () => {
  for (const digits of [
    "0".repeat(60),
    "9".repeat(60),
    "418620937577120588341609792241305668471965203119487308529617",
  ]) {
    const text = `assent-safety:1:${digits}`;
    assert.equal(jsqr(...picture(modules(text)))?.data, text);
  }
});

test("a text that does not fit into the code is an error", () => {
  assert.equal(modules("x".repeat(106)).length, 37);
  assert.throws(() => modules("x".repeat(107)));
});

test("events are complete however the stream is cut", () => {
  const stream =
    'id: 7\nevent: prompt.opened\ndata: {"a":1}\n\n: comment\n\nid: 8\r\nevent: message\r\ndata: {"b":\r\ndata: 2}\r\n\r\n';
  const expected = [
    { id: "7", type: "prompt.opened", data: '{"a":1}' },
    { id: "8", type: "message", data: '{"b":\n2}' },
  ];
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const parser = new EventParser();
    const events = [...parser.push(stream.slice(0, cut)), ...parser.push(stream.slice(cut))];
    assert.deepEqual(events, expected, `cut at ${cut}`);
  }
});

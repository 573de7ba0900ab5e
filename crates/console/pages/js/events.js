// What happens on the device, as it happens. The stream is read with `fetch`, so that it can carry the session.

import { authorization, refuseSession } from "./api.js";

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5000;

/** Splits a stream of server-sent events. Feed it text; it returns the events that are complete. */
export class EventParser {
  #rest = "";

  /** @returns {{id: string | null, type: string, data: string}[]} */
  push(text) {
    const blocks = (this.#rest + text).replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = blocks.pop();
    return blocks.map(parseBlock).filter((event) => event !== null);
  }
}

function parseBlock(block) {
  const event = { id: null, type: "message", data: "" };
  const data = [];
  for (const line of block.split("\n")) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
    if (name === "id") event.id = value;
    if (name === "event") event.type = value;
    if (name === "data") data.push(value);
  }
  event.data = data.join("\n");
  return data.length === 0 ? null : event;
}

/**
 * Follows the events until the signal aborts. After a break it continues where it was.
 * @param {{onEvent: (type: string, data: any) => void, onState: (isOpen: boolean) => void, signal: AbortSignal}} options
 */
export async function follow({ onEvent, onState, signal }) {
  const place = { lastId: null };
  let retry = FIRST_RETRY_MS;
  while (!signal.aborted) {
    try {
      await readStream(place, signal, onEvent, () => {
        retry = FIRST_RETRY_MS;
        onState(true);
      });
    } catch (error) {
      if (signal.aborted || error instanceof SessionRefused) return;
    }
    onState(false);
    await pause(retry, signal);
    retry = Math.min(retry * 2, MAX_RETRY_MS);
  }
}

class SessionRefused extends Error {}

async function readStream(place, signal, onEvent, onOpen) {
  const { session, headers } = authorization();
  if (place.lastId !== null) headers["last-event-id"] = place.lastId;
  const response = await fetch("/api/v1/events", { headers, signal });
  if (response.status === 401) {
    refuseSession(session);
    throw new SessionRefused();
  }
  if (!response.ok) throw new Error(`events: ${response.status}`);
  onOpen();
  const parser = new EventParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of parser.push(value)) {
      if (event.id !== null) place.lastId = event.id;
      onEvent(event.type, JSON.parse(event.data));
    }
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

// Requests to the device. Successes are `{data}`, failures `{error: {code, message, params}}`.

import { currentSession, dropSession } from "./session.js";

const BASE = "/api/v1";

/** What the device, or the way to it, did not accept. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 if the device did not answer
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** The device did not answer at all. */
  get isUnreachable() {
    return this.status === 0;
  }
}

/** Fires `lost` when the device does not know the session any more. */
export const sessionEvents = new EventTarget();

/** The headers of a request, and the session that they carry. */
export function authorization() {
  const session = currentSession();
  return { session, headers: session === null ? {} : { authorization: `Bearer ${session}` } };
}

/** Forgets a session that the device refused. */
export function refuseSession(session) {
  if (session !== null) dropSession(session);
  sessionEvents.dispatchEvent(new Event("lost"));
}

/** @param {string} path @param {AbortSignal} [signal] */
export const get = (path, signal) => send("GET", path, undefined, signal);
export const post = (path, body = {}) => send("POST", path, body);
export const put = (path, body) => send("PUT", path, body);
export const patch = (path, body) => send("PATCH", path, body);
export const remove = (path) => send("DELETE", path, {});

/**
 * A part of a long list, and where the next part begins.
 * @returns {Promise<{items: any[], next: string | null}>}
 */
export async function getPart(path, cursor, signal) {
  const separator = path.includes("?") ? "&" : "?";
  const from = cursor === null ? "" : `${separator}cursor=${encodeURIComponent(cursor)}`;
  const body = await exchange("GET", path + from, undefined, signal);
  return { items: body.data, next: body.next_cursor ?? null };
}

async function send(method, path, body, signal) {
  const answer = await exchange(method, path, body, signal);
  return answer.data;
}

async function exchange(method, path, body, signal) {
  const { session, headers } = authorization();
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(BASE + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "UNREACHABLE", String(error.message));
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  // The token of a link can be wrong without any session being wrong.
  if (response.status === 401 && path !== "/session") refuseSession(session);
  const error = answer?.error;
  throw new ApiError(
    response.status,
    error?.code ?? `HTTP_${response.status}`,
    error?.message ?? response.statusText,
  );
}

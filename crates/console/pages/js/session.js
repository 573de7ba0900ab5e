// The session of this browser. A link from the terminal carries a token that opens one session.

const KEY = "assent.session";

/** The session, or `null`. It is read every time: another tab may have opened a newer one. */
export function currentSession() {
  return localStorage.getItem(KEY);
}

export function keepSession(session) {
  localStorage.setItem(KEY, session);
}

/** Ends a session that the device does not know, unless another tab has opened one since. */
export function dropSession(session) {
  if (currentSession() === session) localStorage.removeItem(KEY);
}

/**
 * Takes the token out of the address. It is removed at once: it must not stay in the history.
 * @returns {string | null}
 */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) history.replaceState(null, "", location.pathname + location.search);
  return token;
}

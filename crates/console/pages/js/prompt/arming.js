// The half second in which a prompt takes no answer, so that a click meant for something else decides nothing.

export const INERT_MS = 500;

/**
 * Starts inert, and again whenever the prompt could have appeared under the hand of the person.
 * @param {{notBefore: number, onChange: () => void, signal: AbortSignal}} options
 *   `notBefore` is the time from which the device takes a yes.
 */
export function armSlowly({ notBefore, onChange, signal }) {
  let armed = false;
  let timer = 0;

  /** The buttons show the new state at the next `onChange`, which follows at once unless this is the start. */
  function restart(from = 0, isStart = false) {
    if (signal.aborted) return;
    clearTimeout(timer);
    const wait = Math.max(INERT_MS, from - Date.now());
    armed = false;
    timer = setTimeout(() => {
      // A page in the background does not get ready to be clicked.
      if (document.visibilityState !== "visible") return;
      armed = true;
      onChange();
    }, wait);
    if (!isStart) onChange();
  }

  const again = () => restart();
  window.addEventListener("focus", again, { signal });
  window.addEventListener("resize", again, { signal });
  document.addEventListener("visibilitychange", again, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  restart(notBefore, true);
  return { isArmed: () => armed, restart };
}

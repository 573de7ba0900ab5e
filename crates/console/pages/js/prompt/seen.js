// Which rows have been on screen. Nothing can be allowed that was not shown.

/** Rounding of the browser must not keep a row unseen. */
const TOLERANCE_PX = 2;

/**
 * Watches rows until all were seen. A row was seen when its beginning and its end have been on screen.
 * @param {{rows: HTMLElement[], bar: HTMLElement, onChange: () => void, signal: AbortSignal}} options
 *   `bar` covers the bottom of narrow screens.
 */
export function watchRows({ rows, bar, onChange, signal }) {
  /** @type {Map<HTMLElement, {begin: boolean, end: boolean}>} */
  const unseen = new Map(rows.map((row) => [row, { begin: false, end: false }]));

  function look() {
    if (document.visibilityState !== "visible") return;
    const before = unseen.size;
    const bottom = window.innerHeight - bar.getBoundingClientRect().height + TOLERANCE_PX;
    for (const [row, part] of unseen) {
      const box = row.getBoundingClientRect();
      if (box.height === 0) continue;
      part.begin ||= box.top >= -TOLERANCE_PX && box.top < bottom;
      part.end ||= box.bottom > 0 && box.bottom <= bottom;
      if (part.begin && part.end) unseen.delete(row);
    }
    if (unseen.size !== before) onChange();
  }

  // Scrolling does not bubble, but every scrolling element can be heard on the way down.
  document.addEventListener("scroll", look, { capture: true, passive: true, signal });
  window.addEventListener("resize", look, { signal });
  document.addEventListener("visibilitychange", look, { signal });
  const sizes = new ResizeObserver(look);
  for (const row of rows) sizes.observe(row);
  signal.addEventListener("abort", () => sizes.disconnect(), { once: true });

  return {
    /** How many rows were not on screen yet. */
    remaining: () => unseen.size,
    /** A reader of the page by keyboard or by ear has reached the end of the list. */
    markAll() {
      unseen.clear();
      onChange();
    },
  };
}

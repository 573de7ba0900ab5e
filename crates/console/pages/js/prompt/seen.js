// Which rows have been on screen. Nothing can be allowed that was not shown.

/** A row counts when nearly all of it was visible, or when it filled most of the screen. */
const MOST_OF_ROW = 0.95;
const MOST_OF_SCREEN = 0.75;

/**
 * Watches rows until all were seen.
 * @param {HTMLElement[]} rows
 * @param {() => void} onChange
 */
export function watchRows(rows, onChange) {
  const unseen = new Set(rows);
  const observer = new IntersectionObserver(note, {
    threshold: [0, 0.25, 0.5, 0.75, MOST_OF_ROW, 1],
  });
  for (const row of rows) observer.observe(row);

  function note(entries) {
    if (document.visibilityState !== "visible") return;
    const before = unseen.size;
    for (const entry of entries) {
      if (!isShown(entry)) continue;
      unseen.delete(entry.target);
      observer.unobserve(entry.target);
    }
    if (unseen.size !== before) onChange();
  }

  return {
    /** How many rows were not on screen yet. */
    remaining: () => unseen.size,
    /** A reader of the page by keyboard or by ear has reached the end of the list. */
    markAll() {
      unseen.clear();
      onChange();
    },
    /** Looks again, after the page was hidden. */
    recheck() {
      for (const row of unseen) {
        observer.unobserve(row);
        observer.observe(row);
      }
    },
    stop: () => observer.disconnect(),
  };
}

function isShown(entry) {
  if (!entry.isIntersecting) return false;
  const screen = entry.rootBounds?.height ?? window.innerHeight;
  return (
    entry.intersectionRatio >= MOST_OF_ROW ||
    entry.intersectionRect.height >= screen * MOST_OF_SCREEN
  );
}

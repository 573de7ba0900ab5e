// Says something to screen readers.

function say(id, text) {
  const region = document.getElementById(id);
  // The same text twice would not be announced: an empty region between makes it new.
  region.textContent = "";
  setTimeout(() => (region.textContent = text), 50);
}

/** Waits for a pause of the speech. */
export const announce = (text) => say("status", text);

/** Interrupts the speech. */
export const alert = (text) => say("alert", text);

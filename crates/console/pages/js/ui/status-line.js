// A line in which a page says what an action did, or why it did not work.

import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { note } from "./parts.js";

export function statusLine() {
  const element = h("div", { class: "status-line", role: "status", tabindex: "-1" });
  return {
    element,
    say: (text) => replace(element, note("ok", "check", text)),
    /** @param {import("../api.js").ApiError} error */
    fail(error) {
      const text = error.isUnreachable ? t("error.unreachable.text") : error.message;
      replace(
        element,
        note("stop", "alert", text, " ", h("code", { class: "faint xs" }, error.code)),
      );
    },
    clear: () => element.replaceChildren(),
    focus: () => element.focus(),
  };
}

/**
 * Runs an action of a button: the button is off meanwhile, errors go to the line.
 * @returns {Promise<boolean>} whether it worked
 */
export async function run(button, line, action) {
  if (button.getAttribute("aria-disabled") === "true") return false;
  button.setAttribute("aria-disabled", "true");
  line.clear();
  try {
    await action();
    return true;
  } catch (error) {
    if (error.code === undefined) throw error;
    line.fail(error);
    return false;
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

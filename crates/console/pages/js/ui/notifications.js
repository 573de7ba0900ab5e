// Notifications that agents send to this device: plain text, quoted.

import { h, hidden } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { onDeviceEvent } from "../store.js";
import { visible } from "../text/visible.js";

/** Older ones give way. */
const SHOWN = 3;
const SHOWN_MS = 12_000;

/** Shows notifications on every page. */
export function showNotifications(signal) {
  const list = document.getElementById("notifications");
  list.setAttribute("aria-label", t("notifications"));
  onDeviceEvent(
    ["notification"],
    ({ type, data }) => {
      if (type !== "notification") return;
      list.append(card(data));
      while (list.children.length > SHOWN) list.firstElementChild.remove();
    },
    signal,
  );
}

/** The device has put the name of the agent before the title. */
function card({ title, body }) {
  const close = h(
    "button",
    { class: "btn btn-icon", type: "button", on: { click: () => element.remove() } },
    icon("x"),
    hidden(t("close")),
  );
  const element = h(
    "div",
    { class: "said notification" },
    h("p", { class: "who" }, icon("bell"), t("said.notification")),
    h("p", null, h("b", null, ...visible(title))),
    body ? h("p", null, ...visible(body)) : null,
    close,
  );
  setTimeout(() => element.remove(), SHOWN_MS);
  return element;
}

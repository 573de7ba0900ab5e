// All keys, in a dialog.

import { h } from "../dom.js";
import { t } from "../i18n.js";

const KEYS = [
  ["G I", "help.inbox"],
  ["G A", "help.agents"],
  ["G C", "help.conversations"],
  ["G V", "help.activity"],
  ["G K", "help.devices"],
  ["/", "help.search"],
  ["J K", "help.list"],
  ["D", "help.deny"],
  ["Y", "help.allow"],
  ["T", "help.hold"],
  ["S", "help.show"],
  ["Esc", "help.leave"],
];

export function openHelp() {
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "card help", "aria-labelledby": "help-title", on: { close: () => dialog.remove() } },
    h("h2", { id: "help-title" }, t("help.title")),
    h(
      "dl",
      { class: "facts" },
      KEYS.map(([keys, text]) => [
        h(
          "dt",
          null,
          keys.split(" ").map((key) => h("kbd", null, key)),
        ),
        h("dd", null, t(text)),
      ]),
    ),
    h("p", { class: "hint" }, t("help.off")),
    h("p", null, h("button", { class: "btn", type: "button", on: { click: close } }, t("close"))),
  );
  document.body.append(dialog);
  dialog.showModal();
}

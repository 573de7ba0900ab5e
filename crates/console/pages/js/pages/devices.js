// The devices of the account, and the keys of the agents.

import { get } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { longDate, t } from "../i18n.js";
import { visible } from "../text/visible.js";
import { mark } from "../ui/mark.js";
import { digest, sectionHead, stateOf, verification } from "../ui/parts.js";

export async function render({ signal }) {
  const [devices, keys] = await Promise.all([get("/devices", signal), get("/keys", signal)]);
  return {
    title: t("nav.devices"),
    content: [
      h(
        "div",
        { class: "page-head" },
        h("div", null, h("h1", null, t("nav.devices")), h("p", null, t("devices.text"))),
      ),
      h("div", { class: "stack stack-8" }, deviceSection(devices), keySection(keys)),
    ],
  };
}

function deviceSection(devices) {
  return h(
    "section",
    { "aria-labelledby": "dv" },
    sectionHead("dv", t("devices.yours")),
    h("ul", { class: "card rows devices" }, devices.map(deviceRow)),
    h("p", { class: "hint mt-2" }, t("devices.one")),
  );
}

function deviceRow(device) {
  return h(
    "li",
    null,
    icon("laptop", "i-lg"),
    h(
      "div",
      { class: "grow" },
      h(
        "p",
        null,
        h("b", null, ...visible(device.name)),
        " ",
        device.is_this ? h("span", { class: "tag tag-jade" }, t("devices.this")) : null,
      ),
      h(
        "p",
        { class: "small muted" },
        device.created_at ? [t("devices.since", { date: longDate(device.created_at) }), " "] : null,
        h("code", { class: "break" }, device.device_id),
        device.public_key ? [" ", digest(device.public_key)] : null,
      ),
    ),
  );
}

function keySection(keys) {
  const compared = keys.filter((key) => key.agent.verified).length;
  return h(
    "section",
    { "aria-labelledby": "sg" },
    sectionHead(
      "sg",
      t("devices.numbers"),
      h("p", null, t("devices.compared", { compared, all: keys.length })),
    ),
    keys.length === 0
      ? h("p", { class: "card pad muted" }, t("agents.empty"))
      : h("ul", { class: "card rows rows-tight" }, keys.map(keyRow)),
  );
}

function keyRow(key) {
  const { agent } = key;
  return h(
    "li",
    { class: "row" },
    mark(agent.agent_id, "sm"),
    h("span", { class: "grow" }, ...visible(agent.name)),
    key.changed ? stateOf("cinnabar", "key", t("agent.key-changed")) : verification(agent.verified),
    h(
      "a",
      {
        class: "btn btn-sm",
        href: `/keys/${agent.agent_id}`,
        "aria-label": t("devices.compare.label", { agent: agent.name }),
      },
      t("devices.compare"),
    ),
  );
}

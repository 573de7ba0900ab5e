// The frame of the pages: navigation, state of the connection, and what concerns every page.

import { h, hidden, replace } from "./dom.js";
import { icon, logo } from "./icons.js";
import { t } from "./i18n.js";
import { store } from "./store.js";
import { visible } from "./text/visible.js";
import { note, stateOf } from "./ui/parts.js";

const LINKS = [
  ["/", "inbox", "nav.inbox", null],
  ["/agents", "agent", "nav.agents", null],
  ["/conversations", "chat", "nav.conversations", "nav.conversations.short"],
  ["/activity", "activity", "nav.activity", null],
  ["/devices", "key", "nav.devices", "nav.devices.short"],
  ["/settings", "gear", "nav.settings", null],
];

/** The link of the navigation that a page belongs to. */
const SECTION = {
  "/": "/",
  "/reviews/:id": "/",
  "/add": "/agents",
  "/agents": "/agents",
  "/agents/:id": "/agents",
  "/conversations": "/conversations",
  "/conversations/:id": "/conversations",
  "/activity": "/activity",
  "/activity/:id": "/activity",
  "/audit": "/activity",
  "/devices": "/devices",
  "/keys/:id": "/devices",
  "/settings": "/settings",
};

/**
 * @typedef {{title: string, content: any, classes?: string, isPlain?: boolean, focus?: () => HTMLElement | null}} Page
 *   `isPlain` is a page without navigation.
 */

class Shell {
  #app = document.getElementById("app");
  #frame = null;

  constructor() {
    for (const type of ["state", "prompts", "live"])
      store.addEventListener(type, () => this.#frame?.update());
  }

  /** @param {Page} page @param {string} [path] */
  show(page, path) {
    const main = h(
      "main",
      {
        class: page.isPlain ? (page.classes ?? "") : `page ${page.classes ?? ""}`,
        id: "main",
        tabindex: "-1",
      },
      page.content,
    );
    this.#frame = page.isPlain ? plainFrame(main) : navigationFrame(main, SECTION[path]);
    document.body.classList.toggle("slip-page", page.isPlain === true);
    replace(this.#app, skipLink(), this.#frame.element);
    this.#frame.update();
    focusPage(page, main);
  }
}

export const shell = new Shell();

function skipLink() {
  const skip = (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  };
  return h("a", { class: "skip", href: "#main", on: { click: skip } }, t("skip"));
}

function focusPage(page, main) {
  // A prompt over the page keeps the focus.
  if (document.getElementById("app").inert) return;
  const target = page.focus?.() ?? main.querySelector("h1");
  if (target?.tagName === "H1") target.setAttribute("tabindex", "-1");
  target?.focus({ preventScroll: true });
  if (page.focus === undefined) window.scrollTo(0, 0);
}

const brand = () => h("a", { class: "brand", href: "/" }, logo(), "Assent");

function plainFrame(main) {
  const device = h("p", { class: "end row" });
  const notices = noticeList();
  return {
    element: [h("header", { class: "plainbar" }, brand(), device), notices, main],
    update() {
      const name = store.state?.device?.name;
      replace(
        device,
        name ? [icon("laptop"), h("span", null, ...visible(name))] : null,
        h("span", { class: "hide-phone row" }, icon("lock"), t("shell.sealed")),
      );
      replace(notices, noticeNodes());
    },
  };
}

function navigationFrame(main, section) {
  const badge = h("span", { class: "badge" });
  const foot = h("div", { class: "rail-foot" });
  const notices = noticeList();
  const links = LINKS.map(([href, iconName, key, short]) =>
    h(
      "a",
      {
        href,
        "aria-current": href === section ? "page" : null,
        class: href === "/settings" ? "nav-last" : null,
      },
      icon(iconName),
      short === null
        ? t(key)
        : [
            h("span", { class: "hide-phone" }, t(key)),
            h("span", { class: "only-phone" }, t(short)),
          ],
      href === "/" ? badge : null,
    ),
  );
  const rail = h(
    "header",
    { class: "rail" },
    brand(),
    h("nav", { class: "nav", "aria-label": t("nav.main") }, links),
    foot,
  );
  return {
    element: h("div", { class: "shell" }, rail, h("div", { class: "body" }, notices, main)),
    update() {
      const waiting =
        store.prompts.length +
        (store.state?.counts?.reviews ?? 0) +
        (store.state?.counts?.keys ?? 0);
      badge.hidden = waiting === 0;
      replace(
        badge,
        h("span", { "aria-hidden": "true" }, String(waiting)),
        hidden(t("nav.waiting", { count: waiting })),
      );
      replace(foot, footNodes());
      replace(notices, noticeNodes());
    },
  };
}

function footNodes() {
  const { state } = store;
  return [
    state?.device?.name ? h("b", null, ...visible(state.device.name)) : null,
    connection(),
    h("span", { class: "wide" }, t("shell.relay-blind")),
  ];
}

/** The state of the connection: of this page to the device, then of the device to the relay. */
export function connection() {
  if (!store.isLive) return stateOf("ochre", "refresh", t("connection.page"));
  return store.state?.relay?.connected
    ? stateOf("jade", "dot", t("connection.open"))
    : stateOf("ochre", "refresh", t("connection.again"));
}

const noticeList = () => h("section", { class: "notices", "aria-label": t("notices") });

/** What concerns every page. */
function noticeNodes() {
  const { state } = store;
  const notices = [];
  if (state?.unattended)
    notices.push(
      note(
        "warn",
        "moon",
        h("b", null, t("notice.unattended.title")),
        " ",
        t("notice.unattended.text"),
      ),
    );
  if (store.isSignedIn && store.isLive && !state.relay?.connected) {
    notices.push(
      note("warn", "refresh", h("b", null, t("notice.relay.title")), " ", t("notice.relay.text")),
    );
  }
  const keys = state?.counts?.keys ?? 0;
  if (keys > 0) {
    const link = h("a", { href: "/devices" }, t("notice.keys.link"));
    notices.push(
      note(
        "stop",
        "key",
        h("b", null, t("notice.keys.title", { count: keys })),
        " ",
        t("notice.keys.text"),
        " ",
        link,
      ),
    );
  }
  return notices;
}

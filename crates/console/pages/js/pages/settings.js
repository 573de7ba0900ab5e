// Settings of this device and of this browser.

import { get, patch, post, put } from "../api.js";
import { h, replace, uniqueId } from "../dom.js";
import { icon } from "../icons.js";
import { language, t } from "../i18n.js";
import { setShortcuts, shortcutsAreOn } from "../keyboard.js";
import { navigate } from "../router.js";
import { store } from "../store.js";
import { visible } from "../text/visible.js";
import { setTheme, theme } from "../theme.js";
import { run, statusLine } from "../ui/status-line.js";
import { scopeName } from "../words.js";

const KNOWN_SCOPES = [
  "location:read",
  "filesystem:read",
  "network:http",
  "clipboard:read",
  "notification:send",
];
const LEVELS = ["low", "medium", "high"];

export async function render({ signal }) {
  const [settings, roots] = await Promise.all([get("/settings", signal), get("/roots", signal)]);
  const line = statusLine();
  const page = { settings, roots: rootsOf(roots), line };
  return {
    title: t("nav.settings"),
    content: [
      h(
        "div",
        { class: "page-head" },
        h("div", null, h("h1", null, t("nav.settings")), h("p", null, t("settings.text"))),
      ),
      h(
        "div",
        { class: "stack stack-6 narrow" },
        line.element,
        look(page),
        folders(page),
        place(page),
        sensitivities(page),
        origins(page),
        keys(),
        account(page),
      ),
    ],
  };
}

const rootsOf = (answer) => (Array.isArray(answer) ? answer : answer.roots);

function section(key, ...content) {
  const id = uniqueId("section");
  return h(
    "section",
    { class: "card", "aria-labelledby": id },
    h("header", null, h("h2", { id }, t(key)), h("p", { class: "muted small" }, t(`${key}.text`))),
    h("div", { class: "pad stack stack-3" }, content),
  );
}

function choice(key, options, value, onChange) {
  const id = uniqueId("select");
  const select = h(
    "select",
    { class: "select", id },
    options.map(([option, text]) =>
      h("option", { value: option, selected: option === value }, text),
    ),
  );
  select.addEventListener("change", () => onChange(select.value, select));
  return h(
    "p",
    { class: "row row-wrap between" },
    h("label", { for: id }, typeof key === "string" ? t(key) : key),
    select,
  );
}

/** Changes settings and says so. */
async function save(page, control, change) {
  const done = await run(control, page.line, async () => {
    page.settings = await patch("/settings", change);
  });
  if (done) page.line.say(t("settings.saved"));
  return done;
}

function look(page) {
  const languages = [
    ["en", "English"],
    ["zh", "中文"],
  ];
  const themes = ["system", "light", "dark"].map((value) => [value, t(`settings.theme.${value}`)]);
  return section(
    "settings.look",
    choice(
      "settings.language",
      languages,
      page.settings.lang ?? language(),
      async (lang, select) => {
        if (await save(page, select, { lang })) await store.loadState();
      },
    ),
    choice("settings.theme", themes, theme(), setTheme),
  );
}

function folders(page) {
  const list = h("ul", { class: "stack stack-2" });
  const field = h("input", {
    class: "input mono grow w-auto",
    id: uniqueId("folder"),
    placeholder: "/home/…",
    autocomplete: "off",
    spellcheck: "false",
  });
  const add = h(
    "button",
    { class: "btn", type: "submit" },
    icon("plus"),
    t("settings.folders.add"),
  );

  async function change(control, roots, message) {
    const done = await run(control, page.line, async () => {
      page.roots = rootsOf(await put("/roots", { roots }));
    });
    if (!done) return page.line.focus();
    page.line.say(message);
    paint();
  }

  function paint() {
    const rows = page.roots.map((root) => {
      const gone = h(
        "button",
        { type: "button", "aria-label": t("settings.folders.remove", { folder: root }) },
        icon("x"),
      );
      gone.addEventListener("click", () =>
        change(
          gone,
          page.roots.filter((other) => other !== root),
          t("settings.folders.removed"),
        ),
      );
      return h(
        "li",
        null,
        h("span", { class: "folder" }, icon("folder"), h("span", null, ...visible(root)), gone),
      );
    });
    replace(
      list,
      rows.length > 0 ? rows : h("li", { class: "muted small" }, t("settings.folders.none")),
    );
  }

  const form = h(
    "form",
    { class: "stack stack-2" },
    h("label", { for: field.id }, t("settings.folders.path")),
    h("div", { class: "row row-wrap" }, field, add),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const folder = field.value.trim();
    if (folder === "") return field.focus();
    await change(add, [...page.roots, folder], t("settings.folders.added"));
    if (page.roots.includes(folder)) field.value = "";
  });
  paint();
  return section("settings.folders", list, form);
}

function place(page) {
  const { location } = page.settings;
  const number = (key, value, step) => {
    const id = uniqueId("place");
    const input = h("input", {
      class: "input w-8",
      id,
      type: "number",
      step,
      value: value ?? "",
      inputmode: "decimal",
    });
    return {
      input,
      element: h("div", { class: "stack stack-1" }, h("label", { for: id }, t(key)), input),
    };
  };
  const latitude = number("settings.place.latitude", location?.latitude, "any");
  const longitude = number("settings.place.longitude", location?.longitude, "any");
  const accuracy = number("settings.place.accuracy", location?.accuracy_m, "1");
  const store = h("button", { class: "btn", type: "submit" }, t("settings.save"));
  const clear = h("button", { class: "btn btn-text", type: "button" }, t("settings.place.clear"));
  const form = h(
    "form",
    { class: "stack stack-3" },
    h(
      "div",
      { class: "row row-wrap gap-4" },
      latitude.element,
      longitude.element,
      accuracy.element,
    ),
    h("p", { class: "row row-wrap" }, store, clear),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [lat, long, meters] = [latitude, longitude, accuracy].map(
      ({ input }) => input.valueAsNumber,
    );
    const isPlace = Math.abs(lat) <= 90 && Math.abs(long) <= 180 && meters >= 0;
    if (isPlace)
      save(page, store, { location: { latitude: lat, longitude: long, accuracy_m: meters } });
    else page.line.fail({ message: t("settings.place.wrong"), code: "" });
  });
  clear.addEventListener("click", async () => {
    if (!(await save(page, clear, { location: null }))) return;
    for (const { input } of [latitude, longitude, accuracy]) input.value = "";
  });
  return section("settings.place", form);
}

function sensitivities(page) {
  const levels = LEVELS.map((level) => [level, t(`sens.${level}`)]);
  const rows = KNOWN_SCOPES.map((scope) => {
    const value = page.settings.sensitivity?.[scope] ?? "";
    return choice(
      scopeName(scope) === scope ? scope : h("span", null, scopeName(scope)),
      [["", t("settings.sensitivity.preset")], ...levels],
      value,
      (level, select) =>
        save(page, select, {
          sensitivity: { [scope]: level === "" ? null : level },
        }),
    );
  });
  return section("settings.sensitivity", rows);
}

function origins(page) {
  const current = page.settings["fetch.allow_origins"] ?? [];
  const id = uniqueId("origins");
  const field = h("textarea", {
    class: "mono",
    id,
    rows: "3",
    spellcheck: "false",
    placeholder: "http://127.0.0.1:3000",
  });
  field.value = current.join("\n");
  const button = h("button", { class: "btn", type: "submit" }, t("settings.save"));
  const form = h(
    "form",
    { class: "stack stack-3" },
    h("div", null, h("label", { for: id }, t("settings.origins.field")), field),
    h("p", null, button),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const list = field.value.split(/\s+/).filter((origin) => origin !== "");
    save(page, button, { "fetch.allow_origins": list });
  });
  return section("settings.origins", form);
}

function keys() {
  const id = uniqueId("shortcuts");
  const box = h("input", { type: "checkbox", id });
  box.checked = shortcutsAreOn();
  box.addEventListener("change", () => setShortcuts(box.checked));
  return section(
    "settings.shortcuts",
    h("p", { class: "row" }, box, h("label", { for: id }, t("settings.shortcuts.on"))),
  );
}

function account(page) {
  const { account: signedIn, relay } = store.state;
  const leave = h("button", { class: "btn btn-stop", type: "button" }, t("settings.logout"));
  leave.addEventListener("click", async () => {
    const done = await run(leave, page.line, () => post("/account/logout"));
    if (!done) return page.line.focus();
    await store.load();
    navigate("/signin");
  });
  return section(
    "settings.account",
    h(
      "dl",
      { class: "facts" },
      h("dt", null, t("signin.email")),
      h("dd", null, signedIn?.email ?? ""),
      h("dt", null, t("signin.relay")),
      h("dd", null, h("code", { class: "break" }, relay?.url ?? "")),
    ),
    h("p", null, leave),
  );
}

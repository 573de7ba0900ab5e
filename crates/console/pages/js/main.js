// Opens the session, shows the page of the address and follows the device.

import { ApiError, post, sessionEvents } from "./api.js";
import { setLanguage, t } from "./i18n.js";
import { listenEverywhere } from "./keyboard.js";
import { overlay } from "./prompt/overlay.js";
import { match, navigate, startRouter } from "./router.js";
import { currentSession, keepSession, takeToken } from "./session.js";
import { shell } from "./shell.js";
import { store } from "./store.js";
import { applyTheme } from "./theme.js";
import { setTitle } from "./title.js";
import { openHelp } from "./ui/help.js";
import { showNotifications } from "./ui/notifications.js";
import { errorView, loadingView, messageView, noSessionView } from "./ui/views.js";

/** A page that loads longer than this shows a frame. */
const LOADING_MS = 300;
const RETRY_MS = 2000;

let pageAbort = new AbortController();
let following = null;
let shownAsSignedIn = false;

/** Shows the page of the current address. */
async function showPage() {
  pageAbort.abort();
  pageAbort = new AbortController();
  const { signal } = pageAbort;
  const route = match(location.pathname);
  if (!currentSession()) return showNoSession();
  const isSignIn = route?.path === "/signin";
  if (!store.isSignedIn && !isSignIn) return navigate("/signin", { replace: true });
  if (store.isSignedIn && isSignIn) return navigate("/", { replace: true });
  overlay.check();
  const loading = setTimeout(
    () => shell.show({ title: t("loading"), content: loadingView() }),
    LOADING_MS,
  );
  const page = await build(route, signal);
  clearTimeout(loading);
  if (signal.aborted) return;
  setTitle(page.title);
  shell.show(page, route?.path);
}

async function build(route, signal) {
  if (route === null) return messageView(t("not-found.title"), t("not-found.text"));
  const page = await route.load().catch(() => null);
  if (page === null) {
    // A browser does not load a part of the page again that was missing once.
    return errorView(new ApiError(0, "UNREACHABLE", ""), () => location.reload());
  }
  try {
    return await page.render({ id: route.id, query: new URLSearchParams(location.search), signal });
  } catch (error) {
    if (signal.aborted) return null;
    if (!(error instanceof ApiError)) console.error(error);
    return errorView(error, showPage);
  }
}

function showNoSession() {
  following?.abort();
  following = null;
  overlay.check();
  setTitle(t("no-session.title"));
  shell.show(noSessionView());
}

/** Loads the state; while the device does not answer, tries again. */
async function loadState() {
  for (;;) {
    try {
      await store.load();
      return true;
    } catch (error) {
      if (error.status === 401) return false;
      shell.show(errorView(error, () => location.reload()));
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function exchangeToken(token) {
  try {
    const { session } = await post("/session", { token });
    keepSession(session);
  } catch {
    // The link was used before or is too old: an open session still counts.
  }
}

async function start() {
  applyTheme();
  setLanguage(null);
  const token = takeToken();
  if (token !== null) await exchangeToken(token);
  sessionEvents.addEventListener("lost", showNoSession);
  if (!currentSession()) return showNoSession();
  following = new AbortController();
  await store.follow(following.signal);
  if (!currentSession() || !(await loadState())) return showNoSession();
  setLanguage(store.state.lang);
  startRouter(showPage);
  // A link from the terminal, opened in a tab that is already here.
  window.addEventListener(
    "hashchange",
    () => location.hash.includes("token=") && location.reload(),
  );
  showNotifications(following.signal);
  listenEverywhere({ openHelp, recallPrompts: () => overlay.recall() });
  shownAsSignedIn = store.isSignedIn;
  store.addEventListener("state", onState);
  await showPage();
  overlay.start({ isAllowed: showsOverlay, onAside: () => navigate("/") });
}

/** The prompt page shows prompts itself, and without an account there are none. */
function showsOverlay() {
  const path = match(location.pathname)?.path;
  return currentSession() !== null && path !== "/prompts/:id" && path !== "/signin";
}

/** Another language or account needs other pages. */
function onState() {
  const before = [document.documentElement.lang, shownAsSignedIn].join();
  setLanguage(store.state.lang);
  shownAsSignedIn = store.isSignedIn;
  if ([document.documentElement.lang, shownAsSignedIn].join() !== before) showPage();
}

start();

// Texts in the language of the person. Every text has a key; sentences are never joined from parts.

import en from "../i18n/en.js";
import zh from "../i18n/zh.js";

const LANGUAGES = { en: { texts: en, tag: "en" }, zh: { texts: zh, tag: "zh-Hans" } };

let current = LANGUAGES.en;

/** Chooses the language: that of the device, else that of the browser. */
export function setLanguage(language) {
  const wanted = language ?? navigator.language;
  current = wanted?.toLowerCase().startsWith("zh") ? LANGUAGES.zh : LANGUAGES.en;
  document.documentElement.lang = current.tag;
}

/** The language as the device names it. */
export const language = () => (current === LANGUAGES.zh ? "zh" : "en");

/** Returns `true` if there is such a text. */
export const hasText = (key) => key in current.texts;

/**
 * A text with its placeholders filled in. `count` chooses the plural form.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return form(key, values).replace(/\{(\w+)\}/g, (_, name) => text(values[name]));
}

/**
 * The same as a list of nodes, for texts whose values are elements.
 * @param {string} key
 * @param {Record<string, Node | string | number>} values
 * @returns {(Node | string)[]}
 */
export function tn(key, values) {
  return form(key, values)
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return part;
      const value = values[name];
      return value instanceof Node ? value : text(value);
    });
}

function form(key, values) {
  const entry = current.texts[key];
  if (typeof entry === "string") return entry;
  if (entry === undefined) throw new Error(`no text: ${key}`);
  const plural = new Intl.PluralRules(current.tag).select(values.count);
  return entry[plural] ?? entry.other;
}

function text(value) {
  return typeof value === "number" ? number(value) : String(value);
}

export const number = (value) => new Intl.NumberFormat(current.tag).format(value);

/** A list in words: "a, b and c". */
export const list = (items) => new Intl.ListFormat(current.tag).format(items);

const format = (date, options) => new Intl.DateTimeFormat(current.tag, options).format(date);

/** The time of day: 10:24. */
export const clockTime = (value) =>
  format(new Date(value), { hour: "2-digit", minute: "2-digit", hour12: false });

/** A time of today as 10:24, yesterday's with a word, others with their date. */
export function shortTime(value) {
  const date = new Date(value);
  const clock = clockTime(date);
  const days = daysAgo(date);
  if (days === 0) return clock;
  if (days === 1) return t("time.yesterday", { clock });
  if (days === -1) return t("time.tomorrow", { clock });
  return t("time.on", { date: longDate(date), clock });
}

/** A date without a time: 18 November, with the year if it is another one. */
export function longDate(value) {
  const date = new Date(value);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return format(date, { day: "numeric", month: "long", year });
}

/** A date and a time to the second. */
export function exactTime(value) {
  const options = {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  };
  return format(new Date(value), { ...options, hour12: false });
}

/** Today, yesterday or the date: the headings of lists. */
export function dayName(value) {
  const days = daysAgo(new Date(value));
  if (days === 0) return t("time.today");
  return days === 1 ? t("time.day-before") : longDate(value);
}

/** A duration in words, in its largest unit. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 1)
    return t("time.ms", { n: Number(milliseconds.toFixed(milliseconds < 10 ? 1 : 0)) });
  if (seconds < 120) return t("time.s", { n: Number(seconds.toFixed(seconds < 10 ? 1 : 0)) });
  if (seconds < 7200) return t("time.min", { count: Math.round(seconds / 60) });
  if (seconds < 172800) return t("time.h", { count: Math.round(seconds / 3600) });
  return t("time.d", { count: Math.round(seconds / 86400) });
}

function daysAgo(date) {
  const midnight = (day) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
  return Math.round((midnight(new Date()) - midnight(date)) / 86_400_000);
}

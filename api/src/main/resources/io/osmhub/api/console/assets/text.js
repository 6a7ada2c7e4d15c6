/** Texts, numbers and times for display. Everything of a cluster that a page shows passes through {@link show} or {@link flat}. */
import { html } from "./lit-html/lit-html.js";

/** Longest displayed name: that of a Kubernetes object. */
export const NAME = 253;
/** Longest displayed message: that of the API's contract. */
const MESSAGE = 1_024;
/** Longest displayed line of a document. */
export const LINE = 4_096;

/* ------------------------------------------------------------ untrusted text */

const PLAIN = /^[\x20-\x7e]*$/;
/* Controls, formats, private use, unassigned, separators other than a space, and invisible letters and marks. */
const ACTS = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]|(?! )\p{Zs}/u;
const COMBINING = /[\p{Mn}\p{Me}]/u;
const MOST_COMBINING = 3;
const WORDS = /[\p{L}\p{M}\p{Nd}_]+/gu;
/* Full width and mathematical alphabets. */
const STYLED = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u;
const LATIN = /\p{sc=Latin}/u;
/* Scripts that are not mistaken for Latin and commonly appear beside it in names. */
const UNLIKE_LATIN = /[\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;

const isLatin = (point) => LATIN.test(point) && /\p{L}/u.test(point) && !STYLED.test(point);
const passesForLatin = (point) => (/\p{L}/u.test(point) && !UNLIKE_LATIN.test(point)) || (LETTER_OR_DIGIT.test(point) && STYLED.test(point));
const codePoint = (point) => `U+${point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * The runs of a text. Characters that act on the page or a terminal, piles of combining marks, and lookalikes inside a Latin word
 * are marked, as their code points. Words wholly in another script are unmarked.
 *
 * @param {string} text
 * @param {number} most UTF-16 units; a longer text ends with the number of omitted characters
 * @returns {{text: string, marked: boolean}[]}
 */
export function pieces(text, most = MESSAGE) {
  let shown = text;
  if (text.length > most) {
    shown = text.slice(0, most);
    if (/[\ud800-\udbff]$/.test(shown)) shown = shown.slice(0, -1);
  }
  const all = [];
  if (PLAIN.test(shown)) {
    if (shown !== "") all.push({ text: shown, marked: false });
  } else {
    const foreign = lookalikes(shown);
    let plain = "";
    let combining = 0;
    let at = 0;
    const flush = () => { if (plain !== "") all.push({ text: plain, marked: false }); plain = ""; };
    for (const point of shown) {
      combining = COMBINING.test(point) ? combining + 1 : 0;
      if (point === "\n" && most !== NAME) {
        flush();
        all.push({ text: "\n", marked: false });
      } else if (foreign.has(at) || combining > MOST_COMBINING || ACTS.test(point)) {
        flush();
        all.push({ text: codePoint(point), marked: true });
      } else {
        plain += point;
      }
      at += point.length;
    }
    flush();
  }
  if (shown.length < text.length) all.push({ text: `and ${number(text.length - shown.length)} more characters`, marked: true });
  return all;
}

/* Positions of lookalikes inside words with Latin letters. */
function lookalikes(text) {
  const found = new Set();
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const points = [...word];
    if (!points.some(isLatin)) continue;
    let at = index;
    for (const point of points) {
      if (passesForLatin(point)) found.add(at);
      at += point.length;
    }
  }
  return found;
}

/** A text as content of an element; empty without one. */
export function show(text, most) {
  return text === undefined || text === null ? "" : pieces(String(text), most).map((piece) => piece.marked
    ? html`<span class="ctl">${piece.text}</span>`
    : piece.text === "\n" ? html`<br>` : piece.text);
}

/** A text for an attribute or the title. */
export function flat(text, most) {
  return text === undefined || text === null ? "" : pieces(String(text), most).map((piece) => piece.marked ? `[${piece.text}]` : piece.text).join("");
}

/** A name in full, isolated from the text direction of its neighbours. */
export const name = (text) => html`<bdi>${show(text, NAME)}</bdi>`;

export const code = (text) => html`<code>${name(text)}</code>`;

/** A hash, shortened for comparing by eye. */
export const short = (text) => /^[0-9a-f]{13,}$/.test(text) ? text.slice(0, 12) : text;

/* ------------------------------------------------------------------- clauses */

/** With a leading capital, unless the first word may be a name, URL or path. */
export function capital(clause) {
  const [word] = /^\p{Ll}+/u.exec(clause) ?? [""];
  const next = clause.slice(word.length, word.length + 1);
  return word === "" || /[\p{L}\p{Nd}_./:-]/u.test(next) ? clause : clause[0].toUpperCase() + clause.slice(1);
}

/** A clause as a sentence; empty for an empty one. */
export const sentence = (clause = "") => clause === "" || /[.?!:]$/.test(clause) ? capital(clause) : `${capital(clause)}.`;

/** "UserDataTooLarge" as words. */
export const spaced = (reason = "") => capital(reason.replace(/([a-z])(?=[A-Z])/g, "$1 ").toLowerCase());

/** The cause of a problem, for headlines. */
export const headline = (problem) => problem.headline?.trim() ? problem.headline : spaced(problem.reason);

/** The object at fault, if it is an extension, which has no page; undefined otherwise. */
export const extensionOf = ({ object, faultyObject = object } = {}) => faultyObject?.kind === "OperatingSystemProfileExtension" ? faultyObject : undefined;

/** The cause with the object's field, where there is space for it, and with the extension that has the field. */
export function exact(problem) {
  if (!problem.field || headline(problem).includes(problem.field)) return headline(problem);
  const { kind, namespace, name: own } = extensionOf(problem) ?? {};
  return capital(`${kind ? `${kind} ${namespace}/${own}, ` : ""}${problem.field}: ${headline(problem)}`);
}

/* ------------------------------------------------------------------- numbers */

/** "1,204". */
export const number = (value = 0) => Math.trunc(value).toLocaleString("en-US");

/** "1 cluster", "1,204 clusters"; "no clusters" for none. */
export const count = (value, one, many) => `${value ? number(value) : "no"} ${value === 1 ? one : many}`;

/** "1 is", "2 are". */
export const verb = (value, one, many) => `${number(value)} ${value === 1 ? one : many}`;

export const machineDeployments = (value) => count(value, "MachineDeployment", "MachineDeployments");

/** "40 ms", "1.3 s". */
export const milliseconds = (value) => value < 1_000 ? `${number(Math.round(value))} ms` : `${(value / 1_000).toFixed(1)} s`;

/** "16 %"; a share is only 0 if it is none: "< 1 %". */
export function percent(part, whole) {
  const value = Math.round(100 * part / whole);
  return whole ? `${value === 0 && part > 0 ? "< 1" : value} %` : "";
}

/* --------------------------------------------------------------------- times */

const DAY = 86_400;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "5 s", "38 min", "1 h 28 min", "3 d". */
export function span(seconds) {
  const whole = Math.trunc(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.trunc(whole / 60)} min`;
  if (whole < DAY) {
    const minutes = Math.trunc((whole % 3_600) / 60);
    return `${Math.trunc(whole / 3_600)} h${minutes === 0 ? "" : ` ${minutes} min`}`;
  }
  return `${Math.trunc(whole / DAY)} d`;
}

function day(at, now) {
  const date = new Date(at);
  const days = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
  return Math.abs(now - at) < 300 * DAY * 1_000 ? `${days} ${date.toISOString().slice(11, 16)}` : `${days} ${date.getUTCFullYear()}`;
}

/** Forms of a time in words. All are UTC. */
const FORMS = {
  /** "38 min" up to a day, then "3 Nov 14:20". */
  age: (at, now) => now - at < DAY * 1_000 ? span(Math.max(now - at, 0) / 1_000) : day(at, now),
  noAnswer: (at, now) => `no answer ${now - at < DAY * 1_000 ? "for" : "since"} ${FORMS.age(at, now)}`,
  lasting: (at, now) => `for ${span(Math.max(now - at, 0) / 1_000)}`,
  left: (at, now) => at > now ? `in ${span((at - now) / 1_000)}` : "ran out",
  /** "10:02:11" today, then "3 Nov 14:20", then "3 Nov 2025". */
  clock: (at, now) => new Date(at).toISOString().slice(0, 10) === new Date(now).toISOString().slice(0, 10)
    ? new Date(at).toISOString().slice(11, 19) : day(at, now),
};

/** @param {"age"|"noAnswer"|"lasting"|"left"|"clock"} form @param {string} at of the contract */
export const words = (form, at, now = Date.now()) => FORMS[form](Date.parse(at), now);

/** A time that advances by itself; `otherwise` without one. */
export const time = (form, at, otherwise = "") => at
  ? html`<time datetime=${at} data-form=${form} .textContent=${words(form, at)}></time>` : otherwise;

/** Advances all times of the page. */
export function advanceTimes() {
  const now = Date.now();
  for (const node of document.querySelectorAll("time[data-form]")) {
    const text = words(node.dataset.form, node.dateTime, now);
    if (node.textContent !== text) node.textContent = text;
  }
}

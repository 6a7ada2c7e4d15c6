/** Rendered documents: each file that one writes to a machine has a heading and its decoded text. */
import { html, nothing, mark } from "./parts.js";
import { DOCUMENTS } from "./badges.js";
import { LINE, count, flat, name, number, short, show } from "./text.js";

const MOST_LINES = 5_000;
const REDACTED = /<redacted:([a-z-]{1,40})>/g;
const INDENT = "  ";

/**
 * Lines for display. Unknown formats, and content that is not text, stay as they are.
 *
 * @param {string} document
 * @returns {{text: string, kind: "text"|"file"|"note", detail: string}[]}
 */
export function readableLines(document) {
  const readable = document.startsWith("#cloud-config") ? ofCloudConfig(document)
    : document.startsWith('{"ignition":') ? ofIgnition(document) : undefined;
  return readable ?? linesOf(document).map(plain);
}

const linesOf = (text) => text === "" ? [] : text.replace(/\n$/, "").split("\n");
const plain = (text) => ({ text, kind: "text", detail: "" });
const asText = (line) => line.detail === "" ? line.text : `${line.text} ${line.detail}`;

/* Reads write_files as the hub writes it; undefined for other forms. */
function ofCloudConfig(document) {
  const source = linesOf(document);
  const lines = [];
  for (let at = 0; at < source.length;) {
    lines.push(plain(source[at]));
    if (source[at++] !== "write_files:") continue;
    while (at < source.length && (source[at] === "" || /^[- ]/.test(source[at]))) {
      if (source[at] === "") { at++; continue; }
      const path = /^- path: (.+)$/.exec(source[at++]);
      if (path === null) return undefined;
      const file = { path: scalar(path[1]), permissions: "", encoding: "", content: "" };
      let field;
      while ((field = /^ {2}(permissions|encoding|content): (.*)$/.exec(source[at] ?? "")) !== null) {
        at++;
        if (!/^\|/.test(field[2])) { file[field[1]] = scalar(field[2]); continue; }
        const block = [];
        while (at < source.length && (source[at].trim() === "" || source[at].startsWith("   "))) block.push(source[at++]);
        while (block.length > 0 && block.at(-1).trim() === "") block.pop();
        const depth = /^ */.exec(block.find((line) => line.trim() !== "") ?? "")[0].length;
        file.content = block.map((line) => line.slice(depth)).join("\n");
      }
      if (Object.values(file).includes(undefined)) return undefined;
      const decoded = file.encoding === "b64" ? ofBase64(file.content) : file.content;
      addFile(lines, file.path, file.permissions, decoded ?? file.content,
        file.encoding !== "b64" ? "" : decoded === undefined ? "base64, not text" : "decoded from base64");
    }
  }
  return lines;
}

/* A scalar on one line; undefined if it is not complete. */
function scalar(text) {
  if (text.startsWith("'")) return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : undefined;
  if (!text.startsWith('"')) return text;
  try { return JSON.parse(text); } catch { return undefined; }
}

function ofIgnition(document) {
  let root;
  try { root = JSON.parse(document); } catch { return undefined; }
  const lines = [];
  for (const file of root.storage?.files ?? []) {
    const source = file.contents?.source ?? "";
    const decoded = source.startsWith("data:;base64,") ? ofBase64(source.slice(13)) : source.startsWith("data:,") ? ofEscapes(source.slice(6)) : undefined;
    addFile(lines, file.path ?? "", (file.mode ?? 0).toString(8).padStart(4, "0"), decoded ?? source, decoded === undefined ? "not text" : "");
    if (decoded !== undefined) file.contents.source = "(shown above)";
  }
  const addUnit = (unit, path) => {
    if (unit.contents === undefined) return;
    addFile(lines, path, "systemd unit", unit.contents, "");
    unit.contents = "(shown above)";
  };
  for (const unit of root.systemd?.units ?? []) {
    addUnit(unit, unit.name);
    for (const dropIn of unit.dropins ?? []) addUnit(dropIn, `${unit.name}.d/${dropIn.name}`);
  }
  lines.push({ text: "the rest of the document", kind: "note", detail: "" });
  return lines.concat(JSON.stringify(root, null, 2).split("\n").map(plain));
}

function addFile(lines, path, mode, content, encoding) {
  // The size of a text with a placeholder is not that of the file.
  const size = new RegExp(REDACTED.source).test(content) ? "" : `${number(new TextEncoder().encode(content).length)} bytes`;
  lines.push({ text: path, kind: "file", detail: [mode, size, encoding].filter((part) => part !== "").join(", ") });
  linesOf(content).forEach((line) => lines.push(plain(INDENT + line)));
}

function ofBase64(text) {
  try { return textOf(Uint8Array.from(atob(text.replace(/\s/g, "")), (char) => char.charCodeAt(0))); } catch { return undefined; }
}

function ofEscapes(text) {
  try { return decodeURIComponent(text).includes("\0") ? undefined : decodeURIComponent(text); } catch { return undefined; }
}

/* Undefined for bytes that are not text. */
function textOf(bytes) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  return text.includes("\0") ? undefined : text;
}

/* ------------------------------------------------------------------ differences */

const CONTEXT = 3;
/* Longer texts, and texts that differ in more lines, take too long to compare. */
const MOST_COMPARED = 20_000;
const MOST_EDITS = 2_000;

/** Unified diff of the readable lines of two documents; empty if they are equal, undefined if they are too long to compare. */
export function patchOf(before, after) {
  const from = readableLines(before).map(asText);
  const to = readableLines(after).map(asText);
  if (from.length + to.length > MOST_COMPARED) return undefined;
  const edits = editsOf(from, to);
  if (edits === undefined) return undefined;
  const near = edits.map(() => false);
  edits.forEach((edit, at) => { if (edit.op !== " ") near.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1); });
  const lines = [];
  edits.forEach((edit, at) => {
    if (!near[at]) return;
    if (at === 0 || !near[at - 1]) lines.push(`@@ -${edit.from + 1} +${edit.to + 1} @@`);
    lines.push(edit.op + edit.text);
  });
  return lines.join("\n");
}

/* The shortest edit script (Myers 1986): for each number of edits, the farthest point on each diagonal. */
function editsOf(from, to) {
  const paths = [];
  let ends = new Map([[1, 0]]);
  search: for (let edits = 0; ; edits++) {
    if (edits > Math.min(MOST_EDITS, from.length + to.length)) return undefined;
    const next = new Map();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && (ends.get(diagonal - 1) ?? -1) < (ends.get(diagonal + 1) ?? -1));
      let x = down ? ends.get(diagonal + 1) : ends.get(diagonal - 1) + 1;
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= from.length && x - diagonal >= to.length) { paths.push(ends); break search; }
    }
    paths.push(ends);
    ends = next;
  }
  const script = [];
  let x = from.length;
  let y = to.length;
  for (let edits = paths.length - 1; edits >= 0; edits--) {
    const ends = paths[edits];
    const diagonal = x - y;
    const down = diagonal === -edits || (diagonal !== edits && (ends.get(diagonal - 1) ?? -1) < (ends.get(diagonal + 1) ?? -1));
    const startX = edits === 0 ? 0 : down ? ends.get(diagonal + 1) : ends.get(diagonal - 1);
    const startY = edits === 0 ? 0 : startX - (down ? diagonal + 1 : diagonal - 1);
    while (x > startX && y > startY) {
      x--; y--;
      script.push({ op: " ", text: from[x], from: x, to: y });
    }
    if (edits > 0) {
      if (down) { y--; script.push({ op: "+", text: to[y], from: x, to: y }); } else { x--; script.push({ op: "-", text: from[x], from: x, to: y }); }
    }
  }
  return script.reverse();
}

/* ------------------------------------------------------------------------ parts */

/* Redacted values are drawn as such. */
function withRedactions(line) {
  const parts = line.replaceAll("\t", "    ").split(REDACTED);
  return parts.map((part, at) => at % 2 === 0 ? show(part, LINE) : html`<span class="redacted">${part.replaceAll("-", " ")}: not shown</span>`);
}

/** Numbered lines of a document. */
export function codeLines(document) {
  const lines = readableLines(document);
  let files = 0;
  return [
    ...lines.slice(0, MOST_LINES).map((line) => line.kind === "file"
      ? html`<li data-row class="note file" id="file-${++files}">${show(line.text, LINE)}<span class="c"> ${show(line.detail)}</span></li>`
      : html`<li data-row class=${line.kind === "note" ? "note c" : nothing}>${withRedactions(line.text)}</li>`),
    lines.length > MOST_LINES ? html`<li class="note">truncated; read the full document through the API</li>` : nothing,
  ];
}

/** Lines of a unified diff: sign in the gutter, a word for screen readers, then colour. */
export function diffLines(patch) {
  const lines = linesOf(patch);
  // The two lines before the first hunk name the document, as the page already does.
  const start = lines.findIndex((line) => !line.startsWith("--- ") && !line.startsWith("+++ "));
  return lines.slice(Math.max(0, start), MOST_LINES).map((line) => {
    const rest = line.slice(1);
    if (line[0] === "+") return html`<li class="add" data-op="+"><span class="vh">added: </span>${withRedactions(rest)}</li>`;
    if (line[0] === "-") return html`<li class="del" data-op="−"><span class="vh">removed: </span>${withRedactions(rest)}</li>`;
    if (line[0] === "@") return html`<li class="hunk" data-op="">${withRedactions(line)}</li>`;
    return html`<li data-op=" ">${withRedactions(rest)}</li>`;
  });
}

/** Tabs of documents, with the field that searches the shown one; `tabs` are `[label, address, current]`. */
export const documentTabs = (tabs, searchable, filterId) => html`
<div class="split">
  <nav class="tabs" aria-label="Document">${tabs.map(([label, address, current]) => html`<a href=${address} aria-current=${current ? "true" : nothing}>${name(label)}</a>`)}</nav>
  ${searchable ? html`<div class="tools"><div class="grow"><label class="vh" for=${filterId}>Find in this document</label><input type="search" id=${filterId} placeholder="Find in this document" autocomplete="off" spellcheck="false" data-filters="doc-lines" data-report="doc-found"><kbd aria-hidden="true">f</kbd></div></div>` : nothing}
</div>`;

/** One document of schema RenderResult. */
export function documentView(document) {
  const redacted = count(document.redactions, "value redacted", "values redacted");
  const files = readableLines(document.text).filter((line) => line.kind === "file");
  return html`
<div class="doc">
  <div class="doc-head"><span>${name(document.format)}, ${number(document.bytes)} bytes${document.contentHash ? html`, hash <code>${short(document.contentHash)}</code>` : nothing}</span><span id="doc-found" role="status" data-whole=${redacted} .textContent=${redacted}></span></div>
  ${files.length > 1 ? html`<nav class="doc-files" aria-label="Files in this document"><ul>${files.map((file, at) => html`<li><a href="#file-${at + 1}">${show(file.text)}</a></li>`)}</ul></nav>` : nothing}
  <ol class="code" id="doc-lines" tabindex="0" aria-label="Lines of the document">${codeLines(document.text)}</ol>
</div>`;
}

/** A difference of two documents. */
export const changeView = (label, patch) => html`
<h3>${label}</h3>
${patch === undefined ? html`<p class="soft">It is too long to compare here.</p>` : patch === "" ? html`<p class="soft">Unchanged.</p>`
    : html`<div class="doc"><ol class="code diff" tabindex="0" aria-label="Changes of ${flat(label)}">${diffLines(patch)}</ol></div>`}`;

export const documentName = (document) => DOCUMENTS[document] ?? document;

export const problemNotice = (text, tone = "warn") => html`<div class="notice ${tone}">${mark(tone === "bad" ? "m-blocked" : "m-degraded")}<p>${show(text)}</p></div>`;

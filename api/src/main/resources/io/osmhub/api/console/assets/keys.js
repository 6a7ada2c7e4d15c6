/** Keys, theme, filters while typing, and copying. Works on whatever view is shown. */

const THEMES = ["auto", "light", "dark"];
const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* private mode: applies to this page only */ } };
const byId = (id) => document.getElementById(id);

/* ---------------------------------------------------------------------- theme */

export const themeWord = () => document.documentElement.getAttribute("data-theme") ?? "auto";

export function nextTheme() {
  const next = THEMES[(THEMES.indexOf(themeWord()) + 1) % THEMES.length];
  keep("theme", next);
  if (next === "auto") document.documentElement.removeAttribute("data-theme"); else document.documentElement.setAttribute("data-theme", next);
}

/* ----------------------------------------------------------------------- keys */

let on = recall("keys") !== "off";

export const keysAreOn = () => on;

export function toggleKeys() {
  on = !on;
  keep("keys", on ? "on" : "off");
}

/** @param {() => void} draw shows the page again */
export function listenForKeys(draw) {
  let going = 0;
  const acts = {
    "/": () => into(byId("find")),
    f: () => into(byId("filter")),
    j: () => row(1),
    k: () => row(-1),
    u: () => { if (byId("held")?.hidden === false) byId("show-held").click(); },
    l: () => byId("live")?.click(),
    "[": () => document.querySelector("a[rel=prev]")?.click(),
    "]": () => document.querySelector("a[rel=next]")?.click(),
    t: () => { nextTheme(); draw(); },
    "?": () => byId("keys-button")?.click(),
  };
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key === "Escape" && field.matches?.("input[type=search]")) { clear(field); return; }
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(field.tagName);
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !on) return;
    const went = Date.now() - going < 1_500 && document.querySelector(`[data-go="${CSS.escape(event.key)}"]`);
    going = event.key === "g" ? Date.now() : 0;
    const act = went ? () => went.click() : acts[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  // A dialog that the focus leaves is closed; a focused command is selected, to copy it without a pointer.
  document.addEventListener("focusin", ({ target }) => {
    const open = document.querySelector(".pop:popover-open");
    if (open && !open.contains(target) && target.matches(":focus-visible")) open.hidePopover();
    if (target.matches(".cmd")) getSelection().selectAllChildren(target);
  });
  document.addEventListener("input", ({ target }) => { if (target.matches("[data-filters]")) filterRows(); });
  document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-copy]")) copy(target.closest("[data-copy]")); });
}

function into(field) {
  if (field) { field.focus(); field.select(); }
}

function clear(field) {
  if (field.value !== "") {
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  } else {
    field.blur();
  }
}

/* Moves the focus, so that screen readers announce the row. */
function row(step) {
  const links = [...document.querySelectorAll("[data-row]:not([hidden])")]
    .map((one) => one.matches("details") ? one.querySelector("summary") : one.querySelector("a[data-open]"))
    .filter(Boolean);
  if (links.length === 0) return;
  const from = links.findIndex((link) => link.closest("[data-row]").contains(document.activeElement));
  links[from < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(from + step, 0), links.length - 1)].focus();
}

async function copy(button) {
  await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
  const [word] = button.childNodes;
  word.data = "Copied";
  setTimeout(() => { word.data = "Copy"; }, 2_000);
}

/* -------------------------------------------------------------------- filters */

/** Hides rows that do not contain what is typed. Highlights are ranges, not markup: cluster text never becomes elements. */
export function filterRows() {
  const ranges = [];
  for (const field of document.querySelectorAll("[data-filters]")) {
    const scope = byId(field.dataset.filters);
    const report = byId(field.dataset.report);
    const wanted = field.value.trim().toLowerCase();
    if (!scope || (wanted === "" && !scope.hasAttribute("data-filtered"))) continue;
    // A submitted filter has chosen the rows already.
    if (wanted === (field.getAttribute("value") ?? "").trim().toLowerCase() && !scope.hasAttribute("data-filtered")) continue;
    let shown = 0;
    for (const one of scope.querySelectorAll("[data-row]")) {
      const hit = wanted === "" || one.textContent.toLowerCase().includes(wanted);
      one.hidden = !hit;
      shown += hit ? 1 : 0;
      if (hit && wanted !== "") ranges.push(...occurrences(one, wanted));
    }
    scope.toggleAttribute("data-filtered", wanted !== "");
    if (report) report.textContent = wanted === "" ? report.dataset.whole : `${shown} on this page ${shown === 1 ? "matches" : "match"}`;
  }
  if (globalThis.Highlight && CSS.highlights) CSS.highlights.set("hit", new Highlight(...ranges));
}

function* occurrences(node, wanted) {
  const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data.toLowerCase();
    if (text.length !== walk.currentNode.data.length) continue; // lower case is longer in some scripts
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range();
      range.setStart(walk.currentNode, at);
      range.setEnd(walk.currentNode, at + wanted.length);
      yield range;
    }
  }
}

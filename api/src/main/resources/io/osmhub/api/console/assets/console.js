/* Keys, theme, filters and live figures. Every page works without it. Text is only ever set as text. */
"use strict";
(() => {
  const root = document.documentElement;
  const themes = ["auto", "light", "dark"];
  const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* private mode: applies to this page only */ } };
  const byId = (id) => document.getElementById(id);

  root.setAttribute("data-scripted", "");
  showTheme(themes.includes(recall("theme")) ? recall("theme") : "auto"); // loaded in <head>, so it runs before the first paint

  document.addEventListener("DOMContentLoaded", () => {
    themeButton();
    singleKeys();
    filters();
    finder();
    keys();
    focuses();
    waits();
    setInterval(ages, 1_000);
    const at = document.body.dataset.at;
    if (at && globalThis.EventSource) live(at);
  });

  /* ---------------------------------------------------------------- theme */

  function showTheme(theme) {
    if (theme === "auto") root.removeAttribute("data-theme"); else root.setAttribute("data-theme", theme);
    for (const word of document.querySelectorAll("[data-theme-word]")) word.textContent = theme;
  }

  function nextTheme() {
    const next = themes[(themes.indexOf(root.getAttribute("data-theme") ?? "auto") + 1) % themes.length];
    keep("theme", next);
    showTheme(next);
  }

  function themeButton() {
    showTheme(root.getAttribute("data-theme") ?? "auto");
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      button.hidden = false;
      button.addEventListener("click", nextTheme);
    }
  }

  /* ----------------------------------------------------------------- keys */

  function singleKeys() {
    const button = byId("single-keys");
    if (!button) return;
    const show = () => {
      const on = recall("keys") !== "off";
      button.textContent = on ? "on" : "off";
      button.setAttribute("aria-pressed", String(on));
    };
    button.hidden = false;
    button.addEventListener("click", () => { keep("keys", recall("keys") === "off" ? "on" : "off"); show(); });
    show();
  }

  function keys() {
    let going = 0;
    document.addEventListener("keydown", (event) => {
      const field = event.target;
      if (event.key === "Escape" && field.matches?.("input[type=search]")) { clear(field); return; }
      const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(field.tagName);
      if (typing || event.ctrlKey || event.metaKey || event.altKey || recall("keys") === "off") return;
      const went = Date.now() - going < 1_500 && document.querySelector(`[data-go="${CSS.escape(event.key)}"]`);
      going = event.key === "g" ? Date.now() : 0;
      const act = went ? () => went.click() : acts[event.key];
      if (act) { event.preventDefault(); act(); }
    });
  }

  /* A dialog that the focus leaves is closed; a focused command is selected, to copy it without a pointer. */
  function focuses() {
    document.addEventListener("focusin", ({ target }) => {
      const open = document.querySelector(".pop:popover-open");
      if (open && !open.contains(target) && target.matches(":focus-visible")) open.hidePopover();
      if (target.matches(".cmd")) getSelection().selectAllChildren(target);
    });
  }

  const acts = {
    "/": () => into(byId("find")),
    "f": () => into(byId("filter")),
    "j": () => row(1),
    "k": () => row(-1),
    "u": () => { const held = byId("held"); if (held && !held.hidden) byId("show-held").click(); },
    "l": () => byId("live")?.click(),
    "[": () => document.querySelector("a[rel=prev]")?.click(),
    "]": () => document.querySelector("a[rel=next]")?.click(),
    "t": nextTheme,
    "?": () => byId("keys-button")?.click(),
  };

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

  /* -------------------------------------------------------------- waiting */

  /* A slow response shows placeholders, unless an older result is visible. */
  function waits() {
    for (const form of document.querySelectorAll("form[data-waits]")) {
      const place = byId(form.dataset.waits);
      if (!place) continue;
      let timer = 0;
      form.addEventListener("submit", () => { timer = setTimeout(() => busy(place, true), 300); });
      addEventListener("pageshow", () => { clearTimeout(timer); busy(place, false); });
    }
  }

  function busy(place, now) {
    if (now) place.setAttribute("aria-busy", "true"); else place.removeAttribute("aria-busy");
    const ghosts = place.querySelector(".ghosts");
    if (!ghosts) return;
    ghosts.hidden = !now;
    for (const other of ghosts.parentElement.children) if (other !== ghosts) other.hidden = now;
  }

  /* -------------------------------------------------------------- filters */

  /* Highlights are ranges, not markup: cluster text never becomes elements. */
  function filters() {
    for (const field of document.querySelectorAll("[data-filters]")) {
      const scope = byId(field.dataset.filters);
      if (!scope) continue;
      const report = byId(field.dataset.report);
      const whole = report ? [...report.childNodes] : [];
      field.addEventListener("input", () => {
        const wanted = field.value.trim().toLowerCase();
        const ranges = [];
        let shown = 0;
        for (const one of scope.querySelectorAll("[data-row]")) {
          const hit = wanted === "" || one.textContent.toLowerCase().includes(wanted);
          one.hidden = !hit;
          shown += hit ? 1 : 0;
          if (hit && wanted !== "") ranges.push(...occurrences(one, wanted));
        }
        if (report) report.replaceChildren(...(wanted === "" ? whole : [`${shown} on this page ${shown === 1 ? "matches" : "match"}`]));
        if (globalThis.Highlight && CSS.highlights) CSS.highlights.set("hit", new Highlight(...ranges));
      });
    }
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

  /* ----------------------------------------------------------------- find */

  function finder() {
    const field = byId("find");
    const list = byId("found-now");
    if (!field || !list) return;
    let asked = 0;
    let wait = 0;
    const hide = () => { list.hidden = true; list.replaceChildren(); };
    field.addEventListener("input", () => {
      clearTimeout(wait);
      const q = field.value.trim();
      const mine = ++asked;
      if (q === "") { hide(); return; }
      wait = setTimeout(async () => {
        try {
          const answer = await fetch(`/find.json?q=${encodeURIComponent(q)}`, { headers: { accept: "application/json" } });
          if (!answer.ok || mine !== asked) return;
          const found = await answer.json();
          if (mine !== asked) return;
          list.replaceChildren(...found.map(match));
          list.hidden = found.length === 0;
        } catch { /* no response: Enter still opens the results page */ }
      }, 120);
    });
    field.closest("form").addEventListener("keydown", (event) => {
      const links = [...list.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      if (event.key === "Escape") { hide(); field.focus(); }
      if (event.key === "ArrowDown" && links.length > 0) { event.preventDefault(); links[Math.min(at + 1, links.length - 1)].focus(); }
      if (event.key === "ArrowUp" && at >= 0) { event.preventDefault(); (at === 0 ? field : links[at - 1]).focus(); }
    });
    field.closest("form").addEventListener("focusout", (event) => {
      if (!field.closest("form").contains(event.relatedTarget)) hide();
    });
  }

  function match(found) {
    const item = document.createElement("li");
    const kind = document.createElement("span");
    kind.className = "label-12 muted";
    kind.textContent = found.kind;
    const name = document.createElement("bdi");
    name.textContent = found.name;
    const line = document.createElement(found.href ? "a" : "span");
    if (found.href) line.setAttribute("href", found.href);
    const where = document.createElement("span");
    where.className = "sub";
    where.textContent = found.where;
    if (found.verdict.words) where.append(found.where ? " " : "", verdict(found.verdict));
    line.append(name, where);
    item.append(kind, line);
    return item;
  }

  function verdict({ tone, symbol, words }) {
    const state = document.createElement("span");
    state.className = `st ${tone}`;
    const mark = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    mark.setAttribute("class", "mark");
    mark.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#${symbol}`);
    mark.append(use);
    const text = document.createElement("span");
    text.textContent = words;
    state.append(mark, text);
    return state;
  }

  /* ----------------------------------------------------------------- ages */

  function span(seconds) {
    if (seconds < 60) return `${seconds} s`;
    if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
    if (seconds < 86_400) {
      const minutes = Math.floor((seconds % 3_600) / 60);
      return `${Math.floor(seconds / 3_600)} h${minutes === 0 ? "" : ` ${minutes} min`}`;
    }
    return `${Math.floor(seconds / 86_400)} d`;
  }

  function ages() {
    for (const time of document.querySelectorAll("time[data-form]")) {
      const seconds = Math.floor((Date.now() - Date.parse(time.dateTime)) / 1_000);
      if (time.dataset.form === "age" && seconds >= 0 && seconds < 86_400) set(time, span(seconds));
      if (time.dataset.form === "noAnswer" && seconds >= 0 && seconds < 86_400) set(time, `no answer for ${span(seconds)}`);
      if (time.dataset.form === "lasting") set(time, `for ${span(Math.max(seconds, 0))}`);
      if (time.dataset.form === "left") set(time, seconds >= 0 ? "ran out" : `in ${span(-seconds)}`);
    }
  }

  function set(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }

  /* ----------------------------------------------------------------- live */

  function live(at) {
    const button = byId("live");
    const bar = byId("not-live");
    let source = null;
    let held = false;
    let changed = 0;
    let last = "";
    button.hidden = false;

    const clock = () => new Date().toISOString().slice(11, 19);
    const stopped = (why) => {
      if (bar.hidden) byId("not-live-words").textContent = `Not live since ${clock()}${why}`;
      bar.hidden = false;
    };
    const open = () => {
      if (source || held || document.hidden) return;
      source = new EventSource(`/live?at=${encodeURIComponent(at)}${last ? `&after=${encodeURIComponent(last)}` : ""}`);
      source.addEventListener("cells", (event) => {
        bar.hidden = true;
        last = event.lastEventId;
        if (moved(JSON.parse(event.data))) changed = Date.now();
      });
      source.addEventListener("ended", () => { close(); stopped(": you are signed out. Reload the page."); });
      source.addEventListener("error", () => {
        stopped(": connection to the hub lost, retrying.");
        // Browsers do not reconnect after an error response, for example for too many open streams.
        if (source?.readyState === EventSource.CLOSED) { close(); setTimeout(open, 5_000); }
      });
    };
    const close = () => { source?.close(); source = null; };

    button.addEventListener("click", () => {
      held = !held;
      button.setAttribute("aria-pressed", String(!held));
      set(byId("live-word"), held ? "Held" : "Live");
      if (held) { close(); stopped(": held by you."); } else { bar.hidden = true; open(); }
    });
    document.addEventListener("visibilitychange", () => { if (document.hidden) close(); else open(); });
    byId("show-held")?.addEventListener("click", () => location.reload());
    setInterval(() => {
      if (changed !== 0 && !held) set(byId("live-age"), `changed ${span(Math.floor((Date.now() - changed) / 1_000))} ago`);
    }, 1_000);
    open();
  }

  /* Applies differences; returns whether there were any. */
  function moved(news) {
    let any = false;
    for (const node of document.querySelectorAll("[data-live]")) {
      const cell = news.cells[node.dataset.live];
      if (cell && put(node, cell)) {
        any = true;
        const line = node.closest("[data-row]");
        if (line) { line.classList.add("moved"); setTimeout(() => line.classList.remove("moved"), 2_000); }
      }
    }
    const held = byId("held");
    if (held) {
      const here = [...document.querySelectorAll("[data-row]")].map((one) => one.dataset.row).filter((key) => key !== "");
      const count = differences(here, news.rows);
      held.hidden = count === 0;
      set(byId("held-words"), count === 0 ? "" : count < 0
        ? "The order has changed; rows keep their place until you show it."
        : `${count === 1 ? "1 row" : `${count} rows`} changed; rows keep their place until you show them.`);
    }
    return any;
  }

  /* Number of added and removed rows; -1 if only their order differs. */
  function differences(here, there) {
    const now = new Set(there);
    const before = new Set(here);
    const count = here.filter((key) => !now.has(key)).length + there.filter((key) => !before.has(key)).length;
    return count === 0 && here.some((key, at) => key !== there[at]) ? -1 : count;
  }

  const drawn = new Set(["x", "y", "width", "height", "d", "cx", "cy", "x1", "x2"]);

  function put(node, cell) {
    let any = false;
    /* A text becomes a time when there is one, for example when a cluster stops answering, and vice versa. */
    if (cell.t !== undefined && (cell.d !== undefined) !== (node.localName === "time")) {
      const other = document.createElement(cell.d === undefined ? "span" : "time");
      other.dataset.live = node.dataset.live;
      if (cell.f !== undefined) other.dataset.form = cell.f;
      node.replaceWith(other);
      node = other;
      any = true;
    }
    if (cell.c !== undefined && node.getAttribute("class") !== cell.c) { node.setAttribute("class", cell.c); any = true; }
    if (cell.u !== undefined) {
      const use = node.querySelector("use");
      if (use && use.getAttribute("href") !== cell.u) { use.setAttribute("href", cell.u); any = true; }
    }
    if (cell.l !== undefined) {
      const picture = node.querySelector("svg");
      [...node.querySelectorAll("use")].forEach((link, at) => {
        if (cell.l[at] !== undefined && link.getAttribute("class") !== cell.l[at]) {
          link.setAttribute("class", cell.l[at]);
          link.setAttribute("href", `#${cell.l[at]}`);
          any = true;
        }
      });
      if (picture.getAttribute("aria-label") !== cell.r) { picture.setAttribute("aria-label", cell.r); any = true; }
    }
    for (const [name, value] of Object.entries(cell.a ?? {})) {
      if (drawn.has(name) && node.getAttribute(name) !== value) { node.setAttribute(name, value); any = true; }
    }
    if (cell.d !== undefined && node.dateTime !== undefined && node.dateTime !== cell.d) { node.dateTime = cell.d; any = true; }
    if (cell.t !== undefined) {
      const word = cell.u === undefined ? node : node.querySelector(":scope > span");
      const pieces = Array.isArray(cell.t) ? cell.t : [cell.t];
      const text = pieces.map((piece) => piece === "\n" ? "" : piece.m ?? piece.w ?? piece).join("");
      // Ages advance without updates.
      if (word.textContent !== text) { word.replaceChildren(...pieces.map(shown)); any ||= cell.d === undefined; }
    }
    return any;
  }

  /* A text; a line break; a control character as its code point; or an unbreakable word of a command. */
  function shown(piece) {
    if (piece === "\n") return document.createElement("br");
    if (typeof piece === "string") return document.createTextNode(piece);
    const mark = document.createElement("span");
    if (piece.m !== undefined) mark.className = "ctl";
    mark.textContent = piece.m ?? piece.w;
    return mark;
  }
})();

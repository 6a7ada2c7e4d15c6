/** Parts of several pages. */
import { html, svg, nothing } from "./lit-html/lit-html.js";
import { pathOf, queryOf } from "./api.js";
import { LINKS, NEW_NODES, badgeOf } from "./badges.js";
import { code, count, exact, flat, name, number, percent, sentence, show, spaced, time } from "./text.js";

export { html, svg, nothing };

/* ----------------------------------------------------------------- addresses */

export const clusterPage = (namespace, cluster) => `/clusters${pathOf(namespace, cluster)}`;
export const machineDeploymentPage = (tenant, namespace, md) => `/tenants${pathOf(tenant)}/machine-deployments${pathOf(namespace, md)}`;

/* An annotation may contain anything; only valid object names link to a page. */
const NAME = /^[a-z0-9][-a-z0-9.]{0,252}$/;

/** Page of a profile `namespace/name`; empty for other forms, which mean that it was not found. */
export function profilePage(reference = "") {
  const [namespace, profile, ...rest] = reference.split("/");
  return rest.length === 0 && NAME.test(namespace) && NAME.test(profile) ? `/profiles/${namespace}/${profile}` : "";
}

/** Page of an object of the contract; empty if there is none. */
export function pageOf(object, tenant, workerCluster) {
  if (!object?.name) return "";
  const { kind, namespace = "" } = object;
  if (kind === "WorkerCluster") return clusterPage(namespace || tenant, object.name);
  if (kind === "OperatingSystemProfile") return profilePage(`${namespace}/${object.name}`);
  if (!tenant) return "";
  if (kind === "MachineDeployment") return machineDeploymentPage(tenant, namespace, object.name);
  if (kind === "Machine") return `/tenants${pathOf(tenant)}/machines${pathOf(namespace, object.name)}`;
  return workerCluster ? clusterPage(tenant, workerCluster) : "";
}

/** Where a change of the broken profile can be previewed; empty if something else is broken. */
export function previewPage(object) {
  const page = object?.kind === "OperatingSystemProfile" ? pageOf(object) : "";
  return page && `${page}?compare=edit#diff`;
}

/** This page with other parameters; an empty value removes one. Starts at the first row. */
export function addressWith(changes) {
  const query = Object.fromEntries(new URLSearchParams(location.search));
  delete query.continue;
  return location.pathname + queryOf({ ...query, ...changes });
}

/* --------------------------------------------------------------------- words */

export const mark = (symbol) => html`<svg class="mark" aria-hidden="true"><use href="#${symbol}"></use></svg>`;

/** A shape with its label; `word` replaces the label. */
export function look(list, value, word) {
  const badge = badgeOf(list, value);
  return badged({ ...badge, word: word ?? badge.word });
}

export const badged = ({ tone, symbol, word }) => html`<span class="st ${tone}">${mark(symbol)}<span>${show(word)}</span></span>`;

export const linked = (href, content, opens = false) => href ? html`<a href=${href} ?data-open=${opens}>${content}</a>` : content;

/** A command with the cluster that it is for, to be copied; nothing without one. */
export const command = (text, where) => !text ? nothing : html`
<div class="command">
  ${where ? html`<p class="small">${where}</p>` : nothing}
  <code class="cmd" tabindex="0">${text.split(/ +/).map((word, at) => html`${at > 0 ? " " : ""}<span>${show(word)}</span>`)}</code>
  <button type="button" class="btn quiet" data-copy>Copy<span class="vh"> the command</span></button>
</div>`;

/** The same inside a sentence. */
export const inlineCommand = (text, where) => !text ? nothing : html`<span class="command"> ${where} ${code(text)} <button type="button" class="btn quiet" data-copy>Copy<span class="vh"> the command</span></button></span>`;

/** Where the command of a problem or cause has to run. */
export function commandPlace(problem) {
  if (!problem?.command || !problem.commandCluster) return "";
  if (problem.commandCluster === "Management") return "In the management cluster:";
  // A cause names one of its worker clusters as NAMESPACE/NAME.
  const cluster = problem.first?.split("/")[1] ?? problem.workerCluster;
  return cluster ? html`In worker cluster ${name(cluster)}:` : "In the worker cluster:";
}

/** What happens to new nodes, in a few words. */
export function effects(total, blocked = 0, outdated = 0, atRisk = 0) {
  const all = total === 1 ? "The only MachineDeployment starts nodes" : `All ${number(total)} MachineDeployments start nodes`;
  if (blocked > 0) return `${number(blocked)} of ${count(total, "MachineDeployment", "MachineDeployments")} cannot start nodes`;
  if (outdated + atRisk === 0) return all;
  const stale = outdated === 0 ? " at risk" : atRisk === 0 ? " outdated" : " outdated or at risk";
  return `${all}, ${total === 1 ? "but is" : number(outdated + atRisk)}${stale}`;
}

/** The worst effect on new nodes with its share of all; `counts` are MachineDeployments by effect. */
export function worstEffect(counts) {
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const worst = NEW_NODES.find((effect) => counts[effect] > 0);
  if (worst === undefined) return look("newNodes", "Pending");
  const word = badgeOf("newNodes", worst).word.toLowerCase();
  return look("newNodes", worst, counts[worst] < total ? `${number(counts[worst])} ${word} of ${number(total)}`
    : total === 1 ? `1 ${word}` : `all ${number(total)} ${word}`);
}

/** Effects of a cause; its severity if it keeps no MachineDeployment from being current. */
export const causeEffects = (cause) => html`<span class="effects">${[["Blocked", "blocked"], ["Outdated", "outdated"], ["AtRisk", "atRisk"]]
  .filter(([, field]) => cause[field])
  .map(([effect, field]) => look("newNodes", effect, `${number(cause[field])} ${badgeOf("newNodes", effect).word.toLowerCase()}`))}${
  cause.blocked || cause.outdated || cause.atRisk ? nothing : look("severity", cause.severity)}</span>`;

/* ---------------------------------------------------------------------- chain */

const SYMBOLS = { Ok: "c-ok", OlderKept: "c-old", Broken: "c-broken" };

/** Name of the link at an index. */
const linkName = (at) => Object.values(LINKS)[at];

/** Where a chain is broken; `links` are the states of the contract. */
export function describeChain(links = []) {
  const broken = links.indexOf("Broken");
  if (broken >= 0) return `Broken at link ${broken + 1} of ${links.length}: ${linkName(broken)}`;
  return links.length > 0 && links.every((state) => state === "Ok") ? `All ${links.length} links ok` : "No link broken, some not ok yet";
}

/** The one-line chain, the same on every page. */
export const chain = (links = []) => html`<span class="chain-line"><svg class="chain" viewBox="0 0 109 10" role="img" aria-label=${describeChain(links)}>${
  links.map((state, at) => {
    const symbol = SYMBOLS[state] ?? "c-wait";
    return svg`<use href="#${symbol}" class=${symbol} x=${(at * 15.6).toFixed(2)} width="14" height="10"></use>`;
  })}</svg></span>`;

/** The text below a chain. */
export function brokenAt(md) {
  const at = (md.links ?? []).indexOf("Broken");
  if (at < 0) return md.reason ? spaced(md.reason) : describeChain(md.links);
  const link = linkName(at);
  const word = link.startsWith("machine-controller") ? link : link[0].toLowerCase() + link.slice(1);
  return `Broken at ${word}${md.reason ? `: ${spaced(md.reason)}` : ""}`;
}

/** Ready machines of those wanted. */
export const ready = (md) => md.replicas === undefined ? "not known" : md.replicas === 0 ? "none wanted" : `${number(md.readyReplicas)} of ${number(md.replicas)}`;

/* -------------------------------------------------------------------- drawings */

/** A size against its limit; the excess is hatched behind the mark. */
export function gauge(bytes, limit) {
  const at = 0.8; // the mark has the same position in all bars
  const used = limit ? bytes * at / limit : 0;
  const share = (value) => `${(value * 100).toFixed(2)}%`;
  return html`<svg class="gauge" aria-hidden="true"><rect class="track" y="2" width="100%" height="8"></rect><rect class="used" y="2" width=${share(Math.min(used, at))} height="8"></rect>${
    used > at ? svg`<rect class="over" x=${share(at)} y="2" width=${share(Math.min(used, 1) - at)} height="8"></rect>` : nothing
  }<line class="tick" x1=${share(at)} x2=${share(at)} y1="0" y2="12"></line></svg>`;
}

export const shareBar = (part, whole) => html`<svg class="gauge" aria-hidden="true"><rect class="track" y="2" width="100%" height="8"></rect><rect class="used" y="2" width="${whole ? Math.min(100, 100 * part / whole).toFixed(2) : 0}%" height="8"></rect></svg>`;

/** Sizes of documents against their limits. */
export const sizeTable = (sizes) => html`
<div class="scroll" tabindex="0" role="region" aria-label="Sizes against limits, table">
  <table class="rows tight">
    <thead><tr><th scope="col">Document</th><th scope="col" class="w-gauge"><span class="vh">Share of the limit</span></th><th scope="col" class="num">Size</th><th scope="col" class="num opt">Limit</th><th scope="col" class="num">Used</th></tr></thead>
    <tbody>${sizes.map((size) => html`<tr><th scope="row">${size.label ?? size.document}${size.limitOf ? html`<span class="sub">limit of ${name(size.limitOf)}${size.uncompressedBytes ? `, gzip of ${number(size.uncompressedBytes)} bytes` : ""}</span>` : nothing}</th><td>${size.limitBytes ? gauge(size.bytes, size.limitBytes) : nothing}</td><td class="num n">${number(size.bytes)}</td><td class="num n muted opt">${size.limitBytes ? number(size.limitBytes) : "no limit"}</td><td class="num n">${percent(size.bytes, size.limitBytes)}</td></tr>`)}</tbody>
  </table>
</div>`;

/* ---------------------------------------------------------------------- tables */

/** Column headers and rows. `heads` are words, or objects with word, href, sorted and num. */
export const table = ({ by, label, id, classes = "rows tight reflow" }, heads, rows) => html`
<table class=${classes} role="table" aria-labelledby=${by ?? nothing} aria-label=${by ? nothing : label}>
  <thead role="rowgroup"><tr role="row">${heads.map((head) => header(typeof head === "string" ? { word: head } : head))}</tr></thead>
  <tbody role="rowgroup" id=${id ?? nothing}>${rows}</tbody>
</table>`;

const header = ({ word, href, sorted, num }) => html`<th role="columnheader" scope="col" class=${num ? "num" : nothing} aria-sort=${sorted ?? nothing}>${
  href ? html`<a href=${href}>${word}${sorted ? html` ${mark(sorted === "descending" ? "m-down" : "m-up")}` : nothing}</a>` : word}</th>`;

const ASCENDING = ["name", "profile", "credentialsExpireAt", "shortestToken", "tokenExpiresAt"];

/** Sortable headers: `[word, field of the contract or empty]`. Names start ascending, everything else worst first. */
export function columns(query, pairs, usual, anchor) {
  const [first] = (sortOf(query, pairs) || usual).split(",");
  return pairs.map(([word, field]) => {
    if (!field) return { word };
    const down = first === `-${field}`;
    const up = first === field;
    const next = down || (!up && ASCENDING.includes(field)) ? field : `-${field}`;
    return { word, href: addressWith({ sort: next }) + anchor, sorted: down ? "descending" : up ? "ascending" : undefined };
  });
}

/** The requested order, if the list supports it. */
export function sortOf(query, pairs) {
  const sort = query("sort");
  return pairs.some(([, field]) => field && field === sort.replace(/^-/, "")) ? sort : "";
}

/** Parameters of one page of a list. */
export const pageOfList = (query) => ({ limit: ["25", "50", "100"].includes(query("limit")) ? query("limit") : "50", continue: query("continue") });

/** The position in a list, and links to its neighbours. */
export function pager(list, anchor) {
  const from = list.offset ?? 0;
  const shown = list.items.length;
  const missing = list.unanswered?.length > 0
    ? `. Replica ${list.unanswered.join(", ")} of the hub did not answer: its live values are missing` : "";
  return html`
<nav class="pager" aria-label="Pages">
  <span>Rows ${number(from + 1)}–${number(from + shown)} of ${number(list.total ?? from + shown)}${show(missing)}</span>
  <span class="end">${from > 0 ? html`<a class="btn" href=${addressWith({}) + anchor}>First</a>` : nothing}${
    list.previous ? html`<a class="btn" rel="prev" href=${addressWith({ continue: list.previous }) + anchor}>Previous</a>` : nothing}${
    list.continue ? html`<a class="btn" rel="next" href=${addressWith({ continue: list.continue }) + anchor}>Next</a>` : nothing}</span>
</nav>`;
}

/** A text in the header of a list that a filter typed into `#filter` replaces. */
export const found = (text, id = "found") => html`<span class="count" id=${id} role="status" data-whole=${text} .textContent=${text}></span>`;

/** The field that filters rows of this page while typing, and all rows when submitted. */
export const filterField = ({ label, hint, value, rows, report = "found", id = "filter", field = "search" }) => html`
<div class="grow"><label class="vh" for=${id}>${label}</label><input type="search" id=${id} name=${field || nothing} value=${flat(value)} maxlength="200" placeholder=${hint} autocomplete="off" spellcheck="false" data-filters=${rows ?? nothing} data-report=${report}><kbd aria-hidden="true">f</kbd></div>`;

export const choice = (label, id, field, any, options, chosen) => html`
<label class="vh" for=${id}>${label}</label><select id=${id} name=${field}><option value="">${any}</option>${options.map(([value, word]) => html`<option value=${value} ?selected=${value === chosen}>${word}</option>`)}</select>`;

export const optionsOf = (list, values) => values.map((value) => [value, badgeOf(list, value).word]);

export const empty = (title, content = nothing, heading = "h3") => html`<div class="empty">${heading === "h2" ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}${content}</div>`;

export const notice = (tone, symbol, content, role) => html`<div class="notice ${tone}" role=${role ?? nothing}>${mark(symbol)}${content}</div>`;

export const crumbs = (items) => html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${items.filter(Boolean).map((item, at, all) => html`<li aria-current=${at === all.length - 1 ? "page" : nothing}>${item}</li>`)}</ol></nav>`;

export const fleetCrumb = (context) => context.fleetwide ? html`<a href="/">Fleet</a>` : undefined;

/* ------------------------------------------------------------------- live rows */

/** Order and last value of the rows of each list that is shown. */
const kept = new Map();

/**
 * Rows at their place, although the list has changed: nothing moves below the pointer. Returns them with the bar that shows the
 * changes.
 */
export function held(list, rows, key) {
  const now = rows.map(key);
  if (!kept.has(list)) kept.set(list, { order: now, values: new Map() });
  const { order, values } = kept.get(list);
  rows.forEach((row) => values.set(key(row), row));
  const added = now.filter((one) => !order.includes(one)).length;
  const removed = order.filter((one) => !now.includes(one)).length;
  const changed = added + removed;
  const moved = changed === 0 && order.some((one, at) => one !== now[at]);
  const text = moved ? "The order has changed; rows keep their place until you show it."
    : `${changed === 1 ? "1 row" : `${changed} rows`} changed; rows keep their place until you show them.`;
  return {
    rows: order.map((one) => values.get(one)),
    bar: html`<div class="held" id="held" role="status" ?hidden=${changed === 0 && !moved}><span>${text}</span><button type="button" class="btn quiet" id="show-held">Show <kbd aria-hidden="true">u</kbd></button></div>`,
  };
}

/** Shows the changes of all lists. */
export const release = () => kept.clear();

const seen = new Map();
const MARKED = 2_000;

/** Class of a row that has just changed. */
export function moved(key, row) {
  const text = JSON.stringify(row);
  const before = seen.get(key);
  const at = before !== undefined && before.text !== text ? Date.now() : before?.at ?? 0;
  seen.set(key, { text, at });
  return Date.now() - at < MARKED ? "moved" : nothing;
}

/* -------------------------------------------------------------------- problems */

/** Rows of single problems; `cause` has a fix that is not repeated. */
export const problemTable = (problems, cause) => table({ label: "Objects" }, ["Severity", "Where", "What exactly", "For"], problems.map((problem) => {
  const repeated = cause !== undefined && cause.cure === problem.cure && cause.command === problem.command;
  return html`<tr role="row"><td role="cell" class="grow-1">${look("severity", problem.severity)}</td><th role="rowheader" scope="row" class="full">${where(problem)}<span class="sub">${name(problem.tenant)}</span></th><td role="cell" class="full why">${show(sentence(exact(problem)))}${
    repeated ? nothing : html` ${show(sentence(problem.cure))}${inlineCommand(problem.command, commandPlace(problem))}`} <code>${problem.reason}</code></td><td role="cell" class="n" data-label="For">${time("age", problem.since)}</td></tr>`;
}));

/** What a problem is about, with a link to its page. */
export const where = (problem, opens) => linked(pageOf(problem.object, problem.tenant, problem.workerCluster), name(problem.object?.name || problem.workerCluster), opens);

export const causeId = (cause) => `cause-${cause.id}`;

/** The first cluster that a cause touches, else its object. */
export function causePlace(cause) {
  const [namespace, cluster] = cause.first?.split("/") ?? [];
  return cluster ? { word: cluster, href: clusterPage(namespace, cluster) }
    : cause.object?.name ? { word: cause.object.name, href: pageOf(cause.object) } : undefined;
}

/** State of one worker cluster: its connection, MachineDeployments and problems. */
import { get, getIfAllowed, pathOf, send } from "../api.js";
import { NEW_NODES, badgeOf } from "../badges.js";
import { addressWith, badged, brokenAt, chain, choice, columns, crumbs, effects, empty, filterField, fleetCrumb, found, held, html, look, machineDeploymentPage, mark, moved, nothing, optionsOf, pageOfList, pager, problemTable, ready, sortOf, table } from "../parts.js";
import { attempt, refusal, reportView } from "../report.js";
import { capital, code, count, headline, name, number, show, span, spaced, time } from "../text.js";

export const page = "fleet";
export const live = true;
export const title = ({ cluster: { metadata } }) => `${metadata.name} · ${metadata.namespace}`;

const COLUMNS = [
  ["New nodes", "newNodes"], ["Name", "name"], ["Chain", ""], ["Profile", "profile"], ["Revision", ""],
  ["Kubelet", "kubeletVersion"], ["Nodes ready", ""], ["Token left", "tokenExpiresAt"],
];
const PROBLEMS = 20;
const EVENTS = [10, 50];
const eventLimit = (query) => query("events") === String(EVENTS[1]) ? EVENTS[1] : EVENTS[0];

let outcome = {};

export async function load({ path: [namespace, own], query }) {
  const path = `/namespaces${pathOf(namespace)}/worker-clusters${pathOf(own)}`;
  const [cluster, mds, problems, opened, resolved, oscs, settings] = await Promise.all([
    get(path),
    get("/machine-deployments", {
      namespace,
      search: query("search"),
      newNodes: NEW_NODES.includes(query("newNodes")) ? query("newNodes") : "",
      sort: sortOf(query, COLUMNS),
      ...pageOfList(query),
    }),
    get("/problems", { state: "Open", namespace, limit: PROBLEMS }),
    get("/problems", { state: "Open", namespace, sort: "-since", limit: eventLimit(query) }),
    get("/problems", { state: "Resolved", namespace, sort: "-resolvedAt", limit: eventLimit(query) }),
    get("/oscs", { namespace, sort: "-renderedAt", limit: eventLimit(query) }),
    getIfAllowed(`${path}/settings`),
  ]);
  return { path, cluster, mds, problems, opened, resolved, oscs, settings };
}

/* ------------------------------------------------------------------------ state */

function lede({ state, status }) {
  const counts = status.machineDeployments;
  const connection = {
    Unreachable: "The hub cannot reach its API server.",
    Unauthorized: "Its API server rejects the hub's credential.",
    Connecting: "The hub is connecting to it.",
    Paused: "Paused: the hub writes nothing to it.",
    Closed: "It is being removed.",
  }[state] ?? (status.noAnswerSince ? "Its API server does not answer pings." : "The connection is fine.");
  const nodes = counts?.total ? `${effects(counts.total, counts.blocked, counts.outdated, counts.atRisk)}.`
    : counts ? "No MachineDeployment names a profile." : `What its new nodes get is not known yet${unread(status)}.`;
  return `${nodes} ${connection}`;
}

/* Why a cluster that was never read is not; empty while it is being read. */
function unread({ conditions = [] }) {
  const failed = conditions.find(({ type, status }) => ["CredentialsValid", "Connected"].includes(type) && status === "False");
  return failed ? `: ${spaced(failed.reason).toLowerCase()}` : "";
}

const revision = ({ revision: wanted, publishedRevision: published }) => !wanted ? "not set"
  : wanted === published ? wanted : `${wanted} wanted, ${published ?? "none"} published`;

const machineDeploymentKey = (md) => `m/${md.namespace}/${md.name}`;

const machineDeploymentRow = (md) => html`
<tr role="row" data-row=${machineDeploymentKey(md)} class=${moved(machineDeploymentKey(md), md)}>
  <td role="cell" class="grow-1">${look("newNodes", md.newNodes)}</td>
  <th role="rowheader" scope="row" class="full"><a href=${machineDeploymentPage(md.tenant, md.namespace, md.name)} data-open>${name(md.name)}</a><span class="sub mono">${name(md.namespace)}</span></th>
  <td role="cell" class="full">${chain(md.links)}<span class="sub why">${show(brokenAt(md))}</span></td>
  <td role="cell" class="full ${md.profile ? "" : "blank"}" data-label="Profile">${code(md.profile)} ${name(md.profileVersion)}</td>
  <td role="cell" class="n" data-label="Revision">${show(revision(md))}</td>
  <td role="cell" data-label="Kubelet">${show(md.kubeletVersion ?? "not known")}</td>
  <td role="cell" class="n" data-label="Nodes ready">${ready(md)}</td>
  <td role="cell" class="n" data-label="Token">${time("left", md.tokenExpiresAt, "none")}</td>
</tr>`;

/* ----------------------------------------------------------------- connection */

const DAY = 86_400_000;
const MINUTE = 60_000;
/** Minutes that a short interval is drawn with, to stay visible. */
const SHORTEST = 3;
const MOST_NOTES = 8;
const SHAPES = { "s-ok": ["8", "v10"], "s-warn": ["6", "v12"], "s-bad": ["0", "v20"] };

/* The last 24 hours, drawn to scale; what the answering replica did not observe stays empty. */
function connection({ connection: { intervals = [] } = {} }) {
  const now = Date.now();
  const start = now - DAY;
  const shown = intervals
    .map(({ from, to, state }) => ({ from: Math.max(Date.parse(from), start), to: to ? Date.parse(to) : now, ongoing: !to, state }))
    .filter(({ to }) => to >= start);
  if (shown.length === 0) return nothing;
  const drawing = { "s-ok": "", "s-warn": "", "s-bad": "" };
  let connected = 0;
  const interruptions = [];
  for (const interval of shown) {
    // A degraded cluster has problems, but a connection.
    const ok = ["Synced", "Degraded"].includes(interval.state);
    const shape = ok ? "s-ok" : ["bad", "lock"].includes(badgeOf("state", interval.state).tone) ? "s-bad" : "s-warn";
    if (ok) connected += interval.to - interval.from; else interruptions.push(interval);
    // In whole minutes, so that open pages get a new drawing once a minute.
    const x = Math.trunc((interval.from - start) / MINUTE);
    const width = Math.max(SHORTEST, Math.trunc((interval.to - start) / MINUTE) - x);
    const [top, down] = SHAPES[shape];
    drawing[shape] += `M${x} ${top}h${width}${down}H${x}Z`;
  }
  const observed = shown[0].from;
  const partly = observed > start;
  const percent = 100 * connected / Math.max(1, now - observed);
  const share = `connected ${percent >= 100 ? "100" : Math.min(percent, 99.9).toFixed(1)} %${partly ? " of the observed time" : ""}`;
  const earlier = Math.max(0, interruptions.length - MOST_NOTES);
  return html`
<section class="sect" aria-labelledby="line">
  <div class="sect-head"><h2 id="line">Connection, last 24 hours</h2><p id="line-share">${share}</p></div>
  <svg class="strip" role="img" aria-labelledby="line line-share">
    <svg width="100%" height="20" viewBox="0 0 1440 20" preserveAspectRatio="none">
      <line class="s-none" x1="0" x2=${Math.trunc((observed - start) / MINUTE)} y1="13" y2="13"></line>
      <path class="s-ok" d=${drawing["s-ok"]}></path><path class="s-warn" d=${drawing["s-warn"]}></path><path class="s-bad" d=${drawing["s-bad"]}></path>
    </svg>
    <text x="0" y="31">24 h ago</text><text x="100%" y="31" text-anchor="end">now</text>
  </svg>
  <ul class="strip-notes">${interruptions.slice(earlier).map(({ state, from, to, ongoing }) => html`<li>${look("state", state)} <span class="muted">${time("clock", new Date(from).toISOString())}, ${ongoing ? `for ${span((to - from) / 1_000)} so far` : span((to - from) / 1_000)}</span></li>`)}${earlier > 0 ? html`<li class="muted">and ${number(earlier)} earlier</li>` : nothing}</ul>
  ${partly ? html`<p class="small muted">Observed by the replica that serves this tenant since ${time("clock", new Date(observed).toISOString())}. Earlier states are not stored.</p>` : nothing}
</section>`;
}

/* ---------------------------------------------------------------------- events */

const problemOpened = (problem) => ({ at: problem.since, badge: look("severity", problem.severity), object: problem.object, text: headline(problem), reason: problem.reason });
const problemResolved = (problem) => ({ ...problemOpened(problem), at: problem.resolvedAt, badge: badged({ ...badgeOf("result", "Restored"), word: "Resolved" }) });
const rendered = ({ machineDeployment, source = {} }) => ({ at: source.renderedAt, badge: look("severity", "Info", "Rendered"), object: machineDeployment, text: `from ${[source.profile, source.profileVersion].filter(Boolean).join(" ")}` });
const changed = ({ type, status, reason, message, lastTransitionTime }) => ({ at: lastTransitionTime, badge: look("status", status), object: { name: type }, text: capital(message ?? ""), reason });

/* The latest transition of each condition and problem, and the latest rendering for each MachineDeployment. */
const eventsOf = ({ cluster, opened, resolved, oscs }) => [
  ...(cluster.status.conditions ?? []).map(changed), ...opened.items.map(problemOpened),
  ...resolved.items.flatMap((problem) => [problemOpened(problem), problemResolved(problem)]), ...oscs.items.map(rendered),
].filter(({ at }) => at).sort((one, other) => Date.parse(other.at) - Date.parse(one.at));

const eventRow = ({ at, badge, object, text, reason }) => html`<tr role="row"><td role="cell" class="n grow-1">${time("clock", at)}</td><td role="cell" class="n">${badge}</td><th role="rowheader" scope="row" class="full why">${show([object?.name, text].filter(Boolean).join(": "))}${reason ? html` <code>${show(reason)}</code>` : nothing}</th></tr>`;

function events(data, query) {
  const most = eventLimit(query);
  const items = eventsOf(data).slice(0, most);
  return html`
<section class="sect" aria-labelledby="events">
  <div class="sect-head"><h2 id="events">Events</h2><p>latest changes of conditions, problems and configurations, newest first; resolved problems as the replica that answers has observed them</p><a href="${addressWith({ events: most === EVENTS[0] ? EVENTS[1] : "" })}#events">${most === EVENTS[0] ? `The last ${EVENTS[1]}` : `Only the last ${EVENTS[0]}`}</a></div>
  ${items.length > 0 ? table({ by: "events", id: "event-rows" }, ["When", "Kind", "What"], items.map(eventRow))
    : html`<div class="empty"><p>Nothing has changed yet.</p></div>`}
</section>`;
}

/* -------------------------------------------------------------------- settings */

const value = (given) => Array.isArray(given) ? given.map(value).join(", ")
  : given !== null && typeof given === "object" ? Object.entries(given).map(([key, one]) => `${key}=${value(one)}`).join(", ")
    : given === undefined || given === null ? "" : String(given);

const SOURCES = { BuiltIn: "Built-in" };

const settingsTable = (items) => table({ label: "Settings" }, ["Setting", "Value", "From"], items.map((item) => html`
<tr role="row"><th role="rowheader" scope="row" class="full">${name(item.field)}</th><td role="cell" class="full">${value(item.value) ? code(value(item.value)) : html`<span class="muted">none</span>`}</td><td role="cell" class="n" data-label="From">${name(item.source === "Platform" ? (item.origins ?? []).join(", ") : SOURCES[item.source] ?? item.source)}</td></tr>`));

/* Configured settings are shown; built-in ones unfold. */
function settings({ items }) {
  const builtIn = items.filter(({ source }) => source === "BuiltIn");
  const set = items.filter(({ source }) => source !== "BuiltIn");
  return html`
<section class="sect" aria-labelledby="settings">
  <div class="sect-head"><h2 id="settings">Effective settings</h2><p>precedence: tenant, hub, built-in</p></div>
  ${set.length > 0 ? settingsTable(set) : html`<p class="soft">Neither the tenant nor the hub overrides a default.</p>`}
  ${builtIn.length > 0 ? html`<details class="other"><summary>${capital(count(builtIn.length, "setting is", "settings are"))} built in</summary>${settingsTable(builtIn)}</details>` : nothing}
</section>`;
}

/* --------------------------------------------------------------------- actions */

/* Runs a request of a form and shows its result in place. */
const on = (context, request) => async (event) => {
  event.preventDefault();
  const form = event.target;
  const { reply, error } = await attempt(() => request(Object.fromEntries(new FormData(form))), form);
  outcome = error ? { error } : reply ?? {};
  // What was typed may be a credential.
  if (!error) form.reset();
  form.closest("[popover]")?.hidePopover();
  await context.refresh();
  document.querySelector("main > .notice:not([hidden]), #report")?.scrollIntoView({ block: "nearest" });
  await context.refresh(true);
};

/* Only a rejected request certainly changed nothing. */
const unchanged = ({ status }) => status >= 400 && status < 500 ? "Nothing was changed. " : "It is not known whether anything was changed. ";

const test = (path) => async () => ({ report: await send("POST", `${path}/test`), at: new Date().toISOString() });
const pause = (path, paused) => async () => { await send("PATCH", path, { spec: { paused } }); };
const rotate = (path) => async ({ kubeconfig, scoped }) => {
  await send("POST", `${path}/rotate`, { kubeconfig, scoped: scoped === "true" });
  return { done: "The new kubeconfig passed the test and is in use." };
};
const remove = (path, own) => async ({ confirm }) => {
  if (confirm.trim() !== own) return { refused: "Nothing was removed: the typed name does not match." };
  await send("DELETE", path);
  location.assign("/");
  return new Promise(() => {});
};

function actions({ path, cluster }, context) {
  const { namespace } = cluster.metadata;
  return html`
<div class="actions">
  ${context.may("Rotate", namespace) ? html`
  <form id="test" @submit=${on(context, test(path))}><button class="btn" type="submit">Test connection</button></form>
  <button type="button" class="btn" popovertarget="rotate">Replace kubeconfig</button>
  ${cluster.spec.paused ? html`<form id="resume" @submit=${on(context, pause(path, false))}><button class="btn" type="submit">Resume</button></form>`
    : html`<button type="button" class="btn" popovertarget="pause">Pause</button>`}` : nothing}
  ${context.may("Remove", namespace) ? html`<button type="button" class="btn danger" popovertarget="remove">Remove</button>` : nothing}
</div>`;
}

/* "2m", "1h30m" in words. */
function duration(text = "2m") {
  const seconds = [...text.matchAll(/(\d+)(h|m|s)/g)].reduce((sum, [, amount, unit]) => sum + amount * { h: 3_600, m: 60, s: 1 }[unit], 0);
  return span(seconds);
}

function dialogs({ path, cluster }, context) {
  const { namespace, name: own } = cluster.metadata;
  const { spec, shortestTokenExpiresAt: end } = cluster;
  return html`
${context.may("Rotate", namespace) ? html`
${spec.paused ? nothing : html`
<dialog class="pop" id="pause" popover aria-labelledby="pause-h">
  <h2 id="pause-h">Pause ${name(own)} of tenant ${name(namespace)}?</h2>
  <form class="fields" @submit=${on(context, pause(path, true))}>
    <p>The hub stays connected but writes nothing until you resume it: no new configurations, and no renewed tokens. ${end ? html`New nodes start until their token expires; the first token expires at ${time("clock", end)} (${time("left", end)}).` : "New nodes start until their tokens expire."}</p>
    <div class="actions"><button class="btn primary" type="submit">Pause cluster</button><button type="button" class="btn" popovertarget="pause" popovertargetaction="hide" autofocus>Keep it running</button></div>
  </form>
</dialog>`}
<dialog class="pop wide" id="rotate" popover aria-labelledby="rotate-h">
  <h2 id="rotate-h">Replace the kubeconfig</h2>
  <form class="fields" autocomplete="off" @submit=${on(context, rotate(path))}>
    <p>The new one is tested first. The old one stays in use until the new one works.</p>
    <div class="field"><label for="kubeconfig">Kubeconfig</label><textarea id="kubeconfig" name="kubeconfig" rows="8" class="mono" spellcheck="false" required maxlength="262144" placeholder="Paste the complete file"></textarea></div>
    <label class="check"><input type="checkbox" name="scoped" value="true"><span>Store a scoped credential instead</span></label>
    <div class="actions"><button class="btn primary" type="submit">Replace kubeconfig</button><button type="button" class="btn" popovertarget="rotate" popovertargetaction="hide">Keep the old one</button></div>
  </form>
</dialog>` : nothing}
${context.may("Remove", namespace) ? html`
<dialog class="pop" id="remove" popover aria-labelledby="remove-h">
  <h2 id="remove-h">Remove ${name(own)} of tenant ${name(namespace)} from the hub?</h2>
  <form class="fields" autocomplete="off" @submit=${on(context, remove(path, own))}>
    <p>${spec.deletionPolicy === "Retain"
    ? "Its configurations, secrets and tokens stay, but are no longer updated: new nodes start until their tokens expire. Finalizers are removed. The hub tries"
    : "Its configurations, secrets and tokens are deleted. Running nodes stay; no new node can start. The hub tries"} for ${duration(spec.cleanupTimeout)}, even if the cluster does not respond.</p>
    <div class="field"><label for="confirm">Type the name to confirm</label><input type="text" id="confirm" name="confirm" required maxlength="63" spellcheck="false"></div>
    <div class="actions"><button type="submit" class="btn danger">Remove cluster</button><button type="button" class="btn" popovertarget="remove" popovertargetaction="hide">Keep it</button></div>
  </form>
</dialog>` : nothing}`;
}

/* ------------------------------------------------------------------------ page */

const conditions = (list = []) => table({ label: "Conditions" }, ["Type", "Status", "Reason", "Since"], list.map((one) => html`
<tr role="row"><th role="rowheader" scope="row" class="grow-1">${show(one.type)}</th><td role="cell">${look("status", one.status)}</td><td role="cell" class="full"><code>${show(one.reason)}</code><span class="sub why">${show(capital(one.message ?? ""))}</span></td><td role="cell" class="n" data-label="Since">${time("clock", one.lastTransitionTime)}</td></tr>`));

function facts({ metadata, spec, status, connection: link = {}, registeredBy, unansweredBy }) {
  const secret = spec.kubeconfigSecretRef?.name;
  return html`
<dl class="facts">
  <dt>Tenant namespace</dt><dd>${code(metadata.namespace)}</dd>
  ${status.endpoint ? html`<dt>API server</dt><dd>${code(status.endpoint)}</dd>` : nothing}
  ${status.kubernetesVersion ? html`<dt>Kubernetes</dt><dd>${name(status.kubernetesVersion)}</dd>` : nothing}
  ${status.credentialsKind ? html`<dt>Credential</dt><dd>${name(status.credentialsKind)}${status.credentialsExpireAt ? html`; ends ${time("left", status.credentialsExpireAt)}` : nothing}</dd>` : nothing}
  ${secret ? html`<dt>Kubeconfig from</dt><dd>Secret ${code(secret)}</dd>` : nothing}
  ${registeredBy ? html`<dt>Registered by</dt><dd>${name(registeredBy)}, ${time("clock", metadata.createdAt)}</dd>` : nothing}
  ${link.servedBy ? html`<dt>Served by</dt><dd>${code(link.servedBy)}</dd>` : nothing}
  ${status.missingPermissions?.length > 0 ? html`<dt>Permissions missing</dt><dd>${status.missingPermissions.map((one) => html`${code(one)} `)}</dd>` : nothing}
  ${unansweredBy ? html`<dt>Not live</dt><dd>replica ${name(unansweredBy)}, which serves this tenant, did not answer</dd>` : nothing}
</dl>`;
}

export function content(data, context) {
  const { cluster, mds, problems } = data;
  const { query } = context;
  const { namespace, name: own } = cluster.metadata;
  const { rows, bar } = held("mds", mds.items, machineDeploymentKey);
  const filtered = query("search") !== "" || query("newNodes") !== "";
  return html`
<header class="head">
  ${crumbs([fleetCrumb(context), html`Tenant ${code(namespace)}`, name(own)])}
  <div class="split">
    <div class="head">
      <div class="title"><h1>${name(own)}</h1>${look("state", cluster.state)} <span class="muted">${time("noAnswer", cluster.status.noAnswerSince)}</span></div>
      <p class="lede" role="status">${lede(cluster)}</p>
    </div>
    ${actions(data, context)}
  </div>
</header>
${outcome.done ? html`<div class="notice" role="status">${mark("m-synced")}<p>${outcome.done}</p></div>` : nothing}
${outcome.refused ? html`<div class="notice bad" role="alert">${mark("m-blocked")}<p>${outcome.refused}</p></div>` : nothing}
${outcome.error ? refusal(outcome.error, unchanged(outcome.error)) : nothing}
${outcome.report ? reportView(outcome.report, outcome.at) : nothing}
${dialogs(data, context)}
<section class="sect" aria-labelledby="mds">
  <div class="sect-head">
    <h2 id="mds">MachineDeployments ${found(number(mds.total ?? rows.length))}</h2><a href="/api/v1/machine-deployments?namespace=${encodeURIComponent(namespace)}">This list as JSON</a>
  </div>
  <form class="tools" role="search" aria-label="MachineDeployments" action="${location.pathname}#mds" method="get">
    ${filterField({ label: "Filter by name", hint: "Filter: name, profile", value: query("search"), rows: "md-rows" })}
    ${choice("New nodes", "f-eff", "newNodes", "Any effect", optionsOf("newNodes", NEW_NODES), query("newNodes"))}
    <button class="btn" type="submit">Apply</button>${filtered ? html`<a class="btn quiet" href=${location.pathname}>Clear</a>` : nothing}
  </form>
  ${bar}
  ${rows.length > 0 ? html`
    ${table({ by: "mds", id: "md-rows", classes: "rows reflow" }, columns(query, COLUMNS, "-newNodes", "#mds"), rows.map(machineDeploymentRow))}
    ${pager(mds, "#mds")}`
    : filtered ? empty("No MachineDeployment matches", html`<p><a class="btn" href=${location.pathname}>Clear the filters</a></p>`)
      : empty("No MachineDeployment names a profile", html`<p>Set the annotation <code>k8c.io/operating-system-profile</code> on a MachineDeployment of the worker cluster.</p>`)}
</section>
${problems.items.length > 0 ? html`
<section class="sect" aria-labelledby="open">
  <div class="sect-head"><h2 id="open">Open problems <span class="count">${number(problems.total ?? problems.items.length)}</span></h2><a href="/problems?namespace=${encodeURIComponent(namespace)}">All of this tenant</a></div>
  ${problemTable(problems.items)}
</section>` : nothing}
${connection(cluster)}
<div class="cols even">
  <section class="sect" aria-labelledby="conds">
    <div class="sect-head"><h2 id="conds">Conditions</h2></div>
    ${conditions(cluster.status.conditions)}
  </section>
  <section class="sect" aria-labelledby="about">
    <div class="sect-head"><h2 id="about">About this cluster</h2></div>
    ${facts(cluster)}
  </section>
</div>
${events(data, query)}
${data.settings?.items.length > 0 ? settings(data.settings) : nothing}`;
}

/** Users of a profile, its findings, a rendered preview, and the effects of a change. */
import { get, getIfAllowed, getRarely, pathOf, send } from "../api.js";
import { documentName, documentTabs, documentView, codeLines, diffLines } from "../documents.js";
import { addressWith, clusterPage, command, crumbs, empty, filterField, found, held, html, look, machineDeploymentPage, mark, moved, nothing, pageOfList, pager, sizeTable, svg, table, worstEffect } from "../parts.js";
import { attempt, refusal } from "../report.js";
import { capital, code, count, flat, machineDeployments, name, number, sentence, short, show, spaced } from "../text.js";
import { clusterKey } from "./fleet.js";
import { validity } from "./profiles.js";

export const page = "profiles";
export const live = true;
export const title = ({ detail }) => detail.profile.metadata.name;

/** Kubernetes minors offered for a preview, newest first. */
const KUBERNETES = document.body.dataset.kubernetes.split(" ");
const USERS = 500;
/** Each may be a request, of which a caller has a limited number. */
const CLUSTERS = 50;
const OFFERED = 50;
/** Characters that disguise a text. */
const UNSAFE = /[\p{Cf}\p{Cc}]/u;

let preview;
let comparison = {};
let source;

export async function load({ path: [namespace, own], query }) {
  const reference = `${namespace}/${own}`;
  const path = `/namespaces${pathOf(namespace)}/osps${pathOf(own)}`;
  const [detail, clusters, mds] = await Promise.all([
    get(path),
    get("/worker-clusters", { profile: reference, sort: "-state,namespace", ...pageOfList(query), limit: CLUSTERS }),
    get("/machine-deployments", { profile: reference, limit: USERS }),
  ]);
  const users = await Promise.all(clusters.items.map(async (cluster) => {
    const tenant = cluster.metadata.namespace;
    // With more users than fit, each cluster is asked about its own.
    const own_ = mds.continue === undefined ? mds.items.filter((md) => md.tenant === tenant)
      : (await getRarely("/machine-deployments", { profile: reference, namespace: tenant, limit: 100 })).items;
    return { cluster, mds: own_ };
  }));
  // A preview and the text to edit are of the moment when the page was opened.
  preview ??= await readPreview(detail.profile, users, query);
  if (source === undefined) source = query("compare") === "edit" ? await getIfAllowed(`${path}/source`) ?? {} : {};
  return { reference, detail, clusters, users };
}

/* ------------------------------------------------------------------------ users */

/* The problem of the MachineDeployment, else what the state of its cluster implies. */
const whyNotNewer = (md, { state }) => md.reason ? spaced(md.reason)
  : state === "Paused" ? "Paused: the hub writes nothing"
    : ["Unreachable", "Unauthorized", "Connecting"].includes(state) ? `No connection: ${state.toLowerCase()}` : "Being published";

const unique = (values) => [...new Set(values)].sort();

function userRow({ cluster, mds }, version) {
  const { namespace, name: own } = cluster.metadata;
  const key = `u/${clusterKey(cluster)}`;
  const counts = {};
  mds.forEach(({ newNodes }) => { counts[newNodes] = (counts[newNodes] ?? 0) + 1; });
  const reasons = unique(mds.filter((md) => md.newNodes !== "Current" || md.baseVersion !== version).map((md) => whyNotNewer(md, cluster)));
  return html`
<tr role="row" data-row=${key} class=${moved(key, mds)}>
  <td role="cell" class="grow-1">${worstEffect(counts)}</td>
  <th role="rowheader" scope="row" class="full"><a href=${clusterPage(namespace, own)} data-open>${name(own)}</a><span class="sub mono">${name(namespace)}</span></th>
  <td role="cell" data-label="Version">${show(unique(mds.map((md) => md.profileVersion).filter(Boolean)).join(", ") || "none")}</td>
  <td role="cell" class="full why">${show(reasons.join("; "))}</td>
  <td role="cell" class="full"><details><summary>${machineDeployments(mds.length)}</summary><ul>${mds.map((md) => html`<li><a href=${machineDeploymentPage(md.tenant, md.namespace, md.name)}>${name(`${md.namespace}/${md.name}`)}</a> ${look("newNodes", md.newNodes)} <span class="muted">${name(md.profileVersion)}</span></li>`)}</ul></details></td>
</tr>`;
}

function usedBy({ reference, detail, clusters, users }) {
  const { usedBy: { machineDeployments: mds = 0 } = {}, version } = detail.profile;
  const total = clusters.total ?? users.length;
  const { rows, bar } = held("users", users, ({ cluster }) => clusterKey(cluster));
  return html`
<section class="sect" aria-labelledby="users">
  <div class="sect-head"><h2 id="users">Used by ${found(`${machineDeployments(mds)}${total === 0 ? "" : ` in ${count(total, "cluster", "clusters")}`}`)}</h2><a href="/api/v1/machine-deployments?profile=${encodeURIComponent(reference)}">This list as JSON</a></div>
  ${bar}
  ${rows.length > 0 ? html`
  <div class="tools">${filterField({ label: "Filter by cluster, reason or version", hint: "Filter: cluster, reason, version", rows: "user-rows", field: "" })}</div>
  ${table({ by: "users", id: "user-rows" }, ["New nodes", "Worker cluster", "Published version", "Why not newer", "MachineDeployments"], rows.map((one) => userRow(one, version)))}
  ${pager(clusters, "#users")}` : empty("No MachineDeployment uses it")}
</section>`;
}

/* --------------------------------------------------------------------- findings */

function findings({ profile: { valid = {} }, findings: all }) {
  const finding = (one) => html`
<article class="finding">
  <div class="finding-head">${look("severity", one.severity)}${one.line ? html`<span class="pos">${one.line}:${one.column}</span>` : nothing}<h3>${show(capital(one.message))}</h3></div>
  <p class="prose">${one.field ? code(one.field) : nothing}${one.path ? html` ${code(one.path)}` : nothing} ${show(sentence(one.cure))} <span class="n"><code>${show(one.rule)}</code></span></p>
  ${one.excerpt ? html`<div class="doc"><ol class="code plain" tabindex="0" aria-label="Lines around it">${codeLines(one.excerpt)}</ol></div>` : nothing}
</article>`;
  return html`
<section class="sect" aria-labelledby="lint">
  <div class="sect-head"><h2 id="lint">Findings</h2>${all.length > 0 ? html`<p>errors first</p>` : nothing}</div>
  ${all.length > 0 ? html`<div>${all.map(finding)}</div>`
    : valid.status === "False" ? finding({ severity: "Error", message: valid.message, rule: valid.reason })
      : empty("No findings", html`<p>All templates parse and render for every supported provider and Kubernetes version.</p>`)}
</section>`;
}

/* ---------------------------------------------------------------------- preview */

/* The tenant of that namespace or name, or the only one that matches; undefined if there are several or none. */
function matching(clusters, text) {
  const namespaces = clusters.filter(({ metadata }) => metadata.namespace === text);
  const names = clusters.filter(({ metadata }) => metadata.name === text);
  const fitting = namespaces.length > 0 ? namespaces : names.length > 0 ? names : clusters;
  return fitting.length === 1 ? fitting[0].metadata.namespace : undefined;
}

async function readPreview(profile, users, query) {
  const providers = profile.supportedCloudProviders ?? [];
  const text = query("tenant");
  const { items: others } = await get("/worker-clusters", { sort: "state", limit: OFFERED, search: text });
  // Clusters whose nodes have it come first.
  const using = users.toSorted((one, other) => isCurrent(other) - isCurrent(one)).map(({ cluster }) => cluster);
  const offered = text ? [...others, ...using] : [...using, ...others];
  const tenants = [...new Map(offered.map((cluster) => [cluster.metadata.namespace, cluster.metadata.name]))].slice(0, OFFERED);
  const tenant = text ? matching(others, text) : tenants[0]?.[0];
  const choice = {
    provider: providers.includes(query("provider")) ? query("provider") : providers[0] ?? "",
    kubernetes: KUBERNETES.includes(query("kubernetes")) ? query("kubernetes") : KUBERNETES[1],
    tenant,
    text: tenant ?? text,
  };
  const form = { providers, tenants, choice, offered: tenants.length > 0 || text !== "" };
  if (query("preview") === "") return form;
  if (!tenant) {
    const problem = text === "" ? "A preview needs the settings of a tenant, and there is none yet."
      : others.length === 0 ? `No worker cluster matches ${text}.` : `Several worker clusters match ${text}: choose one of the list.`;
    return { ...form, result: { documents: [], problems: [{ message: problem }] } };
  }
  const { reply, error } = await attempt(() => send("POST", "/render", {
    tenant,
    profile: { namespace: profile.metadata.namespace, name: profile.metadata.name },
    machineDeployment: { object: machineDeployment(profile, choice) },
  }));
  return { ...form, result: reply ?? { documents: [], problems: [{ message: sentence(error.message) }] } };
}

const isCurrent = ({ mds }) => Number(mds.some(({ newNodes }) => newNodes === "Current"));

/* A synthetic MachineDeployment for the chosen provider and version. */
const machineDeployment = (profile, { provider, kubernetes }) => ({
  apiVersion: "cluster.k8s.io/v1alpha1",
  kind: "MachineDeployment",
  metadata: { namespace: "kube-system", name: "preview", annotations: { "k8c.io/operating-system-profile": profile.metadata.name } },
  spec: {
    replicas: 1,
    template: {
      spec: {
        versions: { kubelet: `${kubernetes}.0` },
        providerSpec: { value: { cloudProvider: provider, cloudProviderSpec: {}, operatingSystem: profile.osName, operatingSystemSpec: {}, sshPublicKeys: [] } },
      },
    },
  },
});

function rendered({ documents, problems = [] }, query) {
  const shown = documents.find(({ document }) => document === query("doc")) ?? documents[0];
  const tabs = documents.map((one) => [documentName(one.document), `${addressWith({ doc: one.document })}#preview`, one === shown]);
  return html`
${problems.length > 0 ? html`<div class="notice bad">${mark("m-blocked")}${problems.map((problem) => html`<p>${show(problem.message)} ${problem.reason ? html`<code>${problem.reason}</code>` : nothing}</p>`)}</div>` : nothing}
${documents.length > 0 ? html`
${sizeTable(documents.map((one) => ({ ...one, label: documentName(one.document) })))}
${documentTabs(tabs, true, "doc-filter")}
${documentView(shown)}` : nothing}`;
}

function previewed(query) {
  const { providers, tenants, choice, offered, result } = preview;
  const option = (value, chosen) => html`<option value=${value} ?selected=${value === chosen}>${value}</option>`;
  return html`
<section class="sect" aria-labelledby="preview">
  <div class="sect-head"><h2 id="preview">Preview</h2><p>rendered with placeholders, never with a live credential</p></div>
  ${offered ? html`
  <form class="form-grid" action="${location.pathname}#preview" method="get" aria-label="Preview">
    <div class="field"><label for="v-p">Provider</label><select id="v-p" name="provider">${providers.map((value) => option(value, choice.provider))}</select></div>
    <div class="field"><label for="v-k">Kubernetes</label><select id="v-k" name="kubernetes">${KUBERNETES.map((value) => option(value, choice.kubernetes))}</select></div>
    <div class="field"><label for="v-s">Settings of</label><input type="search" id="v-s" name="tenant" value=${flat(choice.text)} list="v-clusters" autocomplete="off" spellcheck="false" maxlength="253" placeholder="Name or namespace"><datalist id="v-clusters">${tenants.map(([namespace, cluster]) => html`<option value=${namespace}>${flat(cluster)}</option>`)}</datalist></div>
    <input type="hidden" name="preview" value="1">
    <button class="btn primary" type="submit">Render</button>
  </form>` : nothing}
  ${result ? rendered(result, query) : html`<p class="muted small">${offered ? "Nothing rendered yet." : "A preview needs the settings of a tenant; none exists yet."}</p>`}
</section>`;
}

/* ------------------------------------------------------------------- comparison */

async function compare(event, context) {
  event.preventDefault();
  const form = new FormData(event.target);
  await ask({ text: form.get("profile"), lines: form.has("lines") }, context);
}

async function ask({ text, lines, next }, context) {
  comparison = { ...comparison, busy: true };
  await context.refresh();
  const { reply, error } = await attempt(() => send("POST", "/diff", { changes: [text], lines, limit: 100, ...(next ? { continue: next } : {}) }));
  comparison = { report: reply, error, again: { text, lines, next: reply?.continue } };
  await context.refresh();
}

/* Without those that are rejected today too. */
function effect({ repaired, changed, same, refused, alreadyRefused: already = 0 }) {
  const worse = refused - already;
  const more = worse === 0 ? "" : `; ${machineDeployments(worse)} would be rejected`;
  const today = already === 0 ? "" : `; ${machineDeployments(already)}${already === 1 ? " stays" : " stay"} rejected as today`;
  if (changed + repaired > 0) return `New nodes of ${machineDeployments(changed + repaired)} would change${more}${today}.`;
  if (worse > 0) return `No published MachineDeployment would change${more}${today}.`;
  return same + already > 0 ? `Nothing would change${today}.` : "No compared MachineDeployment uses it.";
}

/* The affected share of a change, drawn to scale beside the numbers. */
function radius(counts) {
  const whole = Math.max(1, counts.reduce((sum, [, value]) => sum + value, 0));
  let x = 0;
  return html`<svg class="radius" aria-hidden="true">${counts.map(([kind, value]) => {
    const from = x;
    x += value / whole;
    return value === 0 ? nothing : svg`<rect class=${kind} x="${(from * 100).toFixed(2)}%" width="${(100 * value / whole).toFixed(2)}%" height="28"></rect>`;
  })}</svg>`;
}

function report(diff) {
  const { repaired, changed, same, refused, alreadyRefused, total, workerClusters, notConnected, unanswered } = diff;
  const legend = (swatch, value, text) => html`<li><svg aria-hidden="true">${swatch === "r-same" ? svg`<rect class="r-same" x=".5" y=".5" width="11" height="11"></rect>` : svg`<rect class=${swatch} width="12" height="12"></rect>`}</svg><b>${number(value)}</b><span>${text}</span></li>`;
  const missing = (text, names, after = "") => names?.length > 0 ? html`<div class="notice warn">${mark("m-degraded")}<p>${text} ${names.map((one) => html`${code(one)} `)}${after}</p></div>` : nothing;
  return html`
<h3><span role="status">${effect(diff)}</span></h3>
${radius([["r-fix", repaired], ["r-change", changed], ["r-same", same], ["r-refused", refused]])}
<ul class="legend">
  ${legend("sw-ok", repaired, "fixed: rejected today, published after")}
  ${legend("sw-used", changed, "changed: their secrets are rewritten")}
  ${legend("r-same", same, "unchanged: nothing is written")}
  ${legend("sw-bad", refused, `rejected${alreadyRefused ? ` (${number(alreadyRefused)} already today)` : ""}`)}
</ul>
<p class="prose">Running nodes stay as they are; only new nodes get a change. ${number(total)} ${total === 1 ? "MachineDeployment uses" : "MachineDeployments use"} it${workerClusters ? ` in ${count(workerClusters, "worker cluster", "worker clusters")}` : ""}.</p>
${missing("Not compared, because their worker cluster is not connected:", notConnected)}
${missing("The tenants of these replicas of the hub are not compared, because they did not answer:", unanswered, ". Compare again in a few seconds.")}`;
}

const documentChange = ({ document, bytesBefore, bytesAfter, patch }) => html`<span class="sub">${documentName(document)}: ${bytesBefore ? `${number(bytesBefore)} bytes` : "none"} → ${bytesAfter ? `${number(bytesAfter)} bytes` : "not rendered"}</span>${patch ? html`<details><summary>Lines of ${documentName(document)}</summary><div class="doc"><ol class="code diff" tabindex="0" aria-label="Difference in ${documentName(document)}">${diffLines(patch)}</ol></div></details>` : nothing}`;

const changeRow = ({ tenant, machineDeployment: md, result, alreadyRefused, problem, documents = [] }) => html`
<tr role="row" data-row><td role="cell" class="grow-1">${look("change", result)}${alreadyRefused ? html` <span class="sub n">already today</span>` : nothing}</td><th role="rowheader" scope="row" class="full"><a href=${machineDeploymentPage(tenant, md.namespace, md.name)} data-open>${name(md.name)}</a></th><td role="cell" class="full why">${problem ? html`${show(problem.message)} <code>${problem.reason}</code>` : nothing}${documents.map(documentChange)}</td></tr>`;

function compared(context) {
  const { report: diff, error, again, busy } = comparison;
  const given = source.text !== undefined && !UNSAFE.test(source.text.replace(/[\n\t]/g, "")) ? source.text : "";
  const tenants = Map.groupBy(diff?.items ?? [], ({ tenant }) => tenant);
  return html`
<section class="sect" aria-labelledby="diff">
  <div class="sect-head"><h2 id="diff">Preview a change</h2><p>for every MachineDeployment that uses it; nothing is applied</p></div>
  <div class="cols even">
    <form class="fields" id="compare" autocomplete="off" @submit=${(event) => compare(event, context)}>
      <div class="field"><label for="profile-text">Proposed profile</label><textarea id="profile-text" name="profile" rows="14" class="mono" spellcheck="false" required maxlength="524288" placeholder="YAML or JSON, as for kubectl apply" .defaultValue=${given}></textarea></div>
      <label class="check"><input type="checkbox" name="lines" value="true"><span>Show the lines that differ</span></label>
      <div class="actions"><button class="btn primary" type="submit">Compare</button><a class="btn quiet" href="${addressWith({ compare: "edit" })}#diff">Start with the current profile</a></div>
      <p class="prose">Apply the profile with Git or <code>kubectl</code>. The same comparison from a terminal:</p>
      ${command("hub diff -f profile.yaml -A")}
    </form>
    <div class="sect" id="diff-wait" aria-busy=${busy ? "true" : nothing}>
      ${given === "" && source.text ? html`<div class="notice bad" role="alert">${mark("m-blocked")}<p>It contains control characters, which are not put into a field: start with kubectl get -o yaml.</p></div>` : nothing}
      ${busy ? ghosts : error ? refusal(error, "Nothing was compared. ") : diff ? report(diff) : html`<div class="waits"><p class="muted">Nothing compared yet.</p></div>`}
    </div>
  </div>
  ${[...tenants].map(([tenant, items]) => html`
  <section class="sect" aria-label=${tenant}>
    <h3>${name(tenant)} <span class="count">${number(items.length)}</span></h3>
    ${table({ label: `Changes in ${tenant}` }, ["New nodes", "MachineDeployment", "What"], items.map(changeRow))}
  </section>`)}
  ${again?.next ? html`<nav class="pager" aria-label="Pages of changes"><span>Rejected ones come before others.</span><span class="end"><button class="btn" type="button" @click=${() => ask(again, context)}>Next 100</button></span></nav>` : nothing}
</section>`;
}

/* Space of a pending response: the same height before and during the wait. */
const ghosts = html`<div class="waits"><table class="rows tight ghosts" aria-hidden="true"><tbody>${["", "s", ""].map((size) => html`<tr><td><span class="ghost ${size}"></span></td><td><span class="ghost l"></span></td><td><span class="ghost s"></span></td></tr>`)}</tbody></table></div>`;

/* ------------------------------------------------------------------------- page */

export function content(data, context) {
  const { profile, files, findings: all } = data.detail;
  const { valid = {} } = profile;
  const fact = (word, value) => value ? html`<div><dt>${word}</dt><dd>${value}</dd></div>` : nothing;
  const names = (list = []) => list.length === 0 ? "" : list.map((one, at) => html`${at > 0 ? ", " : ""}${name(one)}`);
  const number_ = valid.status === "False" ? Math.max(1, all.length) : all.length;
  return html`
<header class="head">
  ${crumbs([html`<a href="/profiles">Profiles</a>`, code(profile.metadata.namespace), "OperatingSystemProfile"])}
  <div class="title"><h1>${name(profile.metadata.name)}</h1>${validity(profile)}</div>
  ${valid.message ? html`<p class="lede">${show(capital(valid.message))}</p>` : nothing}
  <dl class="meta">
    ${fact("Version", show(profile.version))}
    ${fact("OS", html`${name(profile.osName)} ${name(profile.osVersion)}`)}
    ${fact("Engine", profile.templateEngine && name(profile.templateEngine))}
    ${fact("Utility", profile.provisioningUtility && name(profile.provisioningUtility))}
    ${fact("Providers", names(profile.supportedCloudProviders))}
    ${fact("Kubernetes", profile.supportedKubernetesVersions && name(profile.supportedKubernetesVersions))}
    ${fact("Fetches with", names(profile.supportedNodeFetch))}
    ${fact("Content", profile.contentHash && html`<code>${short(profile.contentHash)}</code>`)}
  </dl>
  <nav class="tabs flush" aria-label="On this page"><a href="#users">Used by ${number(profile.usedBy?.machineDeployments)}</a><a href="#lint">Findings ${number(number_)}</a><a href="#preview">Preview</a><a href="#diff">Compare</a><a href="#files">Files ${number(files.length)}</a></nav>
</header>
${usedBy(data)}
<div class="cols even">${findings(data.detail)}${previewed(context.query)}</div>
${compared(context)}
<section class="sect" aria-labelledby="files">
  <div class="sect-head"><h2 id="files">Files</h2><p>in rendering order</p></div>
  ${table({ by: "files" }, ["Path on the node", "Document", "Field", "Mode", { word: "Template bytes", num: true }], files.map((file) => html`
<tr role="row"><th role="rowheader" scope="row" class="mono full">${name(file.path)}</th><td role="cell">${name(file.document)}</td><td role="cell" class="mono full">${name(file.field)}</td><td role="cell" class="mono" data-label="Mode">${name(file.permissions)}</td><td role="cell" class="num" data-label="Bytes">${number(file.templateBytes)}</td></tr>`))}
</section>`;
}

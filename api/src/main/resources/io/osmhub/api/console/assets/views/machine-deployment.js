/** Why a node does not join: the verdict, then the chain that proves it. */
import { get, getIfAllowed, pathOf, readAt } from "../api.js";
import { LINKS, ROLES, actorSentence, badgeOf } from "../badges.js";
import { changeView, documentName, documentTabs, documentView, patchOf, problemNotice } from "../documents.js";
import { addressWith, chain, clusterPage, command, commandPlace, crumbs, describeChain, empty, fleetCrumb, gauge, html, inlineCommand, linked, look, mark, nothing, pageOf, previewPage, profilePage, ready, shareBar, sizeTable, table } from "../parts.js";
import { capital, code, count, exact, extensionOf, name, number, sentence, short, show, time } from "../text.js";
import { historyTable } from "./history.js";

export const page = "fleet";
export const live = true;
/** With its worker cluster and tenant, because names of MachineDeployments repeat. */
export const title = ({ md }) => `${md.name} · ${md.workerCluster} · ${md.tenant}`;

const HISTORY = 7;
const NAMES = ["Bootstrap", "Provisioning", "OperatingSystemConfig"];
/** Prefix of a published document's name in the address. */
const PUBLISHED = "Published";
const CHANGES = "Changes";
/** Links whose objects the page lists. */
const IN_WORKER_CLUSTER = ["ProvisioningSecret", "BootstrapSecret", "BootstrapToken"];
const PROPERTIES = [
  ["Revision", "machineDeploymentRevision"], ["Profile", "profile"], ["Profile version", "profileVersion"],
  ["Profile content", "profileContentHash"], ["Settings", "settingsHash"], ["Content", "contentHash"], ["Engine", "templateEngine"],
];

/** The documents that were read for a state of the MachineDeployment. */
let rendered = {};

export async function load({ path: [tenant, namespace, own], query }) {
  const path = `/namespaces${pathOf(tenant)}/machine-deployments${pathOf(namespace, own)}`;
  const [detail, why] = await Promise.all([get(path), get(`${path}/why`)]);
  if (rendered.detail !== detail) rendered = { detail, ...await readDocuments(path, detail, query("doc")) };
  return { path, detail, md: detail.machineDeployment, why, checkedAt: readAt(`${path}/why`), documents: rendered };
}

/* -------------------------------------------------------------------- user-data */

/** Labels by document. What is published is offered beside what is wanted while they differ; older ones are not stored. */
function labelsOf({ published = {}, wanted }) {
  const before = published.machineDeploymentRevision;
  const after = wanted?.machineDeploymentRevision;
  const differs = published.contentHash && wanted && (published.contentHash !== wanted.contentHash || before !== after);
  if (!differs) return NAMES.map((document) => [document, documentName(document)]);
  const revisions = before && after && before !== after;
  return [
    ...NAMES.map((document) => [document, `${documentName(document)}, ${revisions ? `revision ${after}` : "wanted"}`]),
    ...NAMES.map((document) => [PUBLISHED + document, `${documentName(document)}, ${revisions ? `revision ${before}` : "published"}`]),
    [CHANGES, `What changed${revisions ? `, ${before} → ${after}` : ""}`],
  ];
}

/** The selected document or the difference. While the wanted one cannot be rendered, it is the one that nodes get. */
async function readDocuments(path, detail, asked) {
  const labels = labelsOf(detail);
  const selected = labels.some(([document]) => document === asked) ? asked : labels[0][0];
  try {
    if (selected === CHANGES) {
      const [before, after] = await Promise.all([read(path, "Stored"), read(path, "Wanted")]);
      return { labels, selected, changes: NAMES.slice(0, 2).map((document) => [document, before[document]?.text, after[document]?.text]) };
    }
    if (selected.startsWith(PUBLISHED)) return { labels, selected, shown: (await read(path, "Stored"))[selected.slice(PUBLISHED.length)] };
    const wanted = await read(path, "Wanted");
    if (wanted[selected]) return { labels, selected, shown: wanted[selected] };
    const stored = (await read(path, "Stored"))[selected];
    return { labels, selected, shown: stored, problem: `The wanted ${documentName(selected)} cannot be rendered; see the cause above.${stored ? " This is the published one, which nodes get." : ""}` };
  } catch (error) {
    if (error.status >= 500 && error.status !== 503) throw error;
    return { labels, selected, problem: sentence(error.message) };
  }
}

/* Documents by name. */
async function read(path, source) {
  const result = await getIfAllowed(`${path}/user-data`, { source });
  return Object.fromEntries((result?.documents ?? []).map((document) => [document.document, document]));
}

function userData({ path, documents }) {
  const { labels, selected, shown, changes, problem } = documents;
  const tabs = labels.map(([document, label]) => [label, `${addressWith({ doc: document })}#document`, document === selected]);
  return html`
<section class="sect" aria-labelledby="document">
  <div class="sect-head"><h2 id="document">User-data</h2><p>as rendered for a machine, files decoded; without credentials</p><a href="/api/v1${path}/user-data">As JSON</a></div>
  ${documentTabs(tabs, shown !== undefined, "filter")}
  ${problem ? problemNotice(problem) : nothing}
  ${changes ? changes.map(([document, before, after]) => before === undefined || after === undefined
    ? html`<h3>${documentName(document)}</h3><p class="soft">It cannot be rendered now; see the cause above.</p>`
    : changeView(documentName(document), patchOf(before, after))) : nothing}
  ${shown ? documentView(shown) : nothing}
</section>`;
}

/* ----------------------------------------------------------------------- answer */

const MOODS = { ok: "answer ok", bad: "answer", lock: "answer" };

function answer({ detail, why }) {
  const cause = why.cause ?? {};
  const current = why.newNodes === "Current" && !why.cause;
  // All is published, but machine-controller has not started the machines.
  const awaited = current && why.links.some(({ state }) => state === "Waiting");
  const well = current && !awaited;
  const badge = badgeOf("verdict", why.newNodes);
  const verdict = capital(why.verdict);
  const since = why.since ?? cause.since;
  const detailed = well ? "Every link from the profile to the node is ok." : why.cause && exact(cause) !== cause.headline ? exact(cause) : "";
  const tooLarge = cause.reason === "UserDataTooLarge" && detail.sizes?.find(({ document }) => document === "Bootstrap");
  // The editor of the profile cannot resolve what is wrong with extensions.
  const ofProfile = (cause.category === "profile" && !extensionOf(cause) && !cause.reason.startsWith("Extension")) || cause.reason?.endsWith("TooLarge");
  const preview = ofProfile ? previewPage(why.links[0].object) : "";
  // A warning about the MachineDeployment itself, which keeps no node from starting.
  const warning = well ? (why.otherProblems ?? []).find(({ severity, object, cure }) => severity === "Warning" && object?.kind === "MachineDeployment" && cure) : undefined;
  const fix = sentence(cause.cure ?? warning?.cure) || (well ? "No action needed."
    : awaited ? "Check machine-controller: its log, the cloud credential and the quota." : "Wait; the hub continues automatically.");
  return html`
<section class=${MOODS[badge.tone] ?? "answer warn"} aria-labelledby="answer">
  <div>
    <p>${look("verdict", why.newNodes, describeChain(why.links.map(({ state }) => state)))} <span class="muted">${time("clock", since)} ${time("lasting", since)}</span></p>
    <h2 id="answer"><span role="status">${show(cause.headline ?? verdict)}</span></h2>
    ${cause.headline ? html`<p>${show(sentence(verdict))}</p>` : nothing}
    ${tooLarge ? html`<div>${gauge(tooLarge.bytes, tooLarge.limitBytes)}<p class="small muted">${number(tooLarge.bytes)} bytes${tooLarge.uncompressedBytes ? " after gzip" : ""} as passed to the provider; the mark is the limit of ${number(tooLarge.limitBytes)} bytes</p></div>` : nothing}
    ${detailed ? html`<p>${show(detailed)}</p>` : nothing}
    ${cause.excerpt ? html`<pre class="mono scroll" tabindex="0" role="region" aria-label="Template with the error">${show(cause.excerpt)}</pre>` : nothing}
    ${why.waitingMachines?.length > 0 ? html`<p class="soft">${count(why.waitingMachines.length, "machine waits", "machines wait")}.</p>` : nothing}
    ${cause.reason ? html`<p class="soft">Reason ${linked(cause.help, html`<code>${cause.reason}</code>`)}</p>` : nothing}
  </div>
  <div>
    <h3>${well ? "What to do" : "How to fix it"}</h3>
    <ol class="steps"><li><p>${show(fix)}</p>${command((warning ?? cause).command, commandPlace(warning ?? cause))}</li>${preview ? html`<li><p><a href=${preview}>Preview this change</a> for every tenant before you apply it.</p></li>` : nothing}</ol>
    ${well ? nothing : html`<p class="small muted">${actorSentence(cause.actor)}</p>`}
  </div>
</section>`;
}

/* ------------------------------------------------------------------------ chain */

const LINK_CLASSES = { Ok: "is-ok", OlderKept: "is-old", Broken: "is-broken" };

function links({ why, md, checkedAt }) {
  const broken = why.links.findIndex(({ state }) => state === "Broken");
  return html`
<section class="sect" aria-labelledby="chain">
  <div class="sect-head"><h2 id="chain">From profile to node</h2><p>checked ${time("age", checkedAt, "a moment")} ago</p></div>
  <ol class="links">${why.links.map((link, at) => {
    const after = broken >= 0 && at > broken && link.state !== "Broken";
    const machines = link.name === "MachineControllerPickUp" ? why.waitingMachines ?? [] : [];
    return html`
    <li class="${LINK_CLASSES[link.state] ?? "is-wait"}${after ? " is-after" : ""}">
      <svg class="link" aria-hidden="true"><use class="l-ok" href="#l-ok"></use><use class="l-old" href="#l-old"></use><use class="l-broken" href="#l-broken"></use><use class="l-wait" href="#l-wait"></use></svg>
      <h3><span class="vh">Link ${at + 1} of 7: </span>${LINKS[link.name]} <span class="obj">${link.object?.name ? linked(pageOf(link.object, md.tenant, md.workerCluster), code(link.object.name)) : nothing}</span></h3>
      <p class="at">${look("link", link.state)}<br>${time("clock", link.since)}</p>
      <div class="body">${show(capital(link.summary ?? ""))}${machines.length > 0 ? html`<details><summary>${count(machines.length, "machine", "machines")}</summary><ul>${machines.map((machine) => html`<li>${code(machine)}</li>`)}</ul></details>` : nothing}</div>
    </li>`;
  })}</ol>
</section>`;
}

/** Wanted beside published values. What cannot be rendered is not what is published. */
function versions({ detail: { wanted, published = {} }, md, why }) {
  const unrendered = why.links.slice(0, 2).some(({ state }) => ["Broken", "OlderKept"].includes(state)) ? "not rendered" : "not known";
  // The first link is the profile.
  const { namespace, name: profile } = why.links[0].object ?? { name: md.profile };
  const known = wanted ?? { machineDeploymentRevision: md.revision, profile: [namespace, profile].filter(Boolean).join("/") };
  const rows = PROPERTIES.filter(([, field]) => known[field] || published[field]);
  const sameAs = (field) => known[field] === published[field]
    ? html`<td class="muted"><span aria-hidden="true">=</span><span class="vh">same</span></td>`
    : html`<td class="ne"><span aria-hidden="true">≠</span><span class="vh">differs</span></td>`;
  return rows.length === 0 ? nothing : html`
<section class="sect" aria-labelledby="versions">
  <div class="sect-head"><h2 id="versions">Wanted and published</h2></div>
  <div class="scroll" tabindex="0" role="region" aria-label="Wanted and published, table">
    <table class="rows tight">
      <thead><tr><th scope="col"><span class="vh">Property</span></th><th scope="col">Wanted</th><th scope="col"><span class="vh">Same or not</span></th><th scope="col">Published</th></tr></thead>
      <tbody>${rows.map(([word, field]) => html`<tr><th scope="row">${word}</th><td>${name(short(known[field] ?? (wanted ? "none" : unrendered)))}</td>${sameAs(field)}<td>${name(short(published[field] ?? "none"))}</td></tr>`)}</tbody>
    </table>
  </div>
</section>`;
}

/* ---------------------------------------------------------------------- details */

function sizes({ sizes: all = [] }) {
  if (all.length === 0) return nothing;
  const largest = all.find(({ document }) => document === "Bootstrap")?.largest ?? [];
  return html`
<section class="sect" aria-labelledby="sizes">
  <div class="sect-head"><h2 id="sizes">Sizes against limits</h2><p>bytes</p></div>
  ${sizeTable(all.map((size) => ({ ...size, label: documentName(size.document) })))}
  ${largest.length > 0 ? html`
  <h3>What fills the bootstrap part</h3>
  <div class="scroll" tabindex="0" role="region" aria-label="What fills the bootstrap part, table">
    <table class="rows tight">
      <thead><tr><th scope="col">File or field</th><th scope="col" class="w-gauge"><span class="vh">Share</span></th><th scope="col" class="num">Bytes</th></tr></thead>
      <tbody>${largest.map((one) => html`<tr><th scope="row" class="mono">${name(one.path ?? one.field)}</th><td>${shareBar(one.bytes, largest[0].bytes)}</td><td class="num n">${number(one.bytes)}</td></tr>`)}</tbody>
    </table>
  </div>` : nothing}
</section>`;
}

const others = ({ otherProblems = [] }) => otherProblems.length === 0 ? nothing : html`
<section class="sect" aria-labelledby="others">
  <div class="sect-head"><h2 id="others">Also open</h2></div>
  <ul class="checks">${otherProblems.map((problem) => html`<li class="is-warn">${mark("m-degraded")}<span>${show(sentence(exact(problem)))} ${show(sentence(problem.cure))}${inlineCommand(problem.command, commandPlace(problem))}</span><span class="val"><code>${problem.reason}</code></span></li>`)}</ul>
</section>`;

function history({ detail: { history: all = [], published } }) {
  return html`
<section class="sect" aria-labelledby="history">
  <div class="sect-head"><h2 id="history">History <span class="count">${all.length > HISTORY ? `${HISTORY} of ${all.length} changes` : count(all.length, "change", "changes")}</span></h2>${all.length > HISTORY ? html`<a href="${location.pathname}/history">All ${number(all.length)}</a>` : nothing}</div>
  ${all.length > 0 ? historyTable(all.slice(0, HISTORY)) : empty(published ? "No change recorded yet" : "Nothing published yet")}
</section>`;
}

function placement({ detail: { objects, published }, md, why }) {
  // The state of an object is not known while the cluster cannot be read.
  const unread = why.links.some((link) => IN_WORKER_CLUSTER.includes(link.name) && link.state === "Unknown");
  const stateOf = ({ state }) => unread && state === "Current" ? undefined : state;
  const row = (word, state, { namespace, name: own, revision, bytes, publishedAt }) => html`
<tr role="row"><th role="rowheader" scope="row" class="grow-1">${word}</th><td role="cell">${state}</td><td role="cell" class="mono full" data-label="Namespace">${name(namespace)}</td><td role="cell" class="mono full">${name(own)}</td><td role="cell" class=${revision ? nothing : "blank"} data-label=${revision ? "Revision" : nothing}>${name(revision)}</td><td role="cell" class="num ${bytes ? "n" : "blank"}" data-label=${bytes ? "Bytes" : nothing}>${bytes ? number(bytes) : nothing}</td><td role="cell" class="n ${publishedAt ? "" : "blank"}" data-label="Written">${time("clock", publishedAt)}</td></tr>`;
  return html`
<section class="sect" aria-labelledby="placement">
  <div class="sect-head"><h2 id="placement">Where the objects are</h2></div>
  ${published || objects.length > 0 ? table({ by: "placement" },
    ["Object", "State", "Namespace", "Name", "Revision", { word: "Bytes", num: true }, "Last written"], [
      published ? row("Rendered config", look("secret", "Current", "Stored"), { namespace: md.tenant, name: md.osc, revision: published.machineDeploymentRevision, publishedAt: published.renderedAt }) : nothing,
      ...objects.map((object) => row(ROLES[object.role] ?? object.role, look("secret", stateOf(object)), object)),
    ]) : empty("None of its objects exists yet")}
</section>`;
}

export function content(data, context) {
  const { detail, md, why } = data;
  const side = detail.sizes?.length > 0 || why.otherProblems?.length > 0;
  const more = html`${history(data)}${placement(data)}`;
  const fact = (word, value) => value ? html`<div><dt>${word}</dt><dd>${value}</dd></div>` : nothing;
  return html`
<header class="head">
  ${crumbs([fleetCrumb(context), html`Tenant ${code(md.tenant)}`, html`<a href=${clusterPage(md.tenant, md.workerCluster)}>${name(md.workerCluster)}</a>`, name(md.name)])}
  <div class="title"><h1>${name(md.name)}</h1>${look("verdict", why.newNodes)}${chain(md.links)}</div>
  <dl class="meta">
    ${fact("Namespace", code(md.namespace))}
    ${fact("Provider", md.cloudProvider && name(md.cloudProvider))}
    ${fact("Kubelet", md.kubeletVersion && name(md.kubeletVersion))}
    ${fact("Revision", md.revision && name(md.revision))}
    ${fact("Nodes", ready(md))}
    ${fact("Profile", md.profile && linked(profilePage(md.profile), code(md.profile)))}
  </dl>
</header>
${answer(data)}
<div class="cols why">
  <div class="stack">${links(data)}${versions(data)}</div>
  <div class="stack">${sizes(detail)}${others(why)}${side ? nothing : more}</div>
</div>
${side ? more : nothing}
${userData(data)}`;
}

/** Rotations and their reasons, including attempts that changed nothing. */
import { get, pathOf } from "../api.js";
import { clusterPage, crumbs, empty, filterField, fleetCrumb, html, look, machineDeploymentPage, nothing, table } from "../parts.js";
import { capital, code, count, name, number, show, time } from "../text.js";

export const page = "fleet";
export const live = false;
export const title = ({ machineDeployment }) => `History of ${machineDeployment.name}`;

export const load = ({ path: [tenant, namespace, md] }) => get(`/namespaces${pathOf(tenant)}/machine-deployments${pathOf(namespace, md)}`);

/** A table of schema HistoryEntry. */
export const historyTable = (entries) => table({ label: "History" },
  ["When", "Result", "Why", "Revision", { word: "Writes", num: true }, { word: "Took", num: true }],
  entries.map((entry, at) => html`
<tr role="row" data-row="h${at}">
  <td role="cell" class="n grow-1">${time("clock", entry.at)}</td>
  <td role="cell">${look("result", entry.result)}</td>
  <th role="rowheader" scope="row" class="full why">${show(entry.because)}${entry.reason ? html` <code>${entry.reason}</code>` : nothing}</th>
  <td role="cell" class="n" data-label="Revision">${entry.fromRevision ? html`${name(entry.fromRevision)} → ` : nothing}${name(entry.toRevision)}</td>
  <td role="cell" class="num" data-label="Writes">${number(entry.writes)}</td>
  <td role="cell" class="num n" data-label="Took">${number(entry.durationMilliseconds)} ms</td>
</tr>`));

export function content({ machineDeployment: md, history = [] }, context) {
  const search = context.query("search");
  const entries = history.filter((entry) => [entry.result, entry.because, entry.reason].join(" ").toLowerCase().includes(search.toLowerCase()));
  return html`
<header class="head">
  ${crumbs([fleetCrumb(context), html`Tenant ${code(md.tenant)}`, html`<a href=${clusterPage(md.tenant, md.workerCluster)}>${name(md.workerCluster)}</a>`, html`<a href=${machineDeploymentPage(md.tenant, md.namespace, md.name)}>${name(md.name)}</a>`, "History"])}
  <h1>${capital(count(entries.length, "change", "changes"))} of ${name(md.name)}${search ? html` with “${show(search)}”` : nothing}</h1>
  <p class="lede">Published, restored, rejected and kept configurations with reasons. "Kept" means that the rendered bytes are unchanged.</p>
</header>
<section class="sect" aria-label="History">
  <form class="tools" role="search" aria-label="History" action=${location.pathname} method="get">${filterField({ label: "Filter by reason or result", hint: "Filter: reason, result", value: search })}<button class="btn" type="submit">Apply</button>${search ? html`<a class="btn quiet" href=${location.pathname}>Clear</a>` : nothing}</form>
  ${entries.length > 0 ? historyTable(entries) : empty("No change matches", nothing, "h2")}
</section>`;
}


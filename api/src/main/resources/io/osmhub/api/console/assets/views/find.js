/** Search by any name: machine, MachineDeployment, secret, hash, cluster, profile. */
import { get } from "../api.js";
import { matchPage, verdict } from "../find.js";
import { empty, filterField, html, linked, nothing, table } from "../parts.js";
import { capital, count, name, show } from "../text.js";

export const page = "";
export const live = false;
export const title = () => "Find";

const MOST = 50;
const asked = (query) => query("q").slice(0, 200);

export const load = async ({ query }) => asked(query) === "" ? { items: [] } : get("/search", { q: asked(query), limit: MOST });

export function content({ items }, { query }) {
  const q = asked(query);
  return html`
<header class="head">
  <h1>${q === "" ? "Find" : html`${capital(count(items.length, "match", "matches"))} for “${show(q)}”`}</h1>
  ${q ? html`<p class="lede">Matches any part of a name among the objects you may view. For machines and secrets, include the name of their MachineDeployment.</p>` : nothing}
</header>
<section class="sect" aria-label="Matches">
  <form class="tools" role="search" aria-label="Find" action="/find" method="get">${filterField({ label: "Find", hint: "Name of a cluster, machine, secret or profile", value: q, field: "q" })}<button class="btn" type="submit">Find</button></form>
  ${items.length > 0 ? table({ label: "Matches", classes: "rows reflow" }, ["Kind", "Name", "Verdict", "Tenant"], items.map((match, at) => html`
<tr role="row" data-row=${at}><td role="cell" class="grow-1">${name(match.object.kind)}</td><th role="rowheader" scope="row" class="full">${linked(matchPage(match), name(match.object.name), true)}${match.object.namespace ? html`<span class="sub mono">${name(match.object.namespace)}</span>` : nothing}</th><td role="cell" class="full">${verdict(match)}</td><td role="cell" data-label="Tenant">${name(match.tenant)}${match.workerCluster ? html` <span class="muted">${name(match.workerCluster)}</span>` : nothing}</td></tr>`))
    : q ? empty("No match", html`<p>Enter part of a name.</p>`, "h2") : nothing}
</section>`;
}


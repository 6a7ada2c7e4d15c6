/** The fleet's state and its most urgent fixes. */
import { get } from "../api.js";
import { NEW_NODES, STATES, actorWord } from "../badges.js";
import { charts } from "../charts.js";
import { addressWith, causeEffects, causeId, causePlace, choice, clusterPage, columns, effects, empty, filterField, found, held, html, linked, look, moved, nothing, optionsOf, pageOfList, pager, sortOf, table, worstEffect } from "../parts.js";
import { queryOf } from "../api.js";
import { capital, count, headline, name, number, sentence, show, time, verb } from "../text.js";
import { readResolved, resolvedSummary } from "./resolved.js";

export const page = "fleet";
export const live = true;
export const title = () => "Fleet";

const CAUSES = 5;
const COLUMNS = [
  ["State", "state"], ["Worker cluster", "name"], ["Why", ""], ["MachineDeployments", "machineDeployments"],
  ["Kubernetes", "kubernetesVersion"], ["Credential", "credentialsExpireAt"], ["Shortest token", "shortestToken"], ["Checked", ""],
];
const FACETS = ["Synced", "Degraded", "Unreachable", "Unauthorized", "Paused", "Connecting"];
const MOST_TOKENS = 500;
/** Ends of tokens change slowly. */
const TOKENS_AGE = 60_000;

let tokens;

export async function load(context) {
  const { query, identified } = context;
  const [clusters, resolved, queue] = await Promise.all([
    get("/worker-clusters", {
      ...filterOf(query),
      state: STATES.includes(query("state")) ? query("state") : "",
      newNodes: NEW_NODES.includes(query("newNodes")) ? query("newNodes") : "",
      // The contract filters by minor versions.
      kubernetesVersion: /^\d{1,3}\.\d{1,3}$/.test(query("kubernetesVersion")) ? query("kubernetesVersion") : "",
      sort: sortOf(query, COLUMNS),
      ...pageOfList(query),
    }),
    readResolved(),
    identified.then((me) => me.seesAllTenants ? get("/queue") : undefined),
    identified.then((me) => me.seesAllTenants ? readTokens() : undefined),
  ]);
  if (!context.fleetwide && location.search === "" && clusters.items.length === 1) {
    const { namespace, name: cluster } = clusters.items[0].metadata;
    location.replace(clusterPage(namespace, cluster));
    return new Promise(() => {});
  }
  return { clusters, resolved, queue };
}

/** Ends of the tokens that expire first. */
async function readTokens() {
  if (tokens && Date.now() - tokens.at < TOKENS_AGE) return;
  const list = await get("/machine-deployments", { sort: "tokenExpiresAt", limit: MOST_TOKENS });
  tokens = { at: Date.now(), all: list.items.length < MOST_TOKENS, ends: list.items.map((md) => md.tokenExpiresAt).filter(Boolean) };
}

const filterOf = (query) => Object.fromEntries(["search", "state", "newNodes", "kubernetesVersion", "profile"].map((field) => [field, query(field)]));

function lede({ machineDeployments, workerClusters, causes }) {
  const { Blocked = 0, Outdated = 0, AtRisk = 0, Current = 0, Pending = 0 } = machineDeployments;
  const all = Blocked + Outdated + AtRisk + Current + Pending;
  if (all === 0) {
    return Object.values(workerClusters).some((one) => one > 0)
      ? ["No MachineDeployment with a profile yet", causes.length > 0 ? "Fix the problems below first."
        : "Set the annotation k8c.io/operating-system-profile on a MachineDeployment of a worker cluster."]
      : ["No worker cluster registered yet", "After registration, MachineDeployments and their problems are listed here."];
  }
  const words = [
    Outdated > 0 && `${verb(Outdated, "starts", "start")} nodes with an older configuration`,
    AtRisk > 0 && `${number(AtRisk)} will stop starting nodes soon`,
    verb(Current, "is", "are") + " current",
    Pending > 0 && `${verb(Pending, "is", "are")} being published or unknown`,
  ].filter(Boolean);
  const why = causes.length === 0 ? "Nothing is wrong." : `${capital(count(causes.length, "cause explains", "causes explain"))} this.`;
  return [effects(all, Blocked, Outdated, AtRisk), `${words.join(", ")}. ${why}`];
}

function causeRow(cause) {
  const place = causePlace(cause);
  const others = cause.workerClusters - 1;
  return html`
<tr role="row">
  <td role="cell" class="full">${causeEffects(cause)}</td>
  <th role="rowheader" scope="row" class="full w-why"><a href="/problems#${causeId(cause)}">${show(headline(cause))}</a><span class="sub why">${show(sentence(cause.cure))} <code>${cause.reason}</code></span></th>
  <td role="cell" class="full w-where">${place ? linked(place.href, name(place.word)) : nothing}${others > 0 ? html`<span class="sub">and ${count(others, "more cluster", "more clusters")}</span>` : nothing}</td>
  <td role="cell" data-label="For" class="n">${time("age", cause.since)}</td>
  <td role="cell" data-label="Who acts" class="n">${actorWord(cause.actor)}</td>
</tr>`;
}

/* The worst open problem in a few words. */
function why({ status }) {
  const [worst, ...more] = status.problems ?? [];
  if (!worst) return "";
  const cause = capital(worst.details?.cause ?? worst.message ?? "");
  return more.length === 0 ? cause : `${sentence(cause)} And ${number(more.length)} more.`;
}

function nodes({ status }) {
  const counts = status.machineDeployments;
  if (!counts?.total) return html`<span class="st quiet"><span>${counts ? "none" : "unknown"}</span></span>`;
  return worstEffect({ Blocked: counts.blocked, Outdated: counts.outdated, AtRisk: counts.atRisk, Pending: counts.pending, Current: counts.current });
}

/* While a worker cluster is connected, it is watched; otherwise its state was seen last before the connection ended. */
function checked({ status }) {
  const connected = status.conditions?.find(({ type }) => type === "Connected");
  return connected?.status === "True" ? "now" : time("age", status.clusterID && connected?.lastTransitionTime, "never");
}

const credential = ({ state, status }) => state === "Unauthorized" ? "rejected" : time("left", status.credentialsExpireAt, "no end");

function clusterRow(cluster) {
  const { namespace, name: own } = cluster.metadata;
  const key = `c/${namespace}/${own}`;
  return html`
<tr role="row" data-row=${key} class=${moved(key, cluster)}>
  <td role="cell" class="grow-1">${look("state", cluster.state)}<span class="sub">${time("noAnswer", cluster.status.noAnswerSince)}</span></td>
  <th role="rowheader" scope="row" class="full"><a href=${clusterPage(namespace, own)} data-open>${name(own)}</a><span class="sub mono">${name(namespace)}</span></th>
  <td role="cell" class="why full">${show(why(cluster))}</td>
  <td role="cell" class="full w-effects">${nodes(cluster)}</td>
  <td role="cell" data-label="Kubernetes">${show(cluster.status.kubernetesVersion?.replace(/^v/, "") ?? "not known")}</td>
  <td role="cell" data-label="Credential expires" class="n">${credential(cluster)}</td>
  <td role="cell" data-label="Shortest token" class="n">${time("left", cluster.shortestTokenExpiresAt, "none")}</td>
  <td role="cell" data-label="Checked" class="n">${checked(cluster)}</td>
</tr>`;
}

export const clusterKey = ({ metadata }) => `${metadata.namespace}/${metadata.name}`;

function facet(state, { workerClusters }, chosen) {
  return html`<li><a href="${addressWith({ state: chosen ? "" : state })}#clusters" aria-current=${chosen ? "true" : nothing}><b>${number(workerClusters[state])}</b>${look("state", state)}</a></li>`;
}

export function content({ clusters, resolved, queue }, { summary, query, may }) {
  const [head, text] = lede(summary);
  const filter = Object.fromEntries(Object.entries(filterOf(query)).filter(([, value]) => value !== ""));
  const filtered = Object.keys(filter).length > 0;
  const { rows, bar } = held("clusters", clusters.items, clusterKey);
  return html`
<header class="head">
  <h1 id="headline">${head}</h1>
  <p class="lede" role="status">${text}</p>
</header>
<section aria-labelledby="by-state">
  <h2 class="vh" id="by-state">Worker clusters by state</h2>
  <ul class="facets">${FACETS.map((state) => facet(state, summary, query("state") === state))}</ul>
</section>
<div class="cols wide-narrow">
  <section class="sect" aria-labelledby="problems">
    <div class="sect-head">
      <h2 id="problems">What to fix first</h2>
      ${summary.causes.length > 0 ? html`<p>by nodes prevented from starting</p><a href="/problems">All causes</a>` : nothing}
    </div>
    ${summary.causes.length > 0
      ? table({ by: "problems", classes: "rows reflow" }, ["New nodes", "Cause and fix", "Where", "For", "Who acts"], summary.causes.slice(0, CAUSES).map(causeRow))
      : empty("No open problem", html`<p>Nothing prevents nodes from starting.</p>`)}
    <p class="small muted">${resolvedSummary(resolved)}. <a href="/problems/resolved">Resolved problems</a></p>
  </section>
  ${queue ? charts(summary, queue, tokens) : nothing}
</div>
<section class="sect" aria-labelledby="clusters">
  <div class="sect-head">
    <h2 id="clusters">Worker clusters ${found(number(clusters.total ?? rows.length))}</h2><a href="/api/v1/worker-clusters${queryOf(filter)}">This list as JSON</a>
  </div>
  <form class="tools" role="search" aria-label="Worker clusters" action="/#clusters" method="get">
    ${filterField({ label: "Filter by name, namespace or label", hint: "Filter: name, namespace", value: query("search"), rows: "cluster-rows" })}
    ${choice("State", "f-state", "state", "Any state", optionsOf("state", STATES), query("state"))}
    ${choice("New nodes", "f-eff", "newNodes", "Any effect", optionsOf("newNodes", NEW_NODES), query("newNodes"))}
    <label class="vh" for="f-k8s">Kubernetes</label><input id="f-k8s" class="tiny" name="kubernetesVersion" value=${query("kubernetesVersion")} maxlength="8" size="8" placeholder="Version" spellcheck="false">
    <label class="vh" for="f-osp">Profile</label><input id="f-osp" class="small-field" name="profile" value=${query("profile")} maxlength="253" size="14" placeholder="Profile" spellcheck="false">
    <button class="btn" type="submit">Apply</button>${filtered ? html`<a class="btn quiet" href="/#clusters">Clear</a>` : nothing}
  </form>
  ${bar}
  ${rows.length > 0 ? html`
    ${table({ by: "clusters", id: "cluster-rows", classes: "rows sticky reflow" }, columns(query, COLUMNS, "-state", "#clusters"), rows.map(clusterRow))}
    ${pager(clusters, "#clusters")}`
    : filtered ? empty("No worker cluster matches", html`<p>${show(Object.values(filter).join(", "))}</p><p><a class="btn" href="/#clusters">Clear the filters</a></p>`)
      : empty("No worker cluster registered yet", html`<p>Register a worker cluster with its kubeconfig.</p>${may("Register") ? html`<p><a class="btn primary" href="/register">Register a worker cluster</a></p>` : nothing}`)}
</section>`;
}


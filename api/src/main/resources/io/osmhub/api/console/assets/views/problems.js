/** Open problems by what is broken, the cause that blocks most first. */
import { get, getRarely } from "../api.js";
import { ACTORS, SEVERITIES, actorWord } from "../badges.js";
import { causeEffects, causeId, causePlace, choice, command, commandPlace, effects, empty, filterField, found, held, html, linked, nothing, optionsOf, pageOfList, pager, previewPage, problemTable } from "../parts.js";
import { capital, code, count, headline, machineDeployments, name, number, sentence, show, time, verb } from "../text.js";
import { readResolved, resolvedSummary } from "./resolved.js";

export const page = "problems";
export const live = true;
export const title = () => "Problems";

const OBJECTS = 5;
const MOST = 500;

const filterOf = (query) => ({
  severity: SEVERITIES.includes(query("severity")) ? query("severity") : "",
  actor: ACTORS.includes(query("actor")) ? query("actor") : "",
  reason: /^[A-Z][A-Za-z]{0,127}$/.test(query("reason")) ? query("reason") : "",
  cause: /^[0-9a-f]{1,64}$/.test(query("cause")) ? query("cause") : "",
  namespace: query("namespace"),
  search: query("search"),
});

export async function load({ query, summarized }) {
  const filter = filterOf(query);
  const [summary, all, single, resolved] = await Promise.all([
    summarized,
    get("/problems", { state: "Open", limit: MOST }),
    // Causes have no tenant: its problems are listed instead.
    filter.namespace || filter.reason || filter.cause ? get("/problems", { state: "Open", ...filter, ...pageOfList(query) }) : undefined,
    readResolved(),
  ]);
  const causes = filter.namespace === "" ? summary.causes.filter((cause) => fits(cause, filter)) : [];
  const whole = all.continue === undefined;
  const groups = await Promise.all(causes.map(async (cause) => {
    const list = whole ? { items: all.items.filter((problem) => problem.cause === cause.id) }
      : await getRarely("/problems", { state: "Open", cause: cause.id, limit: OBJECTS });
    return { cause, items: list.items.slice(0, OBJECTS), total: list.total ?? list.items.length };
  }));
  return { filter, groups, single, resolved };
}

function fits(cause, { severity, actor, reason, cause: id, search }) {
  const words = [cause.reason, cause.message, cause.object?.name, cause.first].join(" ").toLowerCase();
  return (severity === "" || cause.severity === severity) && (actor === "" || cause.actor === actor)
    && (reason === "" || cause.reason === reason) && (id === "" || cause.id === id) && words.includes(search.toLowerCase());
}

function heading({ causes, machineDeployments: { Blocked = 0, Outdated = 0, AtRisk = 0 } }) {
  const affected = Blocked + Outdated + AtRisk;
  if (causes.length === 0) return ["No open problem", "Open problems of worker clusters, MachineDeployments and profiles are listed here."];
  return [
    `${capital(count(causes.length, "cause keeps", "causes keep"))} ${machineDeployments(affected)} from being current`,
    `Each cause is listed once, with everything that it blocks.${affected === 0 ? ""
      : ` ${capital(verb(Blocked, "is", "are"))} blocked, ${number(Outdated)} outdated, ${number(AtRisk)} at risk.`}`,
  ];
}

function group({ cause, items, total }, first, filter) {
  const place = causePlace(cause);
  const others = cause.workerClusters - 1;
  // A filter by cause or reason shows all objects below.
  const below = filter.reason === cause.reason || filter.cause === cause.id;
  const preview = previewPage(cause.object);
  const reason = linked(items[0]?.help, html`<code>${cause.reason}</code>`);
  return html`
<details class="cause" id=${causeId(cause)} data-row=${causeId(cause)} ?open=${first}>
  <summary>
    ${causeEffects(cause)}
    <h3>${show(headline(cause))}</h3>
    <span class="what"><code>${cause.reason}</code></span>
    <span class="where">${place ? html`${name(place.word)}${others > 0 ? html`<br>and ${count(others, "more cluster", "more clusters")}` : nothing}` : cause.workerClusters ? count(cause.workerClusters, "cluster", "clusters") : "no cluster"}</span>
    <span class="who">${actorWord(cause.actor)}<br> <span class="muted">${time("age", cause.since)}</span></span>
    <svg class="turn" aria-hidden="true"><use href="#m-turn"></use></svg>
  </summary>
  <div class="in">
    <div class="prose"><p>${show(sentence(cause.cure))} <span>Reason ${reason}</span></p>${preview ? html`<p><a href=${preview}>Preview this change</a></p>` : nothing}</div>
    ${command(cause.command, commandPlace(cause))}
    ${items.length > 0 && !below ? problemTable(items, cause) : nothing}
    ${total > items.length && !below ? html`<p class="small"><a href="/problems?cause=${cause.id}">${number(total - items.length)} more</a></p>` : nothing}
  </div>
</details>`;
}

export function content({ filter, groups, single, resolved }, { summary, query }) {
  const [head, text] = heading(summary);
  const filtered = Object.values(filter).some((value) => value !== "");
  const all = Object.values(summary.machineDeployments).reduce((sum, one) => sum + one, 0);
  const { rows, bar } = held("causes", groups, ({ cause }) => causeId(cause));
  const total = filter.namespace === "" ? groups.length : single.total ?? single.items.length;
  return html`
<header class="head">
  <h1>${head}</h1>
  <p class="lede" role="status">${text}</p>
</header>
<section class="sect" aria-labelledby="causes">
  <div class="sect-head"><h2 id="causes">${filter.namespace ? html`Open problems of ${name(filter.namespace)}` : "Open causes"} ${found(number(total))}</h2><a href="/api/v1/problems">This list as JSON</a></div>
  <form class="tools" role="search" aria-label="Problems" action="/problems" method="get">
    ${filterField({ label: "Filter by cause, object or reason", hint: "Filter: cause, object, reason", value: query("search"), rows: "cause-list" })}
    ${choice("Severity", "p-sev", "severity", "Any severity", optionsOf("severity", SEVERITIES), filter.severity)}
    ${choice("Who acts", "p-who", "actor", "Anyone acts", ACTORS.map((actor) => [actor, actorWord(actor)]), filter.actor)}
    ${filter.namespace ? html`<input type="hidden" name="namespace" value=${filter.namespace}>` : nothing}
    <button class="btn" type="submit">Apply</button>${filtered ? html`<a class="btn quiet" href="/problems">Clear</a>` : nothing}
  </form>
  ${bar}
  ${rows.length > 0 ? html`
  <div id="cause-list">
    <div class="cause-head" aria-hidden="true"><span>New nodes</span><span>Cause</span><span>Where</span><span>Who acts, how long</span><span></span></div>
    ${rows.map((one, at) => group(one, at === 0, filter))}
  </div>` : single?.items.length > 0 ? nothing
    : filtered ? empty("No open problem matches", html`<p><a class="btn" href="/problems">Clear the filters</a></p>`)
      : empty("No open problem", html`<p>${all === 0 ? "No MachineDeployment names a profile yet." : `${effects(all)}.`}</p>`)}
</section>
<p class="small muted">${resolvedSummary(resolved)}. <a href="/problems/resolved">Resolved problems</a></p>
${single?.items.length > 0 ? html`
<section class="sect" aria-labelledby="all">
  <div class="sect-head"><h2 id="all">All${filter.reason ? html` with ${code(filter.reason)}` : nothing}</h2></div>
  ${problemTable(single.items)}
  ${pager(single, "#all")}
</section>` : nothing}`;
}


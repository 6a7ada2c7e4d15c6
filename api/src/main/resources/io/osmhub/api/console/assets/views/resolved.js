/** Problems that were resolved in the last 24 hours, latest first, as far as the answering replica observed them. */
import { get, getRarely } from "../api.js";
import { crumbs, empty, held, html, look, table, where } from "../parts.js";
import { capital, count, exact, name, sentence, show, span, time } from "../text.js";

export const page = "problems";
export const live = true;
export const title = () => "Resolved problems";

const RECENT = 86_400_000;
const MOST = 500;

/** Resolved problems of the last 24 hours, for pages that only count them. */
export const readResolved = () => recent(getRarely);

async function recent(read) {
  const { items } = await read("/problems", { state: "Resolved", sort: "-resolvedAt", limit: MOST });
  return items.filter(({ resolvedAt }) => Date.now() - Date.parse(resolvedAt) < RECENT);
}

const seconds = ({ since, resolvedAt }) => (Date.parse(resolvedAt) - Date.parse(since)) / 1_000;
const countOf = (resolved) => `${capital(`${resolved.length === MOST ? "at least " : ""}${count(resolved.length, "problem", "problems")}`)} resolved in the last 24 hours`;

/** Their number and the median duration. */
export function resolvedSummary(resolved) {
  const durations = resolved.map(seconds).sort((one, other) => one - other);
  return countOf(resolved) + (durations.length === 0 ? "" : `, median duration ${span(durations[Math.trunc(durations.length / 2)])}`);
}

export const load = async () => ({ resolved: await recent(get) });

export function content({ resolved }) {
  const { rows, bar } = held("resolved", resolved, ({ id, resolvedAt }) => `${id} ${resolvedAt}`);
  return html`
<header class="head">
  ${crumbs([html`<a href="/problems">Problems</a>`, "Resolved"])}
  <h1>${countOf(resolved)}</h1>
  <p class="lede">Problems that ended while this replica was running. A problem is resolved when its cause is fixed or its object removed.</p>
</header>
<section class="sect" aria-labelledby="resolved">
  <div class="sect-head"><h2 id="resolved">Latest first</h2><a href="/api/v1/problems?state=Resolved&amp;sort=-resolvedAt">This list as JSON</a></div>
  ${bar}
  ${rows.length === 0 ? empty("No problem was resolved in the last 24 hours")
    : table({ by: "resolved" }, ["Resolved", "Severity", "Where", "What it was", "Duration"], rows.map((problem) => html`
<tr role="row" data-row=${problem.id}><td role="cell" class="n grow-1">${time("clock", problem.resolvedAt)}</td><td role="cell">${look("severity", problem.severity)}</td><th role="rowheader" scope="row" class="full">${where(problem, true)}<span class="sub">${name(problem.tenant)}</span></th><td role="cell" class="full why">${show(sentence(exact(problem)))} <code>${problem.reason}</code></td><td role="cell" class="n" data-label="Duration">${span(seconds(problem))}</td></tr>`))}
</section>`;
}


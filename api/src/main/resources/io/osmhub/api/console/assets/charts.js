/** Charts of the first page. Bars stretch with the page, text does not. */
import { html, svg, nothing } from "./parts.js";
import { count, milliseconds, number } from "./text.js";

const BASE = 74;
const HEIGHT = 52;
const GAP = 0.18;
const QUEUE_HEIGHT = 42;
const QUEUE_POINTS = 120;
const LATENCY = ["20 ms", "50", "100", "200", "500", "1 s", "2 s", "5 s", "10 s", "30 s", "more"];
/** Upper bounds of validity, in minutes, with the words of their range; the first is expired. */
const VALIDITY = [[0, "out"], [10, "0–10"], [20, "10–20"], [40, "20–40"], [60, "40–60"], [80, "60–80"], [100, "80–100"], [Infinity, "more"]];
const SHORT = 3;

const share = (value) => `${(value * 100).toFixed(2)}%`;

/* The line that the highest bar reaches, with its value; neither if nothing is drawn. */
const scale = (most, y, one, many) => most === 0 ? nothing
  : svg`<line class="grid" x1="0" y1=${y} x2="100%" y2=${y}></line><text x="0" y=${y - 5.5}>${count(most, one, many)}</text>`;

function bars(id, title, counts, words, bad, [one, many]) {
  const most = Math.max(...counts);
  const width = 1 / counts.length;
  return html`
<svg class="plot" role="img" aria-labelledby=${id}><title id=${id}>${title}</title>
  ${scale(most, 22.5, one, many)}
  ${counts.map((value, at) => {
    // A nonzero value stays visible: at least two units.
    const height = value === 0 ? 0 : Math.max(2, HEIGHT * value / most);
    return svg`<rect class="b ${at < bad ? "bad" : ""}" x=${share((at + GAP / 2) * width)} width=${share((1 - GAP) * width)} y=${(BASE - height).toFixed(2)} height=${height.toFixed(2)}></rect>`;
  })}
  <line class="base" x1="0" x2="100%" y1="74.5" y2="74.5"></line>
  ${words.map((word, at) => svg`<text x=${share((at + 0.5) * width)} y="88" text-anchor="middle">${word}</text>`)}
</svg>`;
}

const figure = (title, text, drawing) => html`<figure class="signal"><figcaption><h3>${title}</h3><span class="read">${text}</span></figcaption>${drawing}</figure>`;

/** Publishes of the last hour by duration, of all replicas. */
function latency(publish) {
  const counts = publish.buckets ?? LATENCY.map(() => 0);
  const text = !publish.count ? "no publish in the last hour"
    : `${count(publish.count, "publish", "publishes")}, half within ${milliseconds(publish.p50Milliseconds)}, 99 % within ${milliseconds(publish.p99Milliseconds)}`;
  return figure("Publish latency, all replicas", text, html`
${bars("lat-t", "Publish latency of the last 60 minutes, milliseconds", counts, LATENCY, 0, ["publish", "publishes"])}
<details class="numbers"><summary>Numbers</summary>
  <div class="scroll" tabindex="0" role="region" aria-label="Publishes by latency">
    <table><tbody>
      <tr><th scope="row">up to</th>${LATENCY.map((word) => html`<td>${word}</td>`)}</tr>
      <tr><th scope="row">publishes</th>${counts.map((value) => html`<td>${number(value)}</td>`)}</tr>
    </tbody></table>
  </div>
</details>`);
}

/** Waiting keys of the last hour, of one replica. */
function queue({ replica, depths, oldestSeconds }) {
  const highest = Math.max(0, ...depths);
  const points = Math.min(QUEUE_POINTS, depths.length);
  const line = Array.from({ length: points }, (_, point) => {
    const from = Math.trunc(point * depths.length / points);
    const to = Math.max(from + 1, Math.trunc((point + 1) * depths.length / points));
    const depth = Math.max(...depths.slice(from, to));
    // A young process fills the chart from the right.
    return `${point === 0 ? "M" : "L"}${QUEUE_POINTS - points + point} ${(QUEUE_HEIGHT - QUEUE_HEIGHT * depth / Math.max(1, highest)).toFixed(2)}`;
  }).join("");
  const text = `now ${number(depths.at(-1))}, oldest ${milliseconds(oldestSeconds * 1_000)}, most ${number(highest)}`;
  return figure(`Queue of ${replica}, keys waiting`, text, html`
<svg class="plot low" role="img" aria-labelledby="queue-t"><title id="queue-t">Keys waiting in the queue of ${replica}, last 60 minutes</title>
  ${scale(highest, 16.5, "key", "keys")}
  <svg x="0" y="16" width="100%" height="42" viewBox="0 0 120 42" preserveAspectRatio="none"><path class="area" d="${line}L${QUEUE_POINTS - 1} 42L${QUEUE_POINTS - points} 42Z"></path><path class="line" d=${line}></path></svg>
  <line class="base" x1="0" x2="100%" y1="58.5" y2="58.5"></line>
  <text x="0%" y="72" text-anchor="start">1 h ago</text>
  <text x="100%" y="72" text-anchor="end">now</text>
</svg>`);
}

/** Validity left of the bootstrap tokens that end first. */
function validity(ends, all) {
  if (ends.length === 0) return nothing;
  const minutes = ends.map((end) => (Date.parse(end) - Date.now()) / 60_000);
  const counts = VALIDITY.map(() => 0);
  for (const left of minutes) counts[VALIDITY.findIndex(([bound]) => left < bound)]++;
  const low = counts.slice(0, SHORT).reduce((sum, one) => sum + one, 0);
  const text = all ? `${number(low)} of ${count(ends.length, "token", "tokens")} below 20 min`
    : `${number(low)} of the ${number(ends.length)} that expire first below 20 min`;
  return figure("Token validity left, minutes", text,
    bars("tok-t", "Minutes left on the bootstrap tokens", counts, VALIDITY.map(([, word]) => word), SHORT, ["token", "tokens"]));
}

/** The charts, for callers who may see every tenant. */
export const charts = (summary, history, tokens) => html`
<section class="signals" aria-labelledby="signals">
  <h2 class="vh" id="signals">Signals of the last hour</h2>
  ${latency(summary.publish ?? {})}
  ${queue(history)}
  ${validity(tokens.ends, tokens.all)}
</section>`;

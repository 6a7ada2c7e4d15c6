/** Matches of the search by name: suggestions below the field while typing, and rows of the results page. */
import { render } from "./lit-html/lit-html.js";
import { get } from "./api.js";
import { badgeOf } from "./badges.js";
import { badged, html, linked, nothing, pageOf } from "./parts.js";
import { name, spaced } from "./text.js";

const SUGGESTED = 8;
const PAUSE = 120;

export const matchPage = (match) => pageOf(match.object, match.tenant, match.workerCluster);

/** The state of a match; nothing if it is not known. */
export function verdict(match) {
  const list = match.state ? "state" : match.newNodes ? "newNodes" : "valid";
  if (!match[list]) return nothing;
  const badge = badgeOf(list, match[list]);
  return badged({ ...badge, word: match.reason ? `${badge.word}: ${spaced(match.reason)}` : badge.word });
}

let asked = 0;
let wait = 0;

/** Handler of the field's input event. */
export function suggest({ target: field }) {
  const form = field.closest("form");
  const list = form.querySelector(".found");
  const hide = () => { list.hidden = true; render(nothing, list); };
  if (!form.dataset.listens) {
    form.dataset.listens = "";
    form.addEventListener("keydown", (event) => move(event, field, list, hide));
    form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) hide(); });
  }
  clearTimeout(wait);
  const q = field.value.trim();
  const mine = ++asked;
  if (q === "") { hide(); return; }
  wait = setTimeout(async () => {
    // Without a response, Enter still opens the results page.
    const found = await get("/search", { q, limit: SUGGESTED }).catch(() => undefined);
    if (found === undefined || mine !== asked) return;
    render(found.items.map(suggestion), list);
    list.hidden = found.items.length === 0;
  }, PAUSE);
}

function move(event, field, list, hide) {
  const links = [...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Escape") { hide(); field.focus(); }
  if (event.key === "ArrowDown" && links.length > 0) { event.preventDefault(); links[Math.min(at + 1, links.length - 1)].focus(); }
  if (event.key === "ArrowUp" && at >= 0) { event.preventDefault(); (at === 0 ? field : links[at - 1]).focus(); }
}

function suggestion(match) {
  const place = match.object.kind !== "WorkerCluster" && match.workerCluster ? match.workerCluster : match.tenant;
  const line = html`${name(match.object.name)}<span class="sub">${place ? html`${name(place)} ` : nothing}${verdict(match)}</span>`;
  return html`<li><span class="label-12 muted">${match.object.kind}</span>${linked(matchPage(match), line)}</li>`;
}

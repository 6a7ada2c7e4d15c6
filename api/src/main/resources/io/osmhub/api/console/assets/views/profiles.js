/** All profiles, and whether they are valid. */
import { get } from "../api.js";
import { badgeOf } from "../badges.js";
import { badged, empty, filterField, found, held, html, moved, nothing, pageOfList, pager, profilePage, table } from "../parts.js";
import { capital, code, count, machineDeployments, name, number, show, spaced } from "../text.js";

export const page = "profiles";
export const live = true;
export const title = () => "Profiles";

export const load = async ({ query }) => ({ list: await get("/osps", { search: query("search"), ...pageOfList(query) }) });

/** Whether a profile is valid, with the reason if it is not. */
export function validity({ valid = {} }) {
  const badge = badgeOf("valid", valid.status ?? "Unknown");
  return badged(valid.status === "False" ? { ...badge, word: spaced(valid.reason) } : badge);
}

const key = ({ metadata }) => `p/${metadata.namespace}/${metadata.name}`;

const row = (profile) => html`
<tr role="row" data-row=${key(profile)} class=${moved(key(profile), profile)}>
  <td role="cell" class="grow-1">${validity(profile)}</td>
  <th role="rowheader" scope="row" class="full"><a href=${profilePage(`${profile.metadata.namespace}/${profile.metadata.name}`)} data-open>${name(profile.metadata.name)}</a><span class="sub mono">${name(profile.metadata.namespace)}${profile.isDefault ? `, default${profile.edited ? ", edited" : ""}` : ""}</span></th>
  <td role="cell" data-label="Version">${show(profile.version)}</td>
  <td role="cell" class="w-os" data-label="OS">${name(profile.osName)} ${name(profile.osVersion)}</td>
  <td role="cell" class="full" data-label="Used by">${used(profile.usedBy)}</td>
  <td role="cell" class="full why" data-label="Providers">${(profile.supportedCloudProviders ?? []).map((provider, at) => html`${at > 0 ? ", " : ""}${name(provider)}`)}</td>
  <td role="cell" class="w-engine" data-label="Engine">${name(profile.templateEngine)}</td>
</tr>`;

const used = ({ machineDeployments: mds = 0, workerClusters = 0 } = {}) => mds === 0 ? "none" : `${machineDeployments(mds)} in ${count(workerClusters, "cluster", "clusters")}`;

export function content({ list }, { query, may }) {
  const search = query("search");
  const total = list.total ?? list.items.length;
  const { rows, bar } = held("profiles", list.items, key);
  const hidden = !may("ViewSharedProfiles");
  return html`
<header class="head">
  <h1>${capital(count(total, "profile", "profiles"))}${search ? html` with “${show(search)}”` : nothing}</h1>
  <p class="lede">An OperatingSystemProfile is the template of a machine's configuration. Profiles are managed in Git and applied to the management cluster; the console shows them read-only.</p>
</header>
<section class="sect" aria-labelledby="list">
  <div class="sect-head"><h2 id="list">Profiles ${found(number(total))}</h2><a href="/api/v1/osps">This list as JSON</a></div>
  <form class="tools" role="search" aria-label="Profiles" action="/profiles" method="get">
    ${filterField({ label: "Filter by name or namespace", hint: "Filter: name, namespace", value: search, rows: "osp-rows" })}
    <button class="btn" type="submit">Apply</button>${search ? html`<a class="btn quiet" href="/profiles">Clear</a>` : nothing}
  </form>
  ${bar}
  ${rows.length > 0 ? html`
    ${table({ by: "list", id: "osp-rows", classes: "rows reflow" }, ["Templates", "Profile", "Version", "OS", "Used by", "Providers", "Engine"], rows.map(row))}
    ${pager(list, "")}`
    : search ? empty("No profile matches", html`<p><a class="btn" href="/profiles">Clear the filter</a></p>`)
      : hidden ? nothing : empty("No profile exists")}
  ${hidden ? empty("You may not view the shared profiles", html`<p>Ask a cluster administrator for a RoleBinding to osmhub.io:profile-reader in their namespace; value ${code("profiles.readers")} of the Helm chart names the groups that have one.</p>`) : nothing}
</section>`;
}

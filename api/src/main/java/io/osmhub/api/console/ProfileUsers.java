package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.problem.ApiProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;

/** The worker clusters that use a profile: what their nodes get, and why they do not have its current version. */
final class ProfileUsers {
    /** MachineDeployments of one cluster that are read. */
    private static final String MOST = "100";

    /** Sums and texts of the MachineDeployments of one cluster. */
    private record Users(
            Map<String, Long> effects,
            TreeSet<String> versions,
            TreeSet<String> reasons,
            List<Map<String, Object>> rows) {
        Users() {
            this(new LinkedHashMap<>(), new TreeSet<>(), new TreeSet<>(), new ArrayList<>());
        }
    }

    private ProfileUsers() {}

    /** Adds the page of clusters to the model; {@code tenants} receives them, working ones first. */
    static void add(
            PageContext visit,
            ReplyTree profile,
            Map<String, Object> model,
            LiveCells cells,
            SequencedSet<ProfilePage.Tenant> tenants)
            throws ApiProblem {
        String reference = profile.text("metadata.namespace") + "/" + profile.text("metadata.name");
        OperationRequest question = new OperationRequest("listWorkerClusters")
                .query("profile", reference)
                .query("sort", "-state,namespace");
        List<ReplyTree> clusters = new ArrayList<>();
        long total = ListControls.addRows(
                visit,
                question,
                "#users",
                cluster -> {
                    clusters.add(cluster);
                    return cluster.toMutableMap();
                },
                model);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (ReplyTree cluster : clusters) {
            String namespace = cluster.text("metadata.namespace");
            String name = cluster.text("metadata.name");
            Users users = users(visit, reference, profile.text("version"), cluster);
            String key = "u/" + namespace + "/" + name;
            cells.row(key);
            cells.state(key + "/effect", ClusterRows.effect(users.effects()));
            cells.text(key + "/versions", users.versions().isEmpty() ? "none" : String.join(", ", users.versions()));
            cells.text(key + "/why", String.join("; ", users.reasons()));
            Map<String, Object> row = cluster.toMutableMap();
            row.put("key", key);
            row.put("href", PageUrls.cluster(namespace, name));
            row.put("deployments", users.rows());
            rows.add(row);
            ProfilePage.Tenant tenant = new ProfilePage.Tenant(namespace, name);
            if (users.effects().getOrDefault("Current", 0L) > 0) {
                tenants.addFirst(tenant);
            } else {
                tenants.addLast(tenant);
            }
        }
        model.put("items", rows);
        long mds = profile.number("usedBy.machineDeployments");
        cells.text(
                "total",
                MessageText.machineDeployments(mds)
                        + (total == 0 ? "" : " in " + NumberFormats.count(total, "cluster", "clusters")));
    }

    private static Users users(PageContext visit, String reference, String version, ReplyTree cluster)
            throws ApiProblem {
        Users users = new Users();
        List<ReplyTree> deployments = visit.call(new OperationRequest("listMachineDeployments")
                        .query("profile", reference)
                        .query("namespace", cluster.text("metadata.namespace"))
                        .query("limit", MOST))
                .list("items");
        for (ReplyTree md : deployments) {
            String newNodes = md.text("newNodes");
            String published = md.text("profileVersion");
            users.effects().merge(newNodes, 1L, Long::sum);
            if (!published.isEmpty()) {
                users.versions().add(published);
            }
            if (!newNodes.equals("Current") || !published.equals(version)) {
                users.reasons().add(whyNotNewer(md, cluster));
            }
            users.rows()
                    .add(Map.of(
                            "href",
                            PageUrls.machineDeployment(md.text("tenant"), md.text("namespace"), md.text("name")),
                            "name",
                            md.text("namespace") + "/" + md.text("name"),
                            "newNodes",
                            newNodes,
                            "version",
                            published));
        }
        return users;
    }

    /** The problem of the MachineDeployment, else what the state of its cluster implies. */
    private static String whyNotNewer(ReplyTree md, ReplyTree cluster) {
        String reason = md.text("reason");
        String state = cluster.text("state");
        return !reason.isEmpty()
                ? MessageText.spaced(reason)
                : switch (state) {
                    case "Paused" -> "Paused: the hub writes nothing";
                    case "Unreachable", "Unauthorized", "Connecting" ->
                        "No connection: " + state.toLowerCase(Locale.ROOT);
                    default -> "Being published";
                };
    }
}

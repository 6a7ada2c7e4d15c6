package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.console.ListControls.Column;
import io.osmhub.api.problem.ApiProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** State of one worker cluster: its connection, MachineDeployments and problems. */
final class TenantPage implements ConsolePage {
    private static final String BUILT_IN = "Built-in";
    private static final String USUAL = "-newNodes";
    private static final Duration STRIP = Duration.ofDays(1);
    /** States with a connection. */
    private static final Set<String> CONNECTED = Set.of("Synced", "Degraded");
    /** Interruptions in words; the drawing has them all. */
    private static final int MOST_NOTES = 8;

    private static final List<Column> COLUMNS = List.of(
            new Column("New nodes", "newNodes"),
            new Column("Name", "name"),
            new Column("Chain", ""),
            new Column("Profile", "profile"),
            new Column("Revision", ""),
            new Column("Kubelet", "kubeletVersion"),
            new Column("Nodes ready", ""),
            new Column("Token left", "tokenExpiresAt"));

    @Override
    public PageView view(PageContext visit, PageFrame frame) throws ApiProblem {
        String namespace = visit.pathPart("namespace");
        String name = visit.pathPart("name");
        ReplyTree cluster = visit.call(new OperationRequest("getWorkerCluster")
                .path("namespace", namespace)
                .path("name", name));
        LiveCells cells = new LiveCells();
        Map<String, Object> model = cluster.toMutableMap();
        cells.state("state", StateBadge.of("state", cluster.text("state")));
        cells.time("answer", "noAnswer", cluster.instant("status.noAnswerSince"), "");
        cells.text("lede", lede(cluster));
        machineDeployments(visit, namespace, model, cells);
        ReplyTree problems = visit.call(new OperationRequest("listProblems")
                .query("state", "Open")
                .query("namespace", namespace)
                .query("limit", "20"));
        model.put(
                "objects",
                problems.list("items").stream().map(CauseRows::object).toList());
        settings(visit, namespace, name).ifPresent(all -> settings(all, model));
        TenantEvents.add(visit, namespace, model, cells);
        strip(cluster, visit.now(), model);
        model.put(
                "may",
                Map.of("rotate", frame.isAllowed("Rotate", namespace), "remove", frame.isAllowed("Remove", namespace)));
        model.put("here", visit.currentPath());
        return new PageView("tenant", "fleet", name + " · " + namespace, model, cells, true);
    }

    private static String lede(ReplyTree cluster) {
        ReplyTree counts = cluster.at("status.machineDeployments");
        long total = counts.number("total");
        long blocked = counts.number("blocked");
        long stale = counts.number("outdated") + counts.number("atRisk");
        String state = cluster.text("state");
        String connection =
                switch (state) {
                    case "Unreachable" -> "The hub cannot reach its API server.";
                    case "Unauthorized" -> "Its API server rejects the hub's credential.";
                    case "Connecting" -> "The hub is connecting to it.";
                    case "Paused" -> "Paused: the hub writes nothing to it.";
                    case "Closed" -> "It is being removed.";
                    default ->
                        cluster.has("status.noAnswerSince")
                                ? "Its API server does not answer pings."
                                : "The connection is fine.";
                };
        String nodes;
        if (total == 0) {
            nodes = cluster.has("status.machineDeployments")
                    ? "No MachineDeployment names a profile."
                    : "What its new nodes get is not known yet" + unread(cluster) + ".";
        } else {
            nodes = MessageText.effects(total, blocked, stale) + ".";
        }
        return nodes + " " + connection;
    }

    /** Why a cluster that was never read is not; empty while it is being read. */
    private static String unread(ReplyTree cluster) {
        return cluster.list("status.conditions").stream()
                .filter(condition -> List.of("CredentialsValid", "Connected").contains(condition.text("type")))
                .filter(condition -> condition.text("status").equals("False"))
                .findFirst()
                .map(condition ->
                        ": " + MessageText.spaced(condition.text("reason")).toLowerCase(Locale.ROOT))
                .orElse("");
    }

    private static void machineDeployments(
            PageContext visit, String namespace, Map<String, Object> model, LiveCells cells) throws ApiProblem {
        OperationRequest question = new OperationRequest("listMachineDeployments")
                .query("namespace", namespace)
                .query("search", visit.queryText("search"))
                .query("newNodes", visit.oneOf("newNodes", ListControls.NEW_NODES))
                .query("sort", ListControls.sort(visit, COLUMNS));
        Function<ReplyTree, Map<String, Object>> row =
                md -> ClusterRows.machineDeployment(md, "m/" + md.text("namespace") + "/" + md.text("name"), cells);
        cells.number("total", ListControls.addRows(visit, question, "#mds", row, model));
        model.put("columns", ListControls.columns(visit, COLUMNS, USUAL, "#mds"));
        model.put("filter", visit.query());
        model.put(
                "filtered",
                !visit.queryText("search").isEmpty()
                        || !visit.queryText("newNodes").isEmpty());
        model.put("effects", ListControls.choices("newNodes", ListControls.NEW_NODES));
    }

    /** Configured settings are shown; built-in ones unfold. */
    private static void settings(List<Map<String, Object>> all, Map<String, Object> model) {
        Map<Boolean, List<Map<String, Object>>> builtIn =
                all.stream().collect(Collectors.partitioningBy(row -> BUILT_IN.equals(row.get("source"))));
        model.put("settings", !all.isEmpty());
        model.put("settingsSet", Map.of("rows", builtIn.getOrDefault(false, List.of())));
        model.put("settingsBuiltIn", Map.of("rows", builtIn.getOrDefault(true, List.of())));
        model.put(
                "settingsWords",
                MessageText.capital(NumberFormats.count(
                                builtIn.getOrDefault(true, List.of()).size(), "setting is", "settings are"))
                        + " built in");
    }

    /** Effective settings of the tenant; visible to every caller who may view it. */
    private static Optional<List<Map<String, Object>>> settings(PageContext visit, String namespace, String name)
            throws ApiProblem {
        Optional<ReplyTree> effective = visit.callIfAllowed(new OperationRequest("getEffectiveSettings")
                .path("namespace", namespace)
                .path("name", name));
        return effective.map(answer -> answer.list("items").stream()
                .map(item -> {
                    Map<String, Object> row = item.toMutableMap();
                    row.put("shown", shown(item.value("value")));
                    row.put(
                            "source",
                            switch (item.text("source")) {
                                case "BuiltIn" -> BUILT_IN;
                                case "Platform" -> String.join(", ", item.texts("origins"));
                                default -> item.text("source");
                            });
                    return row;
                })
                .toList());
    }

    private static String shown(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case List<?> list ->
                String.join(", ", list.stream().map(TenantPage::shown).toList());
            case Map<?, ?> map ->
                String.join(
                        ", ",
                        map.entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + shown(entry.getValue()))
                                .toList());
            default -> value.toString();
        };
    }

    /** The connection of the last 24 hours, drawn to scale; what the answering replica did not observe stays empty. */
    private static void strip(ReplyTree cluster, Instant now, Map<String, Object> model) {
        Instant from = now.minus(STRIP);
        double whole = STRIP.toMillis();
        List<Map<String, Object>> bars = new ArrayList<>();
        List<Map<String, String>> notes = new ArrayList<>();
        Instant observed = now;
        long connected = 0;
        for (ReplyTree interval : cluster.list("connection.intervals")) {
            Instant start = interval.instant("from").orElse(now);
            Instant end = interval.instant("to").orElse(now);
            if (end.isBefore(from)) {
                continue;
            }
            Instant begin = start.isBefore(from) ? from : start;
            observed = begin.isBefore(observed) ? begin : observed;
            long length = Duration.between(begin, end).toMillis();
            StateBadge look = StateBadge.of("state", interval.text("state"));
            // A degraded cluster has problems, but a connection.
            boolean ok = CONNECTED.contains(interval.text("state"));
            boolean bad = look.tone().equals("bad") || look.tone().equals("lock");
            connected += ok ? length : 0;
            bars.add(Map.of(
                    "classes", ok ? "s-ok" : bad ? "s-bad" : "s-warn",
                    "x", NumberFormats.percent(Duration.between(from, begin).toMillis() / whole),
                    "width", NumberFormats.percent(Math.max(0.002, length / whole)),
                    "y", ok ? "8" : bad ? "0" : "6",
                    "height", ok ? "10" : bad ? "20" : "12"));
            if (!ok) {
                notes.add(Map.of(
                        "state", interval.text("state"),
                        "from", begin.toString(),
                        "length", TimeFormats.span(Duration.ofMillis(length)),
                        "open", interval.has("to") ? "" : "still"));
            }
        }
        model.put("strip", bars);
        model.put("stripNotes", notes.subList(Math.max(0, notes.size() - MOST_NOTES), notes.size()));
        model.put("stripMore", Math.max(0, notes.size() - MOST_NOTES));
        model.put("stripFrom", observed.toString());
        model.put("stripAll", !observed.isAfter(from));
        model.put(
                "stripAt",
                NumberFormats.percent(Duration.between(from, observed).toMillis() / whole));
        long length = Duration.between(observed, now).toMillis();
        model.put(
                "stripShare",
                bars.isEmpty() || length == 0 ? "" : "connected " + NumberFormats.shareBelow(connected, length));
    }
}

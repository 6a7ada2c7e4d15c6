package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.console.ListControls.Column;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.schema.DurationFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** State of one worker cluster: its connection, MachineDeployments and problems. */
final class TenantPage implements ConsolePage {
    private static final String BUILT_IN = "Built-in";
    private static final String USUAL = "-newNodes";
    private static final Duration CLEAN_UP = Duration.ofMinutes(2);
    private static final Duration STRIP = Duration.ofDays(1);
    /** States with a connection. */
    private static final Set<String> CONNECTED = Set.of("Synced", "Degraded");
    /** Interruptions in words; the drawing has them all. */
    private static final int MOST_NOTES = 8;
    /** Minutes that a short interruption is drawn with, to stay visible. */
    private static final long SHORTEST = 3;

    private static final String OFF = "off";

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
        conditions(cluster, cells);
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
        strip(cluster, visit.now(), cells);
        model.put(
                "interruptions",
                IntStream.range(0, MOST_NOTES).mapToObj(at -> "strip/" + at).toList());
        model.put(
                "may",
                Map.of("rotate", frame.isAllowed("Rotate", namespace), "remove", frame.isAllowed("Remove", namespace)));
        Duration cleanUp = DurationFormat.parse(cluster.text("spec.cleanupTimeout"));
        model.put("cleanUp", TimeFormats.span(cleanUp == null ? CLEAN_UP : cleanUp));
        model.put("here", visit.currentPath());
        return new PageView("tenant", "fleet", name + " · " + namespace, model, cells, true);
    }

    private static void conditions(ReplyTree cluster, LiveCells cells) {
        for (ReplyTree condition : cluster.list("status.conditions")) {
            String key = "c/" + condition.text("type");
            String reason = condition.text("reason");
            cells.state(key + "/status", StateBadge.of("status", condition.text("status")));
            cells.text(key + "/reason", reason);
            cells.text(key + "/message", ProblemEntries.capital(condition.text("message")));
            cells.time(key + "/since", "clock", condition.instant("lastTransitionTime"), "");
        }
    }

    private static String lede(ReplyTree cluster) {
        ReplyTree counts = cluster.at("status.machineDeployments");
        long total = counts.number("total");
        long blocked = counts.number("blocked");
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
            nodes = MessageText.effects(total, blocked, counts.number("outdated"), counts.number("atRisk")) + ".";
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
                ProblemEntries.capital(NumberFormats.count(
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
    private static void strip(ReplyTree cluster, Instant now, LiveCells cells) {
        Instant from = now.minus(STRIP);
        Map<String, StringBuilder> drawing = new LinkedHashMap<>();
        List.of("s-ok", "s-warn", "s-bad").forEach(classes -> drawing.put(classes, new StringBuilder()));
        List<ReplyTree> interruptions = new ArrayList<>();
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
            StateBadge look = StateBadge.of("state", interval.text("state"));
            // A degraded cluster has problems, but a connection.
            boolean ok = CONNECTED.contains(interval.text("state"));
            boolean bad = look.tone().equals("bad") || look.tone().equals("lock");
            if (ok) {
                connected += Duration.between(begin, end).toMillis();
            } else {
                interruptions.add(interval);
            }
            // In whole minutes, so that open pages get a new drawing once a minute.
            long x = Duration.between(from, begin).toMinutes();
            long width = Math.max(SHORTEST, Duration.between(from, end).toMinutes() - x);
            drawing.getOrDefault(ok ? "s-ok" : bad ? "s-bad" : "s-warn", new StringBuilder())
                    .append('M')
                    .append(x)
                    .append(ok ? " 8" : bad ? " 0" : " 6")
                    .append('h')
                    .append(width)
                    .append(ok ? "v10" : bad ? "v20" : "v12")
                    .append("H")
                    .append(x)
                    .append('Z');
        }
        long length = Duration.between(observed, now).toMillis();
        cells.classes("strip", length == 0 ? OFF : "sect");
        drawing.forEach((classes, path) -> cells.shape("strip/" + classes, Map.of("d", path.toString())));
        cells.shape(
                "strip/none",
                Map.of("x2", String.valueOf(Duration.between(from, observed).toMinutes())));
        cells.classes("strip/note", observed.isAfter(from) ? "small muted" : OFF);
        cells.time("strip/from", "clock", Optional.of(observed), "");
        String share = length == 0
                ? ""
                : "connected " + NumberFormats.shareBelow(connected, length)
                        + (observed.isAfter(from) ? " of the observed time" : "");
        cells.text(
                "strip/share",
                cluster.has("connection.roundTripMilliseconds")
                        ? share + ", round trip "
                                + NumberFormats.number(cluster.number("connection.roundTripMilliseconds")) + " ms"
                        : share);
        interruptions(interruptions, from, now, cells);
    }

    /** The latest interruptions in words. */
    private static void interruptions(List<ReplyTree> all, Instant from, Instant now, LiveCells cells) {
        int earlier = Math.max(0, all.size() - MOST_NOTES);
        for (int at = 0; at < MOST_NOTES; at++) {
            String key = "strip/" + at;
            boolean there = earlier + at < all.size();
            ReplyTree interval = there ? all.get(earlier + at) : ReplyTree.NONE;
            Instant start = interval.instant("from").filter(from::isBefore).orElse(from);
            String length = TimeFormats.span(
                    Duration.between(start, interval.instant("to").orElse(now)));
            cells.classes(key, there ? "on" : OFF)
                    .state(key + "/state", StateBadge.of("state", interval.text("state")));
            cells.time(key + "/from", "clock", Optional.of(start).filter(known -> there), "");
            cells.text(key + "/length", interval.has("to") ? length : "for " + length + " so far");
        }
        cells.classes("strip/earlier", earlier > 0 ? "muted" : OFF).number("strip/more", earlier);
    }
}

package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.console.Listing.Column;
import io.osmhub.api.problem.ApiProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Is it my cluster, my profile or the hub? */
final class TenantPage implements Screen {
    private static final String BUILT_IN = "Built-in";
    private static final String USUAL = "-newNodes";
    private static final List<Column> COLUMNS = List.of(
            new Column("New nodes", "newNodes"),
            new Column("Name", "name"),
            new Column("Chain", ""),
            new Column("Profile", "profile"),
            new Column("Revision", ""),
            new Column("Kubelet", "kubeletVersion"),
            new Column("Token left", "tokenExpiresAt"));

    @Override
    public View view(Visit visit, Frame frame) throws ApiProblem {
        String namespace = visit.part("namespace");
        String name = visit.part("name");
        Answer cluster = visit.ask(
                new Question("getWorkerCluster").path("namespace", namespace).path("name", name));
        Cells cells = new Cells();
        Map<String, Object> model = cluster.open();
        cells.state("state", Look.of("state", cluster.text("state")));
        cells.text("lede", lede(cluster));
        machineDeployments(visit, namespace, model, cells);
        Answer problems = visit.ask(new Question("listProblems")
                .query("state", "Open")
                .query("namespace", namespace)
                .query("limit", "20"));
        model.put("objects", problems.list("items").stream().map(Causes::object).toList());
        settings(visit, namespace, name).ifPresent(all -> settings(all, model));
        TenantEvents.add(visit, namespace, model, cells);
        strip(cluster, visit.now(), model);
        model.put("may", Map.of("rotate", frame.may("Rotate", namespace), "remove", frame.may("Remove", namespace)));
        model.put("here", visit.here());
        return new View("tenant", "fleet", name, model, cells, true);
    }

    private static String lede(Answer cluster) {
        Answer counts = cluster.at("status.machineDeployments");
        long total = counts.number("total");
        long blocked = counts.number("blocked");
        long stale = counts.number("outdated") + counts.number("atRisk");
        String state = cluster.text("state");
        String connection =
                switch (state) {
                    case "Unreachable" -> "The hub cannot reach its API server.";
                    case "Unauthorized" -> "Its API server refuses the hub's credential.";
                    case "Connecting" -> "The hub is connecting to it.";
                    case "Paused" -> "It is paused: the hub writes nothing to it.";
                    case "Closed" -> "It is being removed.";
                    default -> "The connection is fine.";
                };
        String nodes;
        if (total == 0) {
            nodes = cluster.has("status.machineDeployments")
                    ? "No MachineDeployment names a profile."
                    : "Its MachineDeployments are not known yet.";
        } else if (blocked > 0) {
            nodes = Figures.number(blocked) + " of " + Figures.count(total, "MachineDeployment", "MachineDeployments")
                    + " cannot start nodes.";
        } else if (stale > 0) {
            nodes = Words.start(total) + ", " + (total == 1 ? "but" : Figures.number(stale)) + " not as wanted.";
        } else {
            nodes = Words.start(total) + " as wanted.";
        }
        return nodes + " " + connection;
    }

    private static void machineDeployments(Visit visit, String namespace, Map<String, Object> model, Cells cells)
            throws ApiProblem {
        Question question = new Question("listMachineDeployments")
                .query("namespace", namespace)
                .query("search", visit.asked("search"))
                .query("newNodes", visit.oneOf("newNodes", Listing.NEW_NODES))
                .query("sort", Listing.sort(visit, COLUMNS));
        Listing.page(visit, question);
        Answer list = visit.ask(question);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Answer md : list.list("items")) {
            String key = "m/" + md.text("namespace") + "/" + md.text("name");
            Clusters.machineDeployment(md, key, cells);
            Map<String, Object> row = md.open();
            row.put("key", key);
            row.put("href", Addresses.machineDeployment(md.text("tenant"), md.text("namespace"), md.text("name")));
            rows.add(row);
        }
        model.put("items", rows);
        model.put("columns", Listing.columns(visit, COLUMNS, USUAL, "#mds"));
        model.put("pager", Listing.pager(visit, list, rows.size(), "#mds"));
        cells.number("total", list.has("total") ? list.number("total") : rows.size());
        model.put("filter", visit.query());
        model.put(
                "filtered",
                !visit.asked("search").isEmpty() || !visit.asked("newNodes").isEmpty());
        model.put("effects", Listing.choices("newNodes", Listing.NEW_NODES));
    }

    /** What somebody has set stands on the page; what is built in unfolds. */
    private static void settings(List<Map<String, Object>> all, Map<String, Object> model) {
        Map<Boolean, List<Map<String, Object>>> builtIn =
                all.stream().collect(Collectors.partitioningBy(row -> BUILT_IN.equals(row.get("source"))));
        model.put("settings", !all.isEmpty());
        model.put("settingsSet", Map.of("rows", builtIn.getOrDefault(false, List.of())));
        model.put("settingsBuiltIn", Map.of("rows", builtIn.getOrDefault(true, List.of())));
        model.put(
                "settingsWords",
                Words.capital(Figures.count(
                                builtIn.getOrDefault(true, List.of()).size(), "setting is", "settings are"))
                        + " built in");
    }

    /** What holds for the tenant; shown to whoever may see it. */
    private static Optional<List<Map<String, Object>>> settings(Visit visit, String namespace, String name)
            throws ApiProblem {
        Optional<Answer> effective = visit.askIfAllowed(new Question("getEffectiveSettings")
                .path("namespace", namespace)
                .path("name", name));
        return effective.map(answer -> answer.list("items").stream()
                .map(item -> {
                    Map<String, Object> row = item.open();
                    row.put("shown", shown(item.value("value")));
                    row.put(
                            "source",
                            switch (item.text("source")) {
                                case "BuiltIn" -> BUILT_IN;
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

    /** The connection of the last 24 hours, drawn to scale. */
    private static void strip(Answer cluster, Instant now, Map<String, Object> model) {
        Instant from = now.minus(Duration.ofDays(1));
        double whole = Duration.ofDays(1).toMillis();
        List<Map<String, Object>> bars = new ArrayList<>();
        List<Map<String, Object>> notes = new ArrayList<>();
        for (Answer interval : cluster.list("connection.intervals")) {
            Instant start = interval.moment("from").orElse(now);
            Instant end = interval.moment("to").orElse(now);
            if (end.isBefore(from)) {
                continue;
            }
            Instant begin = start.isBefore(from) ? from : start;
            String tone = Look.of("state", interval.text("state")).tone();
            Map<String, Object> bar = new LinkedHashMap<>();
            bar.put(
                    "classes",
                    switch (tone) {
                        case "ok" -> "s-ok";
                        case "warn", "quiet" -> "s-warn";
                        default -> "s-bad";
                    });
            bar.put("x", Figures.percent(Duration.between(from, begin).toMillis() / whole));
            bar.put(
                    "width",
                    Figures.percent(Math.max(0.002, Duration.between(begin, end).toMillis() / whole)));
            boolean ok = tone.equals("ok");
            boolean bad = tone.equals("bad") || tone.equals("lock");
            bar.put("y", ok ? "8" : bad ? "0" : "6");
            bar.put("height", ok ? "10" : bad ? "20" : "12");
            bars.add(bar);
            if (!ok) {
                notes.add(interval.open());
            }
        }
        model.put("strip", bars);
        model.put("stripNotes", notes);
    }
}

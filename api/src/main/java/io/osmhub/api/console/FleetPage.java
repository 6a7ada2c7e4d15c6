package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.console.Listing.Column;
import io.osmhub.api.ops.FleetFigures;
import io.osmhub.api.problem.ApiProblem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Is the fleet well, and what is fixed first? */
final class FleetPage implements Screen {
    private static final String USUAL = "-state";
    private static final int CAUSES = 5;
    private static final List<Column> COLUMNS = List.of(
            new Column("State", "state"),
            new Column("Worker cluster", "name"),
            new Column("Why", ""),
            new Column("MachineDeployments", "machineDeployments"),
            new Column("Kubernetes", "kubernetesVersion"),
            new Column("Credential", "credentialsExpireAt"),
            new Column("Shortest token", "shortestToken"),
            new Column("Last sync", "lastSyncTime"));

    /** Most that one list gives. */
    private static final int MOST_TOKENS = 500;

    private final FleetFigures figures;
    private volatile Ends ends = new Ends(Instant.MIN, List.of());

    private record Ends(Instant at, List<Instant> tokens) {}

    FleetPage(FleetFigures figures) {
        this.figures = figures;
    }

    @Override
    public View view(Visit visit, Frame frame) throws ApiProblem {
        Answer summary = frame.summary();
        Cells cells = new Cells();
        Map<String, Object> model = new LinkedHashMap<>();
        headline(summary, cells);
        model.put("facets", facets(visit, summary, cells));
        model.put(
                "causes",
                summary.list("causes").stream().limit(CAUSES).map(Causes::row).toList());
        if (frame.seesAll()) {
            model.put("figures", Charts.of(figures, tokens(visit), MOST_TOKENS, visit.now(), cells));
        }
        clusters(visit, model, cells);
        return new View("fleet", "fleet", "Fleet", model, cells, true);
    }

    /** Ends of the tokens that end first. Only asked by who sees every tenant, so one answer serves all of them for a while. */
    private List<Instant> tokens(Visit visit) throws ApiProblem {
        Ends known = ends;
        if (known.at().isAfter(visit.now().minus(FleetFigures.STEP))) {
            return known.tokens();
        }
        List<Instant> tokens = visit
                .ask(new Question("listMachineDeployments")
                        .query("sort", "tokenExpiresAt")
                        .query("limit", String.valueOf(MOST_TOKENS)))
                .list("items")
                .stream()
                .flatMap(md -> md.moment("tokenExpiresAt").stream())
                .toList();
        ends = new Ends(visit.now(), tokens);
        return tokens;
    }

    private static void headline(Answer summary, Cells cells) {
        Map<String, Long> effects = counts(summary, "machineDeployments");
        long all = effects.values().stream().mapToLong(Long::longValue).sum();
        long blocked = effects.getOrDefault("Blocked", 0L);
        long outdated = effects.getOrDefault("Outdated", 0L);
        long risk = effects.getOrDefault("AtRisk", 0L);
        String machineDeployments = Figures.count(all, "MachineDeployment", "MachineDeployments");
        if (all == 0) {
            nothing(summary, cells);
            return;
        }
        if (blocked > 0) {
            cells.text("headline", Figures.number(blocked) + " of " + machineDeployments + " cannot start nodes");
        } else if (outdated + risk > 0) {
            cells.text(
                    "headline",
                    Words.start(all) + ", " + (all == 1 ? "but" : Figures.number(outdated + risk)) + " not as wanted");
        } else {
            cells.text("headline", Words.start(all) + " as wanted");
        }
        int causes = summary.list("causes").size();
        List<String> words = new ArrayList<>();
        if (outdated > 0) {
            words.add(Words.verb(outdated, "starts", "start") + " nodes with an older configuration");
        }
        if (risk > 0) {
            words.add(Figures.number(risk) + " will stop soon unless someone acts");
        }
        words.add(Words.verb(effects.getOrDefault("Current", 0L), "is", "are") + " current");
        long pending = effects.getOrDefault("Pending", 0L);
        if (pending > 0) {
            words.add(Words.verb(pending, "is", "are") + " being published or not known yet");
        }
        cells.text(
                "lede",
                String.join(", ", words) + ". "
                        + (causes == 0
                                ? "Nothing is wrong."
                                : Words.capital(Figures.count(causes, "cause explains", "causes explain"))
                                        + " all of it."));
    }

    /** A fleet without a MachineDeployment: what comes first. */
    private static void nothing(Answer summary, Cells cells) {
        boolean clusters = counts(summary, "workerClusters").values().stream().anyMatch(number -> number > 0);
        int causes = summary.list("causes").size();
        cells.text(
                "headline",
                clusters ? "No MachineDeployment with a profile is known yet" : "No worker cluster is registered yet");
        cells.text(
                "lede",
                clusters
                        ? (causes > 0
                                ? "First comes what is to be fixed below."
                                : "One does with the annotation k8c.io/operating-system-profile, in its worker cluster.")
                        : "Once one is, its MachineDeployments and what is wrong with them stand here.");
    }

    private static Map<String, Long> counts(Answer summary, String field) {
        Map<String, Long> counts = new LinkedHashMap<>();
        summary.at(field).tree().forEach((word, number) -> counts.put(word, Helpers.number(number)));
        return counts;
    }

    private static List<Map<String, Object>> facets(Visit visit, Answer summary, Cells cells) {
        Map<String, Long> states = counts(summary, "workerClusters");
        List<Map<String, Object>> facets = new ArrayList<>();
        for (String state : List.of("Synced", "Degraded", "Unreachable", "Unauthorized", "Paused", "Connecting")) {
            boolean chosen = visit.asked("state").equals(state);
            cells.number("facet/" + state, states.getOrDefault(state, 0L));
            facets.add(Map.of(
                    "state",
                    state,
                    "chosen",
                    chosen,
                    "href",
                    visit.with(Map.of("state", chosen ? "" : state)) + "#clusters"));
        }
        return facets;
    }

    private static void clusters(Visit visit, Map<String, Object> model, Cells cells) throws ApiProblem {
        Question question = new Question("listWorkerClusters")
                .query("search", visit.asked("search"))
                .query("state", visit.oneOf("state", Listing.STATES))
                .query("newNodes", visit.oneOf("newNodes", Listing.NEW_NODES))
                .query("kubernetesVersion", version(visit.asked("kubernetesVersion")))
                .query("profile", visit.asked("profile"))
                .query("sort", Listing.sort(visit, COLUMNS));
        Listing.page(visit, question);
        Answer list = visit.ask(question);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Answer cluster : list.list("items")) {
            rows.add(row(cluster, cells));
        }
        model.put("items", rows);
        model.put("columns", Listing.columns(visit, COLUMNS, USUAL, "#clusters"));
        model.put("pager", Listing.pager(visit, list, rows.size(), "#clusters"));
        cells.number("total", list.has("total") ? list.number("total") : rows.size());
        Map<String, String> filter = filter(visit);
        model.put("filter", filter);
        model.put("filtered", !filter.isEmpty());
        model.put("question", String.join(", ", filter.values()));
        model.put("api", Visit.question(filter));
        model.put("states", Listing.choices("state", Listing.STATES));
        model.put("effects", Listing.choices("newNodes", Listing.NEW_NODES));
    }

    /** The contract filters by minor versions. */
    private static String version(String asked) {
        return asked.matches("[0-9]{1,3}\\.[0-9]{1,3}") ? asked : "";
    }

    private static Map<String, String> filter(Visit visit) {
        Map<String, String> filter = new LinkedHashMap<>();
        for (String name : List.of("search", "state", "newNodes", "kubernetesVersion", "profile")) {
            if (!visit.asked(name).isEmpty()) {
                filter.put(name, visit.asked(name));
            }
        }
        return filter;
    }

    private static Map<String, Object> row(Answer cluster, Cells cells) {
        String namespace = cluster.text("metadata.namespace");
        String name = cluster.text("metadata.name");
        String key = "c/" + namespace + "/" + name;
        cells.row(key);
        cells.state(key + "/state", Look.of("state", cluster.text("state")));
        cells.text(key + "/why", why(cluster));
        cells.state(key + "/nodes", nodes(cluster));
        cells.text(key + "/version", Clusters.version(cluster));
        cells.moment(key + "/credential", "left", cluster.moment("status.credentialsExpireAt"), "no end");
        cells.moment(key + "/token", "left", cluster.moment("shortestTokenExpiresAt"), "none");
        cells.moment(key + "/sync", "age", cluster.moment("status.lastSyncTime"), "never");
        Map<String, Object> row = cluster.open();
        row.put("key", key);
        row.put("href", Addresses.cluster(namespace, name));
        return row;
    }

    /** The worst open problem in a few words; empty for one that is well. */
    private static String why(Answer cluster) {
        List<Answer> problems = cluster.list("status.problems");
        if (problems.isEmpty()) {
            return "";
        }
        Answer worst = problems.getFirst();
        String told = Words.headline(worst.text("message"), "", worst.text("reason"));
        return problems.size() == 1
                ? told
                : Words.sentence(told) + " And " + Figures.number(problems.size() - 1) + " more.";
    }

    /** The worst that happens to new nodes, with how many of all. */
    private static Look nodes(Answer cluster) {
        Answer counts = cluster.at("status.machineDeployments");
        long total = counts.number("total");
        if (!cluster.has("status.machineDeployments") || total == 0) {
            return new Look("quiet", "m-waiting", cluster.has("status.machineDeployments") ? "none" : "not known yet");
        }
        for (String effect : List.of("Blocked", "Outdated", "AtRisk", "Pending", "Current")) {
            long number = counts.number(effect.substring(0, 1).toLowerCase(Locale.ROOT) + effect.substring(1));
            if (number > 0) {
                Look look = Look.of("newNodes", effect);
                String word = look.word().toLowerCase(Locale.ROOT);
                return look.saying(
                        number == total
                                ? (total == 1 ? "1 " : "all " + Figures.number(total) + " ") + word
                                : Figures.number(number) + " " + word + " of " + Figures.number(total));
            }
        }
        return Look.of("newNodes", "Pending");
    }
}

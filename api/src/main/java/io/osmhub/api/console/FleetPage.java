package io.osmhub.api.console;

import io.osmhub.api.access.Caller;
import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.console.ListControls.Column;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.problem.ApiProblem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The fleet's state and its most urgent fixes. */
final class FleetPage implements ConsolePage {
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
            new Column("Checked", ""));

    /** Largest page of a list. */
    private static final int MOST_TOKENS = 500;

    private final FleetStatistics figures;
    private final Map<Caller, Ends> ends = new ConcurrentHashMap<>();

    private record Ends(Instant at, List<Instant> tokens) {}

    FleetPage(FleetStatistics figures) {
        this.figures = figures;
    }

    @Override
    public PageView view(PageContext visit, PageFrame frame) throws ApiProblem {
        ReplyTree summary = frame.summary();
        LiveCells cells = new LiveCells();
        Map<String, Object> model = new LinkedHashMap<>();
        headline(summary, cells);
        ResolvedPage.addSummary(visit, cells);
        model.put("facets", facets(visit, summary, cells));
        model.put(
                "causes",
                summary.list("causes").stream()
                        .limit(CAUSES)
                        .map(CauseRows::rowWithoutCommand)
                        .toList());
        if (frame.canViewAll()) {
            model.put("figures", Charts.of(figures, tokens(visit), MOST_TOKENS, visit.now(), cells));
        }
        clusters(visit, model, cells);
        return new PageView("fleet", "fleet", "Fleet", model, cells, true);
    }

    /** Expiry times of the tokens that expire first. Cached for each caller: who sees every WorkerCluster may not see their tokens. */
    private List<Instant> tokens(PageContext visit) throws ApiProblem {
        Caller caller = visit.call().caller();
        ends.values().removeIf(known -> !known.at().isAfter(visit.now().minus(FleetStatistics.STEP)));
        Ends known = ends.get(caller);
        if (known != null) {
            return known.tokens();
        }
        List<Instant> tokens = visit
                .call(new OperationRequest("listMachineDeployments")
                        .query("sort", "tokenExpiresAt")
                        .query("limit", String.valueOf(MOST_TOKENS)))
                .list("items")
                .stream()
                .flatMap(md -> md.instant("tokenExpiresAt").stream())
                .toList();
        ends.put(caller, new Ends(visit.now(), tokens));
        return tokens;
    }

    private static void headline(ReplyTree summary, LiveCells cells) {
        Map<String, Long> effects = counts(summary, "machineDeployments");
        long all = effects.values().stream().mapToLong(Long::longValue).sum();
        long blocked = effects.getOrDefault("Blocked", 0L);
        long outdated = effects.getOrDefault("Outdated", 0L);
        long risk = effects.getOrDefault("AtRisk", 0L);
        if (all == 0) {
            nothing(summary, cells);
            return;
        }
        cells.text("headline", MessageText.effects(all, blocked, outdated, risk));
        int causes = summary.list("causes").size();
        List<String> words = new ArrayList<>();
        if (outdated > 0) {
            words.add(MessageText.verb(outdated, "starts", "start") + " nodes with an older configuration");
        }
        if (risk > 0) {
            words.add(NumberFormats.number(risk) + " will stop starting nodes soon");
        }
        words.add(MessageText.verb(effects.getOrDefault("Current", 0L), "is", "are") + " current");
        long pending = effects.getOrDefault("Pending", 0L);
        if (pending > 0) {
            words.add(MessageText.verb(pending, "is", "are") + " being published or unknown");
        }
        cells.text(
                "lede",
                String.join(", ", words) + ". "
                        + (causes == 0
                                ? "Nothing is wrong."
                                : ProblemEntries.capital(
                                                NumberFormats.count(causes, "cause explains", "causes explain"))
                                        + " this."));
    }

    /** A fleet without a MachineDeployment: the first step. */
    private static void nothing(ReplyTree summary, LiveCells cells) {
        boolean clusters = counts(summary, "workerClusters").values().stream().anyMatch(number -> number > 0);
        int causes = summary.list("causes").size();
        cells.text(
                "headline", clusters ? "No MachineDeployment with a profile yet" : "No worker cluster registered yet");
        cells.text(
                "lede",
                clusters
                        ? (causes > 0
                                ? "Fix the problems below first."
                                : "Set the annotation k8c.io/operating-system-profile on a MachineDeployment of a worker cluster.")
                        : "After registration, MachineDeployments and their problems are listed here.");
    }

    private static Map<String, Long> counts(ReplyTree summary, String field) {
        Map<String, Long> counts = new LinkedHashMap<>();
        summary.at(field).tree().forEach((word, number) -> counts.put(word, TemplateHelpers.number(number)));
        return counts;
    }

    private static List<Map<String, Object>> facets(PageContext visit, ReplyTree summary, LiveCells cells) {
        Map<String, Long> states = counts(summary, "workerClusters");
        List<Map<String, Object>> facets = new ArrayList<>();
        for (String state : List.of("Synced", "Degraded", "Unreachable", "Unauthorized", "Paused", "Connecting")) {
            boolean chosen = visit.queryText("state").equals(state);
            cells.number("facet/" + state, states.getOrDefault(state, 0L));
            facets.add(Map.of(
                    "state",
                    state,
                    "chosen",
                    chosen,
                    "href",
                    visit.withParameters(Map.of("state", chosen ? "" : state)) + "#clusters"));
        }
        return facets;
    }

    private static void clusters(PageContext visit, Map<String, Object> model, LiveCells cells) throws ApiProblem {
        OperationRequest question = new OperationRequest("listWorkerClusters")
                .query("search", visit.queryText("search"))
                .query("state", visit.oneOf("state", ListControls.STATES))
                .query("newNodes", visit.oneOf("newNodes", ListControls.NEW_NODES))
                .query("kubernetesVersion", version(visit.queryText("kubernetesVersion")))
                .query("profile", visit.queryText("profile"))
                .query("sort", ListControls.sort(visit, COLUMNS));
        cells.number(
                "total", ListControls.addRows(visit, question, "#clusters", cluster -> row(cluster, cells), model));
        model.put("columns", ListControls.columns(visit, COLUMNS, USUAL, "#clusters"));
        Map<String, String> filter = filter(visit);
        model.put("filter", filter);
        model.put("filtered", !filter.isEmpty());
        model.put("question", String.join(", ", filter.values()));
        model.put("api", PageContext.question(filter));
        model.put("states", ListControls.choices("state", ListControls.STATES));
        model.put("effects", ListControls.choices("newNodes", ListControls.NEW_NODES));
    }

    /** The contract filters by minor versions. */
    private static String version(String asked) {
        return asked.matches("[0-9]{1,3}\\.[0-9]{1,3}") ? asked : "";
    }

    private static Map<String, String> filter(PageContext visit) {
        Map<String, String> filter = new LinkedHashMap<>();
        for (String name : List.of("search", "state", "newNodes", "kubernetesVersion", "profile")) {
            if (!visit.queryText(name).isEmpty()) {
                filter.put(name, visit.queryText(name));
            }
        }
        return filter;
    }

    private static Map<String, Object> row(ReplyTree cluster, LiveCells cells) {
        String namespace = cluster.text("metadata.namespace");
        String name = cluster.text("metadata.name");
        String key = "c/" + namespace + "/" + name;
        cells.row(key);
        cells.state(key + "/state", StateBadge.of("state", cluster.text("state")));
        cells.time(key + "/answer", "noAnswer", cluster.instant("status.noAnswerSince"), "");
        cells.text(key + "/why", why(cluster));
        cells.state(key + "/nodes", nodes(cluster));
        cells.text(key + "/version", ClusterRows.version(cluster));
        cells.time(key + "/credential", "left", cluster.instant("status.credentialsExpireAt"), "no end");
        cells.time(key + "/token", "left", cluster.instant("shortestTokenExpiresAt"), "none");
        checked(key + "/checked", cluster, cells);
        Map<String, Object> row = cluster.toMutableMap();
        row.put("key", key);
        row.put("href", PageUrls.cluster(namespace, name));
        return row;
    }

    /** While a worker cluster is connected, it is watched; otherwise its state was seen last before the connection ended. */
    private static void checked(String key, ReplyTree cluster, LiveCells cells) {
        ReplyTree connected = cluster.list("status.conditions").stream()
                .filter(condition -> condition.text("type").equals("Connected"))
                .findFirst()
                .orElse(ReplyTree.NONE);
        if (connected.text("status").equals("True")) {
            cells.text(key, "now");
        } else {
            cells.time(
                    key,
                    "age",
                    cluster.has("status.clusterID") ? connected.instant("lastTransitionTime") : Optional.empty(),
                    "never");
        }
    }

    /** The worst open problem in a few words; empty if there is none. */
    private static String why(ReplyTree cluster) {
        List<ReplyTree> problems = cluster.list("status.problems");
        if (problems.isEmpty()) {
            return "";
        }
        ReplyTree worst = problems.getFirst();
        String told = ProblemEntries.capital(worst.text("details.cause"));
        return problems.size() == 1
                ? told
                : MessageText.sentence(told) + " And " + NumberFormats.number(problems.size() - 1) + " more.";
    }

    /** The worst effect on new nodes, with its share of the total. */
    private static StateBadge nodes(ReplyTree cluster) {
        ReplyTree counts = cluster.at("status.machineDeployments");
        long total = counts.number("total");
        if (!cluster.has("status.machineDeployments") || total == 0) {
            return new StateBadge("quiet", "m-waiting", cluster.has("status.machineDeployments") ? "none" : "unknown");
        }
        Map<String, Long> effects = new LinkedHashMap<>();
        for (String effect : ListControls.NEW_NODES) {
            effects.put(effect, counts.number(effect.substring(0, 1).toLowerCase(Locale.ROOT) + effect.substring(1)));
        }
        return ClusterRows.effect(effects);
    }
}

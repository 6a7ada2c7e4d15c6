package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.problem.ApiProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Open problems by what is broken, the cause that blocks most first. */
final class ProblemsPage implements ConsolePage {
    private static final int OBJECTS = 5;

    @Override
    public PageView view(PageContext visit, PageFrame frame) throws ApiProblem {
        ReplyTree summary = frame.summary();
        LiveCells cells = new LiveCells();
        String severity = visit.oneOf("severity", MessageText.SEVERITIES);
        String actor = visit.oneOf("actor", MessageText.ACTORS);
        String reason = visit.queryText("reason").matches("[A-Z][A-Za-z]{0,127}") ? visit.queryText("reason") : "";
        String id = visit.queryText("cause").matches("[0-9a-f]{1,64}") ? visit.queryText("cause") : "";
        String namespace = visit.queryText("namespace");
        String search = visit.queryText("search").toLowerCase(Locale.ROOT);
        List<Map<String, Object>> groups = new ArrayList<>();
        for (ReplyTree cause : summary.list("causes")) {
            boolean fits = (severity.isEmpty() || cause.text("severity").equals(severity))
                    && (actor.isEmpty() || cause.text("actor").equals(actor))
                    && (reason.isEmpty() || cause.text("reason").equals(reason))
                    && (id.isEmpty() || cause.text("id").equals(id))
                    && (search.isEmpty() || mentions(cause, search));
            if (fits && namespace.isEmpty()) {
                groups.add(group(visit, cause, groups.isEmpty(), cells));
            }
        }
        Map<String, Object> model = new LinkedHashMap<>();
        if (!namespace.isEmpty() || !reason.isEmpty() || !id.isEmpty()) {
            long all = single(visit, id, reason, severity, actor, model);
            // Causes have no tenant: its problems are listed instead.
            cells.number("total", namespace.isEmpty() ? groups.size() : all);
        } else {
            cells.number("total", groups.size());
        }
        model.put("groups", groups);
        headline(summary, cells);
        ResolvedPage.addSummary(visit, cells);
        model.put("filter", visit.query());
        model.put(
                "filtered",
                !severity.isEmpty()
                        || !actor.isEmpty()
                        || !reason.isEmpty()
                        || !id.isEmpty()
                        || !namespace.isEmpty()
                        || !search.isEmpty());
        model.put("severities", ListControls.choices("severity", MessageText.SEVERITIES));
        model.put(
                "actors",
                MessageText.ACTORS.stream()
                        .map(word -> Map.of("value", word, "word", MessageText.actor(word)))
                        .toList());
        model.put(
                "wellWords",
                total(summary) == 0
                        ? "No MachineDeployment names a profile yet."
                        : MessageText.start(total(summary)) + ".");
        return new PageView("problems", "problems", "Problems", model, cells, true);
    }

    private static boolean mentions(ReplyTree cause, String search) {
        return (cause.text("reason") + " " + cause.text("message") + " " + cause.text("object.name") + " "
                        + cause.text("first"))
                .toLowerCase(Locale.ROOT)
                .contains(search);
    }

    private static Map<String, Object> group(PageContext visit, ReplyTree cause, boolean open, LiveCells cells)
            throws ApiProblem {
        Map<String, Object> group = CauseRows.row(cause);
        cells.row(CauseRows.id(cause));
        ReplyTree problems = visit.call(new OperationRequest("listProblems")
                .query("state", "Open")
                .query("cause", cause.text("id"))
                .query("limit", String.valueOf(OBJECTS)));
        List<ReplyTree> items = problems.list("items");
        // A filter by cause or reason shows all objects below.
        boolean below = visit.queryText("reason").equals(cause.text("reason"))
                || visit.queryText("cause").equals(cause.text("id"));
        group.put(
                "objects",
                below
                        ? List.of()
                        : items.stream()
                                .map(item -> CauseRows.isFixedBy(item, cause)
                                        ? CauseRows.rowWithoutFix(item)
                                        : CauseRows.object(item))
                                .toList());
        long more = below ? 0 : (problems.has("total") ? problems.number("total") : items.size()) - items.size();
        group.put("moreObjects", more);
        group.put("open", open);
        if (!items.isEmpty()) {
            group.put("help", items.getFirst().text("help"));
        }
        return group;
    }

    /** All problems of one cause, reason or tenant, in pages; returns their number. */
    private static long single(
            PageContext visit, String id, String reason, String severity, String actor, Map<String, Object> model)
            throws ApiProblem {
        OperationRequest question = new OperationRequest("listProblems")
                .query("state", "Open")
                .query("cause", id)
                .query("reason", reason)
                .query("severity", severity)
                .query("actor", actor)
                .query("namespace", visit.queryText("namespace"))
                .query("search", visit.queryText("search"));
        ListControls.page(visit, question);
        ReplyTree list = visit.call(question);
        List<Map<String, Object>> objects =
                list.list("items").stream().map(CauseRows::object).toList();
        if (!objects.isEmpty()) {
            model.put("reasonObjects", Map.of("objects", objects));
        }
        model.put("pager", ListControls.pager(visit, list, objects.size(), "#all"));
        return list.has("total") ? list.number("total") : objects.size();
    }

    private static long total(ReplyTree summary) {
        return summary.at("machineDeployments").tree().values().stream()
                .mapToLong(TemplateHelpers::number)
                .sum();
    }

    private static void headline(ReplyTree summary, LiveCells cells) {
        ReplyTree effects = summary.at("machineDeployments");
        long blocked = effects.number("Blocked");
        long outdated = effects.number("Outdated");
        long risk = effects.number("AtRisk");
        long causes = summary.list("causes").size();
        cells.text(
                "headline",
                causes == 0
                        ? "No open problem"
                        : ProblemEntries.capital(NumberFormats.count(causes, "cause keeps", "causes keep")) + " "
                                + MessageText.machineDeployments(blocked + outdated + risk)
                                + " from being current");
        cells.text(
                "lede",
                (causes == 0
                                ? "Open problems of worker clusters, MachineDeployments and profiles are listed here."
                                : "Each cause is listed once, with everything that it blocks.")
                        + (blocked + outdated + risk == 0
                                ? ""
                                : " " + ProblemEntries.capital(MessageText.verb(blocked, "is", "are")) + " blocked, "
                                        + NumberFormats.number(outdated) + " outdated, " + NumberFormats.number(risk)
                                        + " at risk."));
    }
}

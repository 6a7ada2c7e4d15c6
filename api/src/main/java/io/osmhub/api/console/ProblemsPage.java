package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.problem.ApiProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which single fix heals most? Problems are grouped by what has to be done. */
final class ProblemsPage implements Screen {
    private static final int OBJECTS = 5;

    @Override
    public View view(Visit visit, Frame frame) throws ApiProblem {
        Answer summary = frame.summary();
        Cells cells = new Cells();
        String severity = visit.oneOf("severity", Words.SEVERITIES);
        String actor = visit.oneOf("actor", Words.ACTORS);
        String reason = visit.asked("reason").matches("[A-Z][A-Za-z]{0,127}") ? visit.asked("reason") : "";
        String namespace = visit.asked("namespace");
        String search = visit.asked("search").toLowerCase(Locale.ROOT);
        List<Map<String, Object>> groups = new ArrayList<>();
        for (Answer cause : summary.list("causes")) {
            boolean fits = (severity.isEmpty() || cause.text("severity").equals(severity))
                    && (actor.isEmpty() || cause.text("actor").equals(actor))
                    && (reason.isEmpty() || cause.text("reason").equals(reason))
                    && (search.isEmpty() || mentions(cause, search));
            if (fits && namespace.isEmpty()) {
                groups.add(group(visit, cause, groups.isEmpty(), cells));
            }
        }
        Map<String, Object> model = new LinkedHashMap<>();
        if (!namespace.isEmpty() || !reason.isEmpty()) {
            single(visit, reason, severity, actor, model);
        }
        model.put("groups", groups);
        headline(summary, cells);
        cells.number("total", groups.size());
        model.put("filter", visit.query());
        model.put(
                "filtered",
                !severity.isEmpty()
                        || !actor.isEmpty()
                        || !reason.isEmpty()
                        || !namespace.isEmpty()
                        || !search.isEmpty());
        model.put("severities", Listing.choices("severity", Words.SEVERITIES));
        model.put(
                "actors",
                Words.ACTORS.stream()
                        .map(word -> Map.of("value", word, "word", Words.actor(word)))
                        .toList());
        model.put(
                "wellWords",
                total(summary) == 0
                        ? "No MachineDeployment names a profile yet."
                        : Words.start(total(summary)) + " as wanted.");
        return new View("problems", "problems", "Problems", model, cells, true);
    }

    private static boolean mentions(Answer cause, String search) {
        return (cause.text("reason") + " " + cause.text("message") + " " + cause.text("object.name") + " "
                        + cause.text("first"))
                .toLowerCase(Locale.ROOT)
                .contains(search);
    }

    private static Map<String, Object> group(Visit visit, Answer cause, boolean open, Cells cells) throws ApiProblem {
        Map<String, Object> group = Causes.row(cause);
        cells.row(Causes.id(cause));
        Answer problems = visit.ask(new Question("listProblems")
                .query("state", "Open")
                .query("reason", cause.text("reason"))
                .query("limit", String.valueOf(OBJECTS)));
        List<Answer> items = problems.list("items");
        boolean cured = cause.has("cure");
        // Who asked for one reason has all its objects below.
        boolean below = visit.asked("reason").equals(cause.text("reason"));
        group.put(
                "objects",
                below
                        ? List.of()
                        : items.stream()
                                .map(cured ? Causes::curedAbove : Causes::object)
                                .toList());
        long more = below ? 0 : (problems.has("total") ? problems.number("total") : items.size()) - items.size();
        group.put("moreObjects", more);
        group.put("open", open);
        group.put("command", Words.command(cause.text("cure")));
        if (!items.isEmpty()) {
            group.put("help", items.getFirst().text("help"));
        }
        return group;
    }

    /** Every problem of one reason or one tenant, in pages. */
    private static void single(Visit visit, String reason, String severity, String actor, Map<String, Object> model)
            throws ApiProblem {
        Question question = new Question("listProblems")
                .query("state", "Open")
                .query("reason", reason)
                .query("severity", severity)
                .query("actor", actor)
                .query("namespace", visit.asked("namespace"))
                .query("search", visit.asked("search"));
        Listing.page(visit, question);
        Answer list = visit.ask(question);
        List<Map<String, Object>> objects =
                list.list("items").stream().map(Causes::object).toList();
        if (!objects.isEmpty()) {
            model.put("reasonObjects", Map.of("objects", objects));
        }
        model.put("pager", Listing.pager(visit, list, objects.size(), "#all"));
    }

    private static long total(Answer summary) {
        return summary.at("machineDeployments").tree().values().stream()
                .mapToLong(Helpers::number)
                .sum();
    }

    private static void headline(Answer summary, Cells cells) {
        Answer effects = summary.at("machineDeployments");
        long blocked = effects.number("Blocked");
        long outdated = effects.number("Outdated");
        long risk = effects.number("AtRisk");
        long causes = summary.list("causes").size();
        cells.text(
                "headline",
                causes == 0
                        ? "No open problem"
                        : Words.capital(Figures.count(causes, "cause keeps", "causes keep")) + " "
                                + Figures.count(blocked + outdated + risk, "MachineDeployment", "MachineDeployments")
                                + " from being current");
        cells.text(
                "lede",
                (causes == 0
                                ? "Problems of worker clusters, MachineDeployments and profiles stand here while they are open."
                                : "Grouped by what has to be done, because one fix usually heals many objects.")
                        + (blocked + outdated + risk == 0
                                ? ""
                                : " " + Words.capital(Words.verb(blocked, "is", "are")) + " blocked, "
                                        + Figures.number(outdated) + " outdated, " + Figures.number(risk)
                                        + " at risk."));
    }
}

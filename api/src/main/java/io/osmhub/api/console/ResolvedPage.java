package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.problem.ApiProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Problems that were resolved in the last 24 hours, latest first, as far as the answering replica observed them. */
final class ResolvedPage implements ConsolePage {
    private static final Duration RECENT = Duration.ofDays(1);
    /** Largest page of a list. */
    private static final int MOST = 500;

    @Override
    public PageView view(PageContext visit, PageFrame frame) throws ApiProblem {
        LiveCells cells = new LiveCells();
        List<ReplyTree> resolved = resolved(visit);
        cells.text("headline", ProblemEntries.capital(count(resolved)) + " in the last 24 hours");
        Map<String, Object> model = new HashMap<>();
        model.put(
                "items",
                resolved.stream().map(problem -> row(problem, visit.now())).toList());
        return new PageView("resolved", "problems", "Resolved problems", model, cells, true);
    }

    /** Adds the number and the median duration, for other pages. */
    static void addSummary(PageContext visit, LiveCells cells) throws ApiProblem {
        List<ReplyTree> resolved = resolved(visit);
        List<Duration> durations = resolved.stream()
                .map(problem -> duration(problem, visit.now()))
                .sorted()
                .toList();
        cells.text(
                "resolved",
                ProblemEntries.capital(count(resolved)) + " in the last 24 hours"
                        + (durations.isEmpty()
                                ? ""
                                : ", median duration " + TimeFormats.span(durations.get(durations.size() / 2))));
    }

    private static List<ReplyTree> resolved(PageContext visit) throws ApiProblem {
        Instant from = visit.now().minus(RECENT);
        return visit
                .call(new OperationRequest("listProblems")
                        .query("state", "Resolved")
                        .query("sort", "-resolvedAt")
                        .query("limit", String.valueOf(MOST)))
                .list("items")
                .stream()
                .filter(problem -> !problem.instant("resolvedAt").orElse(from).isBefore(from))
                .toList();
    }

    private static String count(List<ReplyTree> resolved) {
        return (resolved.size() == MOST ? "at least " : "")
                + NumberFormats.count(resolved.size(), "problem", "problems") + " resolved";
    }

    private static Duration duration(ReplyTree problem, Instant now) {
        Instant end = problem.instant("resolvedAt").orElse(now);
        return Duration.between(problem.instant("since").orElse(end), end);
    }

    private static Map<String, Object> row(ReplyTree problem, Instant now) {
        Map<String, Object> row = CauseRows.rowWithoutFix(problem);
        row.put("duration", TimeFormats.span(duration(problem, now)));
        return row;
    }
}

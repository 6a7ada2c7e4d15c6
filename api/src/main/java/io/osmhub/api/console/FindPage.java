package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.problem.ApiProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Search by any name: machine, MachineDeployment, secret, hash, cluster, profile. */
final class FindPage implements ConsolePage {
    private static final int MOST = 50;
    private static final int AS_TYPED = 8;

    @Override
    public PageView view(PageContext visit, PageFrame frame) throws ApiProblem {
        String q = query(visit);
        List<Map<String, Object>> found = q.isEmpty()
                ? List.of()
                : matches(visit, q, MOST).stream().map(FindPage::row).toList();
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("q", q);
        model.put("items", found);
        model.put(
                "headline",
                q.isEmpty()
                        ? "Find"
                        : ProblemEntries.capital(NumberFormats.count(found.size(), "match", "matches")) + " for “" + q
                                + "”");
        return new PageView("find", "", "Find", model, new LiveCells(), false);
    }

    /** Suggestions below the field while the user types. */
    static List<Map<String, Object>> suggest(PageContext visit) throws ApiProblem {
        String q = query(visit);
        return q.isEmpty()
                ? List.of()
                : matches(visit, q, AS_TYPED).stream().map(FindPage::line).toList();
    }

    private static String query(PageContext visit) {
        String q = visit.queryText("q");
        return q.length() <= 200 ? q : q.substring(0, 200);
    }

    private static List<ReplyTree> matches(PageContext visit, String q, int most) throws ApiProblem {
        return visit.call(new OperationRequest("search").query("q", q).query("limit", String.valueOf(most)))
                .list("items");
    }

    private static Map<String, Object> row(ReplyTree match) {
        Map<String, Object> row = match.toMutableMap();
        row.put("page", page(match));
        row.put("verdict", verdict(match));
        return row;
    }

    /** Its state in a few words; empty if unknown. */
    private static Map<String, String> verdict(ReplyTree match) {
        String list = match.has("state") ? "state" : match.has("newNodes") ? "newNodes" : "valid";
        if (!match.has(list)) {
            return Map.of();
        }
        StateBadge look = list.equals("valid")
                ? ProfilesPage.validity(match.text("valid"), "Not valid")
                : StateBadge.of(list, match.text(list));
        String reason = match.text("reason");
        String words = reason.isEmpty() ? look.word() : look.word() + ": " + MessageText.spaced(reason);
        return Map.of("tone", look.tone(), "symbol", look.symbol(), "words", words);
    }

    private static Map<String, Object> line(ReplyTree match) {
        String cluster = match.text("object.kind").equals("WorkerCluster") ? "" : match.text("workerCluster");
        String where = cluster.isEmpty() ? match.text("tenant") : cluster;
        return Map.of(
                "kind", match.text("object.kind"),
                "name", TextSanitizer.flat(match.text("object.name"), TextSanitizer.NAME),
                "where", TextSanitizer.flat(where, TextSanitizer.NAME),
                "verdict", verdict(match),
                "href", page(match));
    }

    private static String page(ReplyTree match) {
        return PageUrls.of(match.at("object"), match.text("tenant"), match.text("workerCluster"));
    }
}

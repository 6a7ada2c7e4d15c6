package io.osmhub.api.console;

import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.problem.ApiProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rotations and their reasons, including attempts that changed nothing. */
final class HistoryPage implements ConsolePage {
    @Override
    public PageView view(PageContext visit, PageFrame frame) throws ApiProblem {
        ReplyTree detail = visit.call(MachineDeploymentPage.question("getMachineDeployment", visit));
        ReplyTree md = detail.at("machineDeployment");
        String wanted = visit.queryText("search").toLowerCase(Locale.ROOT);
        List<ReplyTree> all = detail.list("history");
        List<Map<String, Object>> shown = all.stream()
                .filter(entry -> wanted.isEmpty() || mentions(entry, wanted))
                .map(ReplyTree::tree)
                .toList();
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("md", md.tree());
        model.put("history", shown);
        model.put("filter", visit.query());
        model.put("here", visit.currentPath());
        model.put("clusterHref", PageUrls.cluster(md.text("tenant"), md.text("workerCluster")));
        model.put("mdHref", PageUrls.machineDeployment(md.text("tenant"), md.text("namespace"), md.text("name")));
        String count = ProblemEntries.capital(NumberFormats.count(shown.size(), "change", "changes"));
        boolean filtered = !wanted.isEmpty();
        model.put("filtered", filtered);
        model.put(
                "headline",
                count + " of " + md.text("name") + (filtered ? " with “" + visit.queryText("search") + "”" : ""));
        return new PageView("history", "fleet", "History of " + md.text("name"), model, new LiveCells(), false);
    }

    private static boolean mentions(ReplyTree entry, String wanted) {
        return (entry.text("result") + " " + entry.text("because") + " " + entry.text("reason"))
                .toLowerCase(Locale.ROOT)
                .contains(wanted);
    }
}

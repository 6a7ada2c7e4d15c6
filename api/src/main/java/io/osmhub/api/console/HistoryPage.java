package io.osmhub.api.console;

import io.osmhub.api.problem.ApiProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** When was it rotated, and why; also when nothing was. */
final class HistoryPage implements Screen {
    @Override
    public View view(Visit visit, Frame frame) throws ApiProblem {
        Answer detail = visit.ask(MachineDeploymentPage.question("getMachineDeployment", visit));
        Answer md = detail.at("machineDeployment");
        String wanted = visit.asked("search").toLowerCase(Locale.ROOT);
        List<Answer> all = detail.list("history");
        List<Map<String, Object>> shown = all.stream()
                .filter(entry -> wanted.isEmpty() || mentions(entry, wanted))
                .map(Answer::tree)
                .toList();
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("md", md.tree());
        model.put("history", shown);
        model.put("filter", visit.query());
        model.put("here", visit.here());
        model.put("clusterHref", Addresses.cluster(md.text("tenant"), md.text("workerCluster")));
        model.put("mdHref", Addresses.machineDeployment(md.text("tenant"), md.text("namespace"), md.text("name")));
        String count = Words.capital(Figures.count(shown.size(), "change", "changes"));
        model.put("headline", count + " of " + md.text("name"));
        return new View("history", "fleet", "History of " + md.text("name"), model, new Cells(), false);
    }

    private static boolean mentions(Answer entry, String wanted) {
        return (entry.text("result") + " " + entry.text("because") + " " + entry.text("reason"))
                .toLowerCase(Locale.ROOT)
                .contains(wanted);
    }
}

package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.problem.ApiProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Any name that somebody has at hand: machine, MachineDeployment, secret, hash, cluster, profile. */
final class FindPage implements Screen {
    private static final int MOST = 50;
    private static final int AS_TYPED = 8;

    @Override
    public View view(Visit visit, Frame frame) throws ApiProblem {
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
                        : Words.capital(Figures.count(found.size(), "match", "matches")) + " for “" + q + "”");
        return new View("find", "", "Find", model, new Cells(), false);
    }

    /** The same for a list below the field, while somebody types. */
    static List<Map<String, Object>> typed(Visit visit) throws ApiProblem {
        String q = query(visit);
        return q.isEmpty()
                ? List.of()
                : matches(visit, q, AS_TYPED).stream().map(FindPage::line).toList();
    }

    private static String query(Visit visit) {
        String q = visit.asked("q");
        return q.length() <= 200 ? q : q.substring(0, 200);
    }

    private static List<Answer> matches(Visit visit, String q, int most) throws ApiProblem {
        return visit.ask(new Question("search").query("q", q).query("limit", String.valueOf(most)))
                .list("items");
    }

    private static Map<String, Object> row(Answer match) {
        Map<String, Object> row = match.open();
        row.put("page", page(match));
        return row;
    }

    private static Map<String, Object> line(Answer match) {
        String where = match.text("workerCluster").isEmpty() ? match.text("tenant") : match.text("workerCluster");
        return Map.of(
                "kind", kind(match.text("object.kind")),
                "name", HostileText.flat(match.text("object.name"), HostileText.NAME),
                "where", HostileText.flat(where, HostileText.NAME),
                "href", page(match));
    }

    private static String page(Answer match) {
        return Addresses.of(match.at("object"), match.text("tenant"), match.text("workerCluster"));
    }

    private static String kind(String kind) {
        return switch (kind) {
            case "WorkerCluster" -> "cluster";
            case "OperatingSystemProfile" -> "profile";
            case "OperatingSystemConfig" -> "config";
            case "MachineDeployment" -> "nodes";
            default -> kind;
        };
    }
}

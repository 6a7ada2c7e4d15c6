package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.problem.ApiProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which profiles there are, and which of them are in trouble. */
final class ProfilesPage implements Screen {
    @Override
    public View view(Visit visit, Frame frame) throws ApiProblem {
        Question question = new Question("listOsps").query("search", visit.asked("search"));
        Listing.page(visit, question);
        Answer list = visit.ask(question);
        Cells cells = new Cells();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Answer profile : list.list("items")) {
            rows.add(row(profile, cells));
        }
        long total = list.has("total") ? list.number("total") : rows.size();
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("items", rows);
        model.put("pager", Listing.pager(visit, list, rows.size(), ""));
        model.put("filter", visit.query());
        model.put("filtered", !visit.asked("search").isEmpty());
        cells.number("total", total);
        cells.text("headline", Words.capital(Figures.count(total, "profile", "profiles")));
        return new View("profiles", "profiles", "Profiles", model, cells, true);
    }

    private static Map<String, Object> row(Answer profile, Cells cells) {
        String namespace = profile.text("metadata.namespace");
        String name = profile.text("metadata.name");
        String key = "p/" + namespace + "/" + name;
        cells.row(key);
        cells.state(key + "/valid", validity(profile));
        cells.text(key + "/version", profile.text("version"));
        cells.text(key + "/used", used(profile));
        Map<String, Object> row = profile.open();
        row.put("key", key);
        row.put("href", Addresses.profile(namespace, name));
        return row;
    }

    static Look validity(Answer profile) {
        return switch (profile.text("valid.status")) {
            case "True" -> new Look("ok", "m-synced", "Verified");
            case "False" -> new Look("bad", "m-blocked", Words.spaced(profile.text("valid.reason")));
            default -> new Look("quiet", "m-unknown", "Not verified yet");
        };
    }

    private static String used(Answer profile) {
        long mds = profile.number("usedBy.machineDeployments");
        return mds == 0
                ? "nobody"
                : Figures.count(mds, "MachineDeployment", "MachineDeployments") + " in "
                        + Figures.count(profile.number("usedBy.workerClusters"), "cluster", "clusters");
    }
}

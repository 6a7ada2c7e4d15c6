package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.problem.ApiProblem;
import java.util.LinkedHashMap;
import java.util.Map;

/** All profiles, and whether they are valid. */
final class ProfilesPage implements ConsolePage {
    @Override
    public PageView view(PageContext visit, PageFrame frame) throws ApiProblem {
        OperationRequest question = new OperationRequest("listOsps").query("search", visit.queryText("search"));
        LiveCells cells = new LiveCells();
        Map<String, Object> model = new LinkedHashMap<>();
        long total = ListControls.addRows(visit, question, "", profile -> row(profile, cells), model);
        model.put("filter", visit.query());
        model.put("filtered", !visit.queryText("search").isEmpty());
        model.put("sharedHidden", !frame.isAllowed("ViewSharedProfiles", ""));
        cells.number("total", total);
        String search = visit.queryText("search");
        cells.text(
                "headline",
                ProblemEntries.capital(NumberFormats.count(total, "profile", "profiles"))
                        + (search.isEmpty() ? "" : " with “" + search + "”"));
        return new PageView("profiles", "profiles", "Profiles", model, cells, true);
    }

    private static Map<String, Object> row(ReplyTree profile, LiveCells cells) {
        String namespace = profile.text("metadata.namespace");
        String name = profile.text("metadata.name");
        String key = "p/" + namespace + "/" + name;
        cells.row(key);
        cells.state(key + "/valid", validity(profile));
        cells.text(key + "/version", profile.text("version"));
        cells.text(key + "/used", used(profile));
        Map<String, Object> row = profile.toMutableMap();
        row.put("key", key);
        row.put("href", PageUrls.profile(namespace, name));
        return row;
    }

    static StateBadge validity(ReplyTree profile) {
        return validity(profile.text("valid.status"), MessageText.spaced(profile.text("valid.reason")));
    }

    /** {@code failure} is the label of a profile that is not valid. */
    static StateBadge validity(String status, String failure) {
        return switch (status) {
            case "True" -> new StateBadge("ok", "m-synced", "Verified");
            case "False" -> new StateBadge("bad", "m-blocked", failure);
            default -> new StateBadge("quiet", "m-unknown", "Not verified yet");
        };
    }

    private static String used(ReplyTree profile) {
        long mds = profile.number("usedBy.machineDeployments");
        return mds == 0
                ? "none"
                : MessageText.machineDeployments(mds) + " in "
                        + NumberFormats.count(profile.number("usedBy.workerClusters"), "cluster", "clusters");
    }
}

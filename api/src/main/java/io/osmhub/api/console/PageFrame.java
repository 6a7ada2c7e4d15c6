package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.problem.ApiProblem;
import java.util.List;
import java.util.Map;

/**
 * The frame of every page: the signed-in caller and the navigation.
 *
 * @param me the caller, as reported by the API
 * @param summary the fleet's counts, as visible to the caller
 */
record PageFrame(ReplyTree me, ReplyTree summary) {
    static PageFrame of(PageContext visit) throws ApiProblem {
        return new PageFrame(visit.call(new OperationRequest("getMe")), visit.call(new OperationRequest("getSummary")));
    }

    boolean canViewAll() {
        return me.flag("seesAllTenants");
    }

    /** A caller with one cluster needs no list of clusters. */
    boolean fleetwide() {
        return canViewAll() || me.number("tenants") != 1;
    }

    /** Whether the caller may do this in a namespace; in any if it is empty. */
    boolean isAllowed(String action, String namespace) {
        for (ReplyTree right : me.list("may")) {
            if (right.text("action").equals(action)) {
                List<String> namespaces = right.texts("namespaces");
                return namespace.isEmpty() || !right.has("namespaces") || namespaces.contains(namespace);
            }
        }
        return false;
    }

    /** Adds the frame to a template's model. */
    void addTo(Map<String, Object> model) {
        model.put("me", me.tree());
        model.put("tally", summary.list("causes").size());
        model.put("fleetwide", fleetwide());
        model.put("mayRegister", isAllowed("Register", ""));
        model.put("version", summary.text("version"));
    }
}

package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.problem.ApiProblem;
import java.util.List;
import java.util.Map;

/**
 * What stands around every page: who is signed in, and where they can go.
 *
 * @param me the caller, as the API says
 * @param summary the fleet in numbers, as far as the caller sees it
 */
record Frame(Answer me, Answer summary) {
    static Frame of(Visit visit) throws ApiProblem {
        return new Frame(visit.ask(new Question("getMe")), visit.ask(new Question("getSummary")));
    }

    boolean seesAll() {
        return me.truth("seesAllTenants");
    }

    /** Somebody with one cluster needs no list of them. */
    boolean fleetwide() {
        return seesAll() || me.number("tenants") != 1;
    }

    /** Whether the caller may do this in a namespace; in any, when that is empty. */
    boolean may(String action, String namespace) {
        for (Answer right : me.list("may")) {
            if (right.text("action").equals(action)) {
                List<String> namespaces = right.texts("namespaces");
                return namespace.isEmpty() || !right.has("namespaces") || namespaces.contains(namespace);
            }
        }
        return false;
    }

    /** Adds it to what a page's template prints. */
    void addTo(Map<String, Object> model) {
        model.put("me", me.tree());
        model.put("tally", summary.list("causes").size());
        model.put("fleetwide", fleetwide());
        model.put("mayRegister", may("Register", ""));
        model.put("version", summary.text("version"));
    }
}

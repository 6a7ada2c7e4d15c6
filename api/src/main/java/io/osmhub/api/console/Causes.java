package io.osmhub.api.console;

import java.util.Map;

/** Causes and problems as pages list them. */
final class Causes {
    private Causes() {}

    /** A cause that explains several problems. */
    static Map<String, Object> row(Answer cause) {
        Map<String, Object> row = cause.open();
        String reason = cause.text("reason");
        row.put("cure", Words.sentence(Words.advice(cause.text("cure"))));
        row.put("headline", Words.headline(cause.text("message"), cause.text("cure"), reason));
        row.put("actorWord", Words.actor(cause.text("actor")));
        row.put("href", "/problems#" + id(cause));
        row.put("id", id(cause));
        row.put("key", id(cause));
        String first = cause.text("first");
        int slash = first.indexOf('/');
        if (slash > 0) {
            row.put("where", first.substring(slash + 1));
            row.put("whereHref", Addresses.cluster(first.substring(0, slash), first.substring(slash + 1)));
        } else if (cause.has("object.name")) {
            row.put("where", cause.text("object.name"));
            row.put("whereHref", Addresses.of(cause.at("object"), "", ""));
        }
        row.put("others", Math.max(0, cause.number("workerClusters") - 1));
        return row;
    }

    /** An anchor that stays while the cause is there. Of characters that addresses take as they are. */
    static String id(Answer cause) {
        String object = cause.text("object.namespace") + "-" + cause.text("object.name");
        String id = cause.text("reason") + (object.equals("-") ? "" : "-" + object);
        return id.replaceAll("[^A-Za-z0-9.-]", "-");
    }

    /** A single problem, with its cure. */
    static Map<String, Object> object(Answer problem) {
        Map<String, Object> row = problem.open();
        String tenant = problem.text("tenant");
        String cluster = problem.text("workerCluster");
        Answer object = problem.at("object");
        String href = Addresses.of(object, tenant, cluster);
        String name = object.text("name");
        row.put("href", href);
        row.put("tenant", tenant);
        row.put("title", name.isEmpty() ? cluster : name);
        String message = Words.exact(problem.text("message"), problem.text("cure"), problem.text("reason"));
        String cure = Words.sentence(problem.text("cure"));
        row.put("message", cure.isEmpty() ? message : Words.sentence(message));
        row.put("cure", cure);
        return row;
    }

    /** A single problem below a cure that heals it with others. */
    static Map<String, Object> curedAbove(Answer problem) {
        Map<String, Object> row = object(problem);
        row.put("cure", "");
        return row;
    }
}

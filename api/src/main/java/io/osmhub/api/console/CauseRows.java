package io.osmhub.api.console;

import java.util.Map;

/** Causes and problems as list rows. */
final class CauseRows {
    private CauseRows() {}

    /** A cause that explains several problems. */
    static Map<String, Object> row(ReplyTree cause) {
        Map<String, Object> row = cause.toMutableMap();
        String reason = cause.text("reason");
        row.put("cure", MessageText.advice(cause.text("cure")));
        row.put("headline", MessageText.headline(cause.text("message"), reason));
        row.put("actorWord", MessageText.actor(cause.text("actor")));
        row.put("href", "/problems#" + id(cause));
        row.put("causeId", cause.text("id"));
        row.put("id", id(cause));
        row.put("key", id(cause));
        row.put("preview", previewHref(cause.at("object")));
        String first = cause.text("first");
        int slash = first.indexOf('/');
        if (slash > 0) {
            row.put("where", first.substring(slash + 1));
            row.put("whereHref", PageUrls.cluster(first.substring(0, slash), first.substring(slash + 1)));
        } else if (cause.has("object.name")) {
            row.put("where", cause.text("object.name"));
            row.put("whereHref", PageUrls.of(cause.at("object"), "", ""));
        }
        row.put("others", Math.max(0, cause.number("workerClusters") - 1));
        return row;
    }

    /** An anchor that is stable while the cause exists. */
    static String id(ReplyTree cause) {
        return "cause-" + cause.text("id");
    }

    /** Where a change of the broken profile can be previewed; empty if something else is broken. */
    static String previewHref(ReplyTree object) {
        String href = object.text("kind").equals("OperatingSystemProfile") ? PageUrls.of(object, "", "") : "";
        return href.isEmpty() ? "" : href + "?compare=edit#diff";
    }

    /** A single problem, with its fix. */
    static Map<String, Object> object(ReplyTree problem) {
        Map<String, Object> row = problem.toMutableMap();
        String tenant = problem.text("tenant");
        String cluster = problem.text("workerCluster");
        ReplyTree object = problem.at("object");
        String href = PageUrls.of(object, tenant, cluster);
        String name = object.text("name");
        row.put("href", href);
        row.put("tenant", tenant);
        row.put("title", name.isEmpty() ? cluster : name);
        row.put("message", MessageText.sentence(MessageText.exact(problem.text("message"), problem.text("reason"))));
        row.put("cure", MessageText.advice(problem.text("cure")));
        return row;
    }

    /** A single problem below a fix that resolves several. */
    static Map<String, Object> rowWithoutFix(ReplyTree problem) {
        Map<String, Object> row = object(problem);
        row.put("cure", "");
        row.put("command", "");
        return row;
    }
}

package io.osmhub.api.console;

import java.util.Map;

/** Causes and problems as list rows. */
final class CauseRows {
    private CauseRows() {}

    /** A cause that explains several problems. */
    static Map<String, Object> row(ReplyTree cause) {
        Map<String, Object> row = cause.toMutableMap();
        row.put("cure", fix(cause));
        row.put("headline", MessageText.headline(cause));
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

    /** The same where its command is not shown. */
    static Map<String, Object> rowWithoutCommand(ReplyTree cause) {
        Map<String, Object> row = row(cause);
        row.put("cure", MessageText.sentence(cause.text("cure")));
        row.put("command", "");
        return row;
    }

    /** What to change, and where its command has to run. */
    static String fix(ReplyTree problem) {
        String fix = MessageText.sentence(problem.text("cure"));
        if (!problem.text("commandCluster").equals("Worker")) {
            return fix;
        }
        // A cause names one of its worker clusters as NAMESPACE/NAME.
        String first = problem.text("first");
        String cluster = first.contains("/") ? first.substring(first.indexOf('/') + 1) : problem.text("workerCluster");
        String where = cluster.isEmpty() ? "In the worker cluster:" : "In worker cluster " + cluster + ":";
        return (fix + " " + where).strip();
    }

    /** Whether a problem of a cause is resolved by the fix that is shown for the cause. */
    static boolean isFixedBy(ReplyTree problem, ReplyTree cause) {
        return fix(problem).equals(fix(cause)) && problem.text("command").equals(cause.text("command"));
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
        row.put("message", MessageText.sentence(MessageText.exact(problem)));
        row.put("cure", fix(problem));
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

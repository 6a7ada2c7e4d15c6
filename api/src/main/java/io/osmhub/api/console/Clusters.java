package io.osmhub.api.console;

/** What several pages say of worker clusters and MachineDeployments. */
final class Clusters {
    private Clusters() {}

    static String version(Answer cluster) {
        String version = cluster.text("status.kubernetesVersion");
        return version.isEmpty() ? "not known" : version.startsWith("v") ? version.substring(1) : version;
    }

    /** Makes the cells of a row of MachineDeployments; {@code key} is that of the row. */
    static void machineDeployment(Answer md, String key, Cells cells) {
        cells.row(key);
        cells.state(key + "/nodes", Look.of("newNodes", md.text("newNodes")));
        String reason = md.text("reason");
        boolean well = md.text("newNodes").equals("Current");
        cells.text(key + "/why", well || reason.isEmpty() ? "" : Words.spaced(reason));
        cells.text(key + "/version", or(md.text("profileVersion"), "none"));
        cells.text(key + "/revision", revision(md));
        cells.text(key + "/kubelet", or(md.text("kubeletVersion"), "not known"));
        cells.text(key + "/ready", ready(md));
        cells.moment(key + "/token", "left", md.moment("tokenExpiresAt"), "none");
    }

    static String ready(Answer md) {
        return md.has("replicas")
                ? Figures.number(md.number("readyReplicas")) + " of " + Figures.number(md.number("replicas"))
                : md.value("replicas") == null ? "not known" : "none wanted";
    }

    private static String revision(Answer md) {
        String wanted = md.text("revision");
        String there = md.text("publishedRevision");
        if (wanted.isEmpty()) {
            return "not set";
        }
        return wanted.equals(there) ? wanted : wanted + " wanted, " + or(there, "none") + " there";
    }

    static String or(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}

package io.osmhub.api.console;

import io.osmhub.api.diagnosis.BriefChain;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.WhyReport.Link.LinkState;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import java.util.List;
import java.util.Locale;

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
        List<LinkState> chain = BriefChain.of(
                ApiJson.constant(NewNodes.class, md.text("newNodes")).orElse(NewNodes.PENDING),
                Reason.of(reason).orElse(null));
        cells.chain(key + "/chain", chain);
        cells.text(key + "/broken", broken(chain, reason));
        cells.text(key + "/version", or(md.text("profileVersion"), "none"));
        cells.text(key + "/revision", revision(md));
        cells.text(key + "/kubelet", or(md.text("kubeletVersion"), "not known"));
        cells.moment(key + "/token", "left", md.moment("tokenExpiresAt"), "none");
    }

    /** What stands under the picture of the chain. */
    private static String broken(List<LinkState> chain, String reason) {
        int at = chain.indexOf(LinkState.BROKEN);
        if (at < 0) {
            return reason.isEmpty() ? Drawings.reading(chain) : Words.spaced(reason);
        }
        String link = Drawings.link(at);
        boolean name = link.startsWith("machine-controller");
        return "Broken at " + (name ? link : link.substring(0, 1).toLowerCase(Locale.ROOT) + link.substring(1))
                + (reason.isEmpty() ? "" : ": " + Words.spaced(reason));
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

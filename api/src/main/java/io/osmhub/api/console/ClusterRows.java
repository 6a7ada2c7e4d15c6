package io.osmhub.api.console;

import io.osmhub.core.status.Chain.LinkState;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Cells of worker clusters and MachineDeployments on several pages. */
final class ClusterRows {
    private ClusterRows() {}

    static String version(ReplyTree cluster) {
        String version = cluster.text("status.kubernetesVersion");
        return version.isEmpty() ? "not known" : version.startsWith("v") ? version.substring(1) : version;
    }

    /** A row of MachineDeployments and its cells. */
    static Map<String, Object> machineDeployment(ReplyTree md, String key, LiveCells cells) {
        cells.row(key);
        cells.state(key + "/nodes", StateBadge.of("newNodes", md.text("newNodes")));
        String reason = md.text("reason");
        List<LinkState> chain = DrawingHelpers.states(md.texts("links").stream());
        cells.chain(key + "/chain", chain);
        cells.text(key + "/broken", broken(chain, reason));
        cells.text(key + "/revision", revision(md));
        cells.text(key + "/kubelet", or(md.text("kubeletVersion"), "not known"));
        cells.text(key + "/ready", ready(md));
        cells.time(key + "/token", "left", md.instant("tokenExpiresAt"), "none");
        Map<String, Object> row = md.toMutableMap();
        row.put("key", key);
        row.put("href", PageUrls.machineDeployment(md.text("tenant"), md.text("namespace"), md.text("name")));
        return row;
    }

    /** The text below the chain drawing. */
    private static String broken(List<LinkState> chain, String reason) {
        int at = chain.indexOf(LinkState.BROKEN);
        if (at < 0) {
            return reason.isEmpty() ? DrawingHelpers.describeChain(chain) : MessageText.spaced(reason);
        }
        String link = DrawingHelpers.link(at);
        boolean name = link.startsWith("machine-controller");
        return "Broken at " + (name ? link : link.substring(0, 1).toLowerCase(Locale.ROOT) + link.substring(1))
                + (reason.isEmpty() ? "" : ": " + MessageText.spaced(reason));
    }

    /** The worst effect on new nodes with its share of all MachineDeployments; {@code effects} are numbers by effect. */
    static StateBadge effect(Map<String, Long> effects) {
        long total = effects.values().stream().mapToLong(Long::longValue).sum();
        for (String effect : ListControls.NEW_NODES) {
            long number = effects.getOrDefault(effect, 0L);
            if (number > 0) {
                StateBadge look = StateBadge.of("newNodes", effect);
                String word = look.word().toLowerCase(Locale.ROOT);
                return look.withText(
                        number == total
                                ? (total == 1 ? "1 " : "all " + NumberFormats.number(total) + " ") + word
                                : NumberFormats.number(number) + " " + word + " of " + NumberFormats.number(total));
            }
        }
        return StateBadge.of("newNodes", "Pending");
    }

    static String ready(ReplyTree md) {
        return md.has("replicas")
                ? NumberFormats.number(md.number("readyReplicas")) + " of "
                        + NumberFormats.number(md.number("replicas"))
                : md.value("replicas") == null ? "not known" : "none wanted";
    }

    private static String revision(ReplyTree md) {
        String wanted = md.text("revision");
        String there = md.text("publishedRevision");
        if (wanted.isEmpty()) {
            return "not set";
        }
        return wanted.equals(there) ? wanted : wanted + " wanted, " + or(there, "none") + " published";
    }

    static String or(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}

package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.WhyReport.Link.LinkState;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The seven links of a list row, derived from the effect on new nodes, the reason and whether the worker cluster is connected. Unknown
 * links wait, as do those in a worker cluster that cannot be read. Only one link is reported as broken.
 */
public final class ChainSummary {
    private ChainSummary() {}

    /** In the order of {@link LinkName}. {@code reason} is null without a problem. */
    public static List<LinkState> of(NewNodes newNodes, @Nullable Reason reason, boolean connected) {
        LinkName broken = reason == null ? null : reason.brokenLink();
        List<LinkState> states = new ArrayList<>();
        for (LinkName link : LinkName.values()) {
            LinkState state =
                    switch (newNodes) {
                        case CURRENT -> LinkState.OK;
                        case PENDING -> LinkState.WAITING;
                        case BLOCKED, OUTDATED, AT_RISK ->
                            broken == null ? LinkState.WAITING : state(link, broken, newNodes);
                    };
            boolean open = link == LinkName.WORKER_CONNECTION && state == LinkState.WAITING;
            boolean unread = !connected && link.compareTo(LinkName.RENDERED_CONFIG) > 0;
            states.add(state == LinkState.OK || open ? (unread ? LinkState.UNKNOWN : LinkState.OK) : state);
        }
        return List.copyOf(states);
    }

    private static LinkState state(LinkName link, LinkName broken, NewNodes newNodes) {
        int order = link.compareTo(broken);
        if (order == 0) {
            return LinkState.BROKEN;
        }
        if (order < 0 || newNodes == NewNodes.AT_RISK) {
            return LinkState.OK;
        }
        boolean older = newNodes == NewNodes.OUTDATED
                && (link == LinkName.PROVISIONING_SECRET || link == LinkName.BOOTSTRAP_SECRET);
        return older ? LinkState.OLDER_KEPT : LinkState.WAITING;
    }
}

package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.registry.RegisteredBy;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A registration that somebody asks for.
 *
 * @param kubeconfig as text; null to keep the one that is stored
 * @param secretKey under which the Secret is to hold the kubeconfig; null for the usual one, or the one in use
 * @param scoped to store a token of the hub's own account in place of what is given
 * @param skipTest to store it although the worker cluster does not pass the test now
 * @param labels of the WorkerCluster; null to keep them
 * @param settings for {@code spec}; null to keep them
 * @param terms on which it is done at all
 */
public record Order(
        String namespace,
        String name,
        @Nullable Sensitive kubeconfig,
        @Nullable String secretKey,
        boolean scoped,
        boolean skipTest,
        @Nullable Map<String, String> labels,
        @Nullable ObjectNode settings,
        RegisteredBy by,
        Terms terms) {

    /**
     * On which terms something is done.
     *
     * @param mustBeNew fails when it is there already
     * @param expected what the stored WorkerCluster must be like; null for anything, also for nothing
     * @param dryRun to check and answer only
     * @param key chosen by the client: the same as the last one means that it is done already; empty for none
     */
    public record Terms(boolean mustBeNew, @Nullable Predicate<JsonNode> expected, boolean dryRun, String key) {
        public static final Terms NONE = new Terms(false, null, false, "");
    }
}

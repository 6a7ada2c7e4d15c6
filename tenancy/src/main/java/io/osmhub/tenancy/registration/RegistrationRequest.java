package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.registry.RegistrationSource;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * @param kubeconfig as text; null to keep the stored one
 * @param secretKey key of the kubeconfig in the Secret; null for the current or default one
 * @param scoped store a token of the hub's own account instead of the provided credential
 * @param skipTest store it even if the test fails
 * @param labels of the WorkerCluster; null to keep them
 * @param settings for {@code spec}; null to keep them
 * @param terms preconditions and options
 */
public record RegistrationRequest(
        String namespace,
        String name,
        @Nullable Sensitive kubeconfig,
        @Nullable String secretKey,
        boolean scoped,
        boolean skipTest,
        @Nullable Map<String, String> labels,
        @Nullable ObjectNode settings,
        RegistrationSource by,
        RegistrationOptions terms) {

    /**
     * @param mustBeNew fails if it already exists
     * @param expected precondition on the stored WorkerCluster; null for any or none
     * @param dryRun validate only
     * @param key idempotency key of the client: the same as the last one means that the request is done; empty for none
     */
    public record RegistrationOptions(
            boolean mustBeNew, @Nullable Predicate<JsonNode> expected, boolean dryRun, String key) {
        public static final RegistrationOptions NONE = new RegistrationOptions(false, null, false, "");
    }
}

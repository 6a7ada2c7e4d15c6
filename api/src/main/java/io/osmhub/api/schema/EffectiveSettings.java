package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Effective settings of a tenant. Values from a Secret appear only as a reference.
 *
 * @param hash SHA-256 of the settings without credentials
 */
public record EffectiveSettings(String hash, List<Item> items) {
    /**
     * One setting and the layer that sets it.
     *
     * @param field path below {@code spec}
     * @param value JSON null if unset
     * @param origins with Platform: objects and fields that determined the value
     * @param flag equivalent flag of operating-system-manager
     */
    public record Item(
            String field,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable JsonNode value,

            Layer source,
            @Nullable List<String> origins,
            @Nullable String flag,
            @Nullable List<Target> rolls) {
        /** Source of a value; each overrides those after it. */
        public enum Layer {
            @JsonProperty("Tenant")
            TENANT,
            @JsonProperty("Platform")
            PLATFORM,
            @JsonProperty("Hub")
            HUB,
            @JsonProperty("BuiltIn")
            BUILT_IN
        }

        /** Objects affected by a changed setting. */
        public enum Target {
            @JsonProperty("OSC")
            OSC,
            @JsonProperty("Bootstrap")
            BOOTSTRAP,
            @JsonProperty("Provisioning")
            PROVISIONING,
            @JsonProperty("KubeletBootstrap")
            KUBELET_BOOTSTRAP,
            @JsonProperty("Token")
            TOKEN,
            @JsonProperty("EdgeScript")
            EDGE_SCRIPT
        }
    }
}

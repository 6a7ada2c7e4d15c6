package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.Copies;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings that are in force for a tenant. Of what lies in a Secret it names the reference only.
 *
 * @param hash SHA-256 over the settings without credentials
 */
public record EffectiveSettings(String hash, List<Item> items) {
    public EffectiveSettings {
        Objects.requireNonNull(hash, "hash");
        items = List.copyOf(items);
    }

    /**
     * One setting with the layer that decided it.
     *
     * @param field path below {@code spec}
     * @param value written as JSON null when it is not set
     * @param flag flag of operating-system-manager that says the same
     */
    public record Item(
            String field,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable JsonNode value,

            Layer source,
            @Nullable String flag,
            @Nullable List<Target> rolls) {
        public Item {
            Objects.requireNonNull(field, "field");
            Objects.requireNonNull(source, "source");
            rolls = Copies.of(rolls);
        }

        /** Who decided a value: the tenant over the hub over what is built in. */
        public enum Layer {
            @JsonProperty("Tenant")
            TENANT,
            @JsonProperty("Hub")
            HUB,
            @JsonProperty("BuiltIn")
            BUILT_IN
        }

        /** Objects that a changed setting can change. */
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

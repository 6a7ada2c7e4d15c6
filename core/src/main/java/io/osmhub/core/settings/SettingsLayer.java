package io.osmhub.core.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings from one source: a WorkerCluster, the hub's defaults, OSM's flags, or KKP's objects. Missing settings are inherited.
 *
 * @param spec fields of {@code spec} of a WorkerCluster, which must not be changed. OSM's flags may name a Secret's namespace, and a
 *     taint without an effect
 * @param origins where each value was read, if the layer has several objects
 */
public record SettingsLayer(ObjectNode spec, Map<Setting, List<Origin>> origins) {
    public static final SettingsLayer EMPTY = new SettingsLayer(JsonNodeFactory.instance.objectNode());

    /**
     * Where a value was read.
     *
     * @param object for example {@code Cluster abc}
     * @param field path in the object
     */
    public record Origin(String object, String field) {
        @Override
        public String toString() {
            return object + " " + field;
        }
    }

    public SettingsLayer {
        origins = Map.copyOf(origins);
    }

    /** Settings of one object. */
    public SettingsLayer(ObjectNode spec) {
        this(spec, Map.of());
    }

    /** A copy with another value, JSON or an object that is written as such; null inherits it. */
    public SettingsLayer with(Setting setting, @Nullable Object value) {
        ObjectNode changed = spec.deepCopy();
        setting.set(changed, value);
        return new SettingsLayer(changed, origins);
    }

    /** The value; missing if inherited. */
    public JsonNode get(Setting setting) {
        return setting.in(spec);
    }

    public boolean isSet(Setting setting) {
        return !get(setting).isMissingNode();
    }

    /** The fields that determined the value; empty if it is not set, or if the layer is one object. */
    public List<Origin> origins(Setting setting) {
        return origins.getOrDefault(setting, List.of());
    }
}

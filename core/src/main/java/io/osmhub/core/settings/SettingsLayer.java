package io.osmhub.core.settings;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings from one source: a WorkerCluster, the hub's defaults, OSM's flags, or KKP's objects. Missing settings are
 * inherited.
 */
public final class SettingsLayer {
    public static final SettingsLayer EMPTY = new SettingsLayer(Map.of(), Map.of());

    /**
     * Where a value was read, if the layer has several objects.
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

    private final Map<Setting<?>, Object> values;
    private final Map<Setting<?>, List<Origin>> origins;

    private SettingsLayer(Map<Setting<?>, Object> values, Map<Setting<?>, List<Origin>> origins) {
        this.values = Map.copyOf(values);
        this.origins = Map.copyOf(origins);
    }

    /** The value, null if inherited. */
    @SuppressWarnings("unchecked") // the builder only takes values of the setting's type
    public <T> @Nullable T get(Setting<T> setting) {
        return (T) values.get(setting);
    }

    public boolean isSet(Setting<?> setting) {
        return values.containsKey(setting);
    }

    /** The fields that determined the value; empty if it is not set, or if the layer is one object. */
    public List<Origin> origins(Setting<?> setting) {
        return origins.getOrDefault(setting, List.of());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SettingsLayer layer && values.equals(layer.values) && origins.equals(layer.origins);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** Collects a layer's values. */
    public static final class Builder {
        private final Map<Setting<?>, Object> values = new HashMap<>();
        private final Map<Setting<?>, List<Origin>> origins = new HashMap<>();

        /** Sets a value; null leaves it out. */
        public <T> Builder set(Setting<T> setting, @Nullable T value) {
            if (value != null) {
                values.put(setting, value);
            }
            return this;
        }

        /** Copies a setting of another layer, if it is set there, and records its origins. */
        public <T> Builder copy(Setting<T> setting, SettingsLayer from, List<Origin> setBy) {
            if (from.isSet(setting)) {
                set(setting, from.get(setting));
                if (!setBy.isEmpty()) {
                    origins.put(setting, List.copyOf(setBy));
                }
            }
            return this;
        }

        public SettingsLayer build() {
            return new SettingsLayer(values, origins);
        }
    }
}

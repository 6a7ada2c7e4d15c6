package io.osmhub.core.settings;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings from one source: a WorkerCluster, the hub's defaults, or OSM's flags. Missing settings are inherited. */
public final class SettingsLayer {
    public static final SettingsLayer EMPTY = new SettingsLayer(Map.of());

    private final Map<Setting<?>, Object> values;

    private SettingsLayer(Map<Setting<?>, Object> values) {
        this.values = Map.copyOf(values);
    }

    /** The value, null if inherited. */
    @SuppressWarnings("unchecked") // the builder only takes values of the setting's type
    public <T> @Nullable T get(Setting<T> setting) {
        return (T) values.get(setting);
    }

    public boolean isSet(Setting<?> setting) {
        return values.containsKey(setting);
    }

    /** Collects a layer's values. */
    public static final class Builder {
        private final Map<Setting<?>, Object> values = new HashMap<>();

        /** Sets a value; null leaves it out. */
        public <T> Builder set(Setting<T> setting, @Nullable T value) {
            if (value != null) {
                values.put(setting, value);
            }
            return this;
        }

        public SettingsLayer build() {
            return new SettingsLayer(values);
        }
    }
}

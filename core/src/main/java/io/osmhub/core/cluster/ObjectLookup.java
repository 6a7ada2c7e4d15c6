package io.osmhub.core.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds Secrets and ConfigMaps by name. May throw {@link io.osmhub.core.problem.Unreachable}. */
public interface ObjectLookup {
    /** A Secret; {@code data} is decoded. */
    record Secret(String namespace, String name, String type, SortedMap<String, String> data) {
        public Secret {
            data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
        }

        @Override
        public String toString() {
            return "Secret[" + namespace + "/" + name + "]";
        }
    }

    /** Null if missing. */
    @Nullable Secret secret(String namespace, String name);

    /** The data of a ConfigMap, null if missing. */
    @Nullable Map<String, String> configMap(String namespace, String name);
}

package io.osmhub.tenancy.management;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All Namespaces of the management cluster. */
public final class NamespaceCache extends ManagementStore<NamespaceRecord> {
    public NamespaceCache(StoreListeners<NamespaceRecord> listeners, RuntimeContext runtimeContext) {
        super(Selection.all(Resource.NAMESPACES, ""), reducingMetadata(NamespaceRecord::of), listeners, runtimeContext);
    }

    /** Returns null if there is none. */
    public @Nullable NamespaceRecord find(String name) {
        return find("", name);
    }

    /** Namespace to which an operator assigned a worker cluster; null without an assignment, or with several. */
    public @Nullable String ownerOf(String clusterId) {
        String owner = null;
        for (NamespaceRecord namespace : all()) {
            if (namespace.clusterId().equals(clusterId)) {
                if (owner != null) {
                    return null;
                }
                owner = namespace.name();
            }
        }
        return owner;
    }

    /** Whether a namespace exists and shares its profiles. */
    public boolean offersProfiles(String name) {
        NamespaceRecord namespace = find(name);
        return namespace != null && namespace.offersProfiles();
    }

    /** @param terminating nothing new may be created in it */
    public record NamespaceRecord(String name, String uid, SortedMap<String, String> labels, boolean terminating) {
        /** Label by which a namespace shares its profiles with tenants that are granted it. */
        public static final String SHARE_PROFILES = "osmhub.io/share-profiles";

        /** Label of namespaces that are to contain a tenant, so that missing permissions are reported before it is registered. */
        public static final String TENANT = "osmhub.io/tenant";

        /** Label by which an operator assigns the worker cluster with that UID of {@code kube-system} to the namespace's tenant. */
        public static final String CLUSTER_ID = "osmhub.io/cluster-id";

        public NamespaceRecord {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }

        public static NamespaceRecord of(JsonNode object) {
            ObjectMetadata head = ObjectMetadata.of(object);
            return new NamespaceRecord(head.name(), head.uid(), head.labels(), head.isBeingDeleted());
        }

        /** Labels of a namespace; none while it is unknown, which is null. */
        public static SortedMap<String, String> labelsOf(@Nullable NamespaceRecord namespace) {
            return namespace == null ? Collections.emptySortedMap() : namespace.labels;
        }

        /** UID of the assigned worker cluster; empty without an assignment. */
        public String clusterId() {
            return labels.getOrDefault(CLUSTER_ID, "");
        }

        /** Whether it is marked as a tenant's. */
        public boolean isTenant() {
            return labels.containsKey(TENANT);
        }

        /** Whether it shares its profiles with tenants that are granted it. */
        public boolean offersProfiles() {
            return "true".equals(labels.get(SHARE_PROFILES));
        }
    }
}

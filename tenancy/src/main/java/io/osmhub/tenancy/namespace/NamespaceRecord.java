package io.osmhub.tenancy.namespace;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.wire.ObjectMetadata;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** @param terminating nothing new may be created in it */
public record NamespaceRecord(String name, String uid, SortedMap<String, String> labels, boolean terminating) {
    /** Label by which a namespace shares its profiles with tenants that are granted it. */
    public static final String SHARE_PROFILES = "osmhub.io/share-profiles";

    /** Label by which an operator assigns the worker cluster with that UID of {@code kube-system} to the namespace's tenant. */
    public static final String CLUSTER_ID = "osmhub.io/cluster-id";

    public NamespaceRecord {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public static NamespaceRecord of(JsonNode object) {
        ObjectMetadata head = ObjectMetadata.of(object);
        return new NamespaceRecord(head.name(), head.uid(), head.labels(), head.isBeingDeleted());
    }

    /** UID of the assigned worker cluster; empty without an assignment. */
    public String clusterId() {
        return labels.getOrDefault(CLUSTER_ID, "");
    }

    /** Whether it shares its profiles with tenants that are granted it. */
    public boolean offersProfiles() {
        return "true".equals(labels.get(SHARE_PROFILES));
    }
}

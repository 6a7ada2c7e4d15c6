package io.osmhub.tenancy.namespace;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.wire.ObjectHead;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is remembered of a Namespace.
 *
 * @param ending somebody has deleted it: nothing new may be made in it
 */
public record NamespaceRecord(String name, String uid, SortedMap<String, String> labels, boolean ending) {
    /** Label by which a namespace offers its profiles to tenants that name it. */
    public static final String SHARE_PROFILES = "osmhub.io/share-profiles";

    /** Label by which an operator says that the tenant of a namespace has the worker cluster with that UID of {@code kube-system}. */
    public static final String CLUSTER_ID = "osmhub.io/cluster-id";

    public NamespaceRecord {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** Reads the object. */
    public static NamespaceRecord of(JsonNode object) {
        ObjectHead head = ObjectHead.of(object);
        return new NamespaceRecord(head.name(), head.uid(), head.labels(), head.beingDeleted());
    }

    /** UID of the worker cluster that an operator decided to be its tenant's; empty without a decision. */
    public String clusterId() {
        return labels.getOrDefault(CLUSTER_ID, "");
    }

    /** Its profiles may be used by tenants that are granted it. */
    public boolean offersProfiles() {
        return "true".equals(labels.get(SHARE_PROFILES));
    }
}

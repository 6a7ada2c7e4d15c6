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

    public NamespaceRecord {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** Reads the object. */
    public static NamespaceRecord of(JsonNode object) {
        ObjectHead head = ObjectHead.of(object);
        return new NamespaceRecord(head.name(), head.uid(), head.labels(), head.beingDeleted());
    }

    /** Its profiles may be used by tenants that are granted it. */
    public boolean offersProfiles() {
        return "true".equals(labels.get(SHARE_PROFILES));
    }
}

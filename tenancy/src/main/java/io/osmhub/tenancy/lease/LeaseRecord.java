package io.osmhub.tenancy.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.wire.WireJson;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/**
 * A Lease as read.
 *
 * @param holder empty if released
 * @param renewTime kept as text: because clocks differ, only its changes matter
 */
record LeaseRecord(
        String resourceVersion, String holder, Duration duration, String renewTime, int transitions, JsonNode object) {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    static LeaseRecord of(JsonNode object) {
        JsonNode spec = object.path("spec");
        return new LeaseRecord(
                object.path("metadata").path("resourceVersion").asText(),
                spec.path("holderIdentity").asText(),
                Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong()),
                spec.path("renewTime").asText(),
                spec.path("leaseTransitions").asInt(),
                object);
    }

    /** A new Lease, held from now on. */
    static String created(LeaseConfig terms, Instant now) {
        ObjectNode object = WireJson.object();
        object.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("namespace", terms.namespace()).put("name", terms.name());
        put(metadata, "labels", terms.labels());
        put(metadata, "annotations", terms.annotations());
        own(metadata, terms);
        ObjectNode spec = object.putObject("spec");
        hold(spec, terms, now);
        spec.put("acquireTime", MICROS.format(now)).put("leaseTransitions", 0);
        return WireJson.text(object);
    }

    /** This Lease, acquired or renewed. Its version causes a conflict with other writers. */
    String taken(LeaseConfig terms, Instant now) {
        ObjectNode changed = object.deepCopy();
        ObjectNode metadata = changed.withObject("/metadata");
        metadata.remove("managedFields");
        put(metadata, "annotations", terms.annotations());
        own(metadata, terms);
        ObjectNode spec = changed.withObject("/spec");
        if (!holder.equals(terms.holder())) {
            spec.put("acquireTime", MICROS.format(now)).put("leaseTransitions", transitions + 1);
        }
        hold(spec, terms, now);
        return WireJson.text(changed);
    }

    /** This Lease, released, so that the next holder need not wait. */
    String released(Instant now) {
        ObjectNode changed = object.deepCopy();
        changed.withObject("/metadata").remove("managedFields");
        changed.withObject("/spec")
                .put("holderIdentity", "")
                .put("leaseDurationSeconds", 1)
                .put("renewTime", MICROS.format(now));
        return WireJson.text(changed);
    }

    /** Whether that holder wrote it at that time. */
    boolean wasTaken(String by, Instant at) {
        return holder.equals(by) && renewTime.equals(MICROS.format(at));
    }

    private static void hold(ObjectNode spec, LeaseConfig terms, Instant now) {
        spec.put("holderIdentity", terms.holder())
                .put("leaseDurationSeconds", terms.duration().toSeconds())
                .put("renewTime", MICROS.format(now));
    }

    /** A pod takes the Lease from an earlier one of its name. */
    private static void own(ObjectNode metadata, LeaseConfig terms) {
        LeaseConfig.OwnerPod pod = terms.pod();
        if (pod != null) {
            metadata.putArray("ownerReferences")
                    .addObject()
                    .put("apiVersion", "v1")
                    .put("kind", "Pod")
                    .put("name", pod.name())
                    .put("uid", pod.uid());
        }
    }

    private static void put(ObjectNode metadata, String field, Map<String, String> values) {
        if (!values.isEmpty()) {
            ObjectNode object = metadata.withObject("/" + field);
            values.forEach(object::put);
        }
    }
}

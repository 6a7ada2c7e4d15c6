package io.osmhub.sim.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.MemoryAttack;
import io.osmhub.sim.faults.ServedCertificate;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * Faults as JSON, each field as the switch of the same name in {@link ClusterFaults}; fields that are absent leave theirs as it is:
 *
 * <pre>
 * {"latencyMillis": 50, "failShare": 0.1, "failCode": 500, "failNext": 3, "throttleShare": 0.2, "retryAfterSeconds": 2, "seats": 8,
 *  "watchesEndAtOnce": true, "watchesAreGone": true, "watchesAreSilent": true, "listsHang": true, "writesHang": true,
 *  "blackHole": true, "dripBytes": 1, "dripMillis": 10, "refuseConnections": true, "credentialsExpired": true,
 *  "certificate": "renewed", "attack": "endless-list", "clockOffsetSeconds": -3600, "endWatches": true, "closeConnections": true}
 * </pre>
 */
public final class FaultDocument {
    private FaultDocument() {}

    /**
     * Turns the switches that the document names.
     *
     * @throws IllegalArgumentException naming a field that is unknown
     */
    public static void apply(JsonNode document, ClusterFaults faults) {
        for (Map.Entry<String, JsonNode> field : document.properties()) {
            set(field.getKey(), field.getValue(), document, faults);
        }
    }

    private static void set(String field, JsonNode value, JsonNode document, ClusterFaults faults) {
        boolean on = value.asBoolean();
        switch (field) {
            case "latencyMillis" -> faults.latency(Duration.ofMillis(value.asLong()));
            case "failShare" ->
                faults.failShare(value.asDouble(), document.path("failCode").asInt(500));
            case "failNext" ->
                faults.failNext(value.asInt(), document.path("failCode").asInt(500));
            case "throttleShare" ->
                faults.throttle(
                        value.asDouble(),
                        Duration.ofSeconds(document.path("retryAfterSeconds").asLong(1)));
            case "seats" -> faults.seats(value.asInt());
            case "watchesEndAtOnce" -> faults.watchesEndAtOnce(on);
            case "watchesAreGone" -> faults.watchesAreGone(on);
            case "watchesAreSilent" -> faults.watchesAreSilent(on);
            case "listsHang" -> faults.listsHang(on);
            case "writesHang" -> faults.writesHang(on);
            case "blackHole" -> faults.blackHole(on);
            case "dripBytes" ->
                faults.slowDrip(
                        value.asInt(),
                        Duration.ofMillis(document.path("dripMillis").asLong(10)));
            case "refuseConnections" -> faults.refuseConnections(on);
            case "credentialsExpired" -> faults.credentialsExpired(on);
            case "certificate" ->
                faults.serveCertificate(ServedCertificate.valueOf(value.asText().toUpperCase(Locale.ROOT)));
            case "attack" ->
                faults.attack(
                        MemoryAttack.valueOf(value.asText().replace('-', '_').toUpperCase(Locale.ROOT)));
            case "clockOffsetSeconds" -> faults.clockOffset(Duration.ofSeconds(value.asLong()));
            case "endWatches" -> faults.endWatches();
            case "closeConnections" -> faults.closeConnections();
            case "failCode", "retryAfterSeconds", "dripMillis" -> {
                // Read together with the switch that they belong to.
            }
            default -> throw new IllegalArgumentException("unknown fault \"%s\"".formatted(field));
        }
    }
}

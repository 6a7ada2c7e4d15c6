package io.osmhub.bench;

import io.osmhub.bench.RotationMeasurement.RotationTimes;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Changes that reach every MachineDeployment, in the order of the fields; five extensions exist from the second on.
 *
 * @param provisioningSecrets number of secrets that each change rewrites
 * @param profileChange a new version of the shared profile, with another file
 * @param extensionsCreated five extensions of the shared namespace, one after the other
 * @param extensionChange another content of a file of one of them
 * @param laterProfileChange as the first one
 */
record RotationResult(
        long provisioningSecrets,
        SecretRotation profileChange,
        SecretRotation extensionsCreated,
        SecretRotation extensionChange,
        SecretRotation laterProfileChange,
        ExtensionMemory memory,
        PreviewDuration preview) {

    /**
     * One change.
     *
     * @param latency from the write until each provisioning secret has the new content
     * @param processorSeconds of the hub until all have it
     * @param mostWritesOfOneSecret of a provisioning or bootstrap secret, until statuses are written too
     * @param writes all requests of the hub that write, until then, by verb and resource
     */
    record SecretRotation(
            Percentiles latency, double processorSeconds, int mostWritesOfOneSecret, Map<String, Long> writes) {
        static SecretRotation of(RotationTimes times, double processorSeconds, Map<String, Long> requests) {
            Map<String, Long> writes = new TreeMap<>(requests);
            writes.keySet().removeIf(kind -> !isWrite(kind));
            return new SecretRotation(Percentiles.of(times.durations()), processorSeconds, times.mostWrites(), writes);
        }

        /** To a resource or a subresource of it. */
        long writesTo(String resource) {
            return writes.entrySet().stream()
                    .filter(each -> each.getKey().split("[ /]")[1].equals(resource))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        private static boolean isWrite(String kind) {
            return Stream.of("create ", "update ", "patch ", "delete").anyMatch(kind::startsWith)
                    && !kind.contains("reviews");
        }
    }

    /** In bytes: before the extensions and after their change. {@code resident} is read before the collection for the live heap. */
    record ExtensionMemory(long residentBefore, long residentAfter, long liveHeapBefore, long liveHeapAfter) {}

    /**
     * {@code hub diff} of a further change of an extension: duration of the whole command, and processor time of the hub.
     *
     * @param failure its error; empty if it succeeded
     */
    record PreviewDuration(double seconds, double processorSeconds, int changed, String failure) {}

    /** Infinite if not all changes were found. */
    double previewSeconds() {
        return preview.changed() == provisioningSecrets ? preview.seconds() : Double.POSITIVE_INFINITY;
    }

    /** A changed extension compared with the slower one of two changed profiles. */
    double extensionToProfileP99() {
        return extensionChange.latency().p99()
                / Math.max(
                        profileChange.latency().p99(),
                        laterProfileChange.latency().p99());
    }

    Stream<String> lines() {
        return Stream.of(
                line("profile changed", profileChange),
                line("extensions new", extensionsCreated),
                line("ext. changed", extensionChange),
                line("profile again", laterProfileChange),
                RenderBenchCommand.format(
                        "%-14s %,d of %,d MachineDeployments change, %.2f s, %.1f s of processor time %s",
                        "hub diff",
                        preview.changed(),
                        provisioningSecrets,
                        preview.seconds(),
                        preview.processorSeconds(),
                        preview.failure()),
                RenderBenchCommand.format(
                        "%-14s resident %,d MiB without extensions, %,d MiB with them; live heap %,d KiB and %,d KiB",
                        "memory",
                        memory.residentBefore() >> 20,
                        memory.residentAfter() >> 20,
                        memory.liveHeapBefore() >> 10,
                        memory.liveHeapAfter() >> 10));
    }

    private static String line(String what, SecretRotation rotation) {
        return RenderBenchCommand.format(
                "%-14s %s; %.1f s of processor time; at most %d writes of one secret; %s",
                what,
                rotation.latency(),
                rotation.processorSeconds(),
                rotation.mostWritesOfOneSecret(),
                rotation.writes());
    }
}

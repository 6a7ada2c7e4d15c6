package io.osmhub.api.preview;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DiffReport.Item.Result;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.workersync.watch.ObjectKey;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Recent comparisons for later pages: few, for a few minutes, each only for its caller and request. */
final class DiffReportCache {
    private static final int MOST = 16;
    private static final Duration LIFE = Duration.ofMinutes(5);
    private static final int ID_BYTES = 16;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, CachedReport> byId = new LinkedHashMap<>();

    DiffReportCache(InstantSource clock) {
        this.clock = clock;
    }

    /** Caller and request. */
    record DiffReportKey(String user, String request) {}

    private record CachedReport(DiffReportKey key, FullDiffReport report, Instant until) {}

    /**
     * A complete comparison.
     *
     * @param notCompared namespaces of tenants that were not compared
     * @param listed the items that pages contain
     */
    record FullDiffReport(
            String id,
            int total,
            int tenants,
            Map<Result, Integer> counts,
            int alreadyRefused,
            List<String> notCompared,
            List<MachineDeploymentDiff> listed) {}

    /**
     * Result of a comparison.
     *
     * @param notCompared namespaces of tenants that were not compared
     */
    record DiffResult(List<MachineDeploymentDiff> differences, List<String> notCompared) {}

    /** A hash of the request, the same for all its pages. */
    static String hash(DiffRequest request) {
        DiffRequest whole =
                new DiffRequest(request.changes(), request.namespaces(), request.onlyChanged(), null, null, null);
        try {
            return Sha256.hex(ApiJson.client().writeValueAsBytes(whole));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a parsed request is serializable", e);
        }
    }

    synchronized FullDiffReport put(DiffReportKey key, DiffResult found, boolean onlyChanged) {
        List<MachineDeploymentDiff> differences = found.differences();
        Map<Result, Integer> counts = new EnumMap<>(Result.class);
        differences.forEach(difference -> counts.merge(difference.result(), 1, Integer::sum));
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        FullDiffReport report = new FullDiffReport(
                HexFormat.of().formatHex(id),
                differences.size(),
                (int) differences.stream()
                        .map(MachineDeploymentDiff::tenant)
                        .distinct()
                        .count(),
                counts,
                (int) differences.stream()
                        .filter(MachineDeploymentDiff::alreadyRefused)
                        .count(),
                found.notCompared(),
                differences.stream()
                        .filter(difference -> !onlyChanged || difference.result() != Result.SAME)
                        .toList());
        byId.put(report.id(), new CachedReport(key, report, clock.instant().plus(LIFE)));
        while (byId.size() > MOST) {
            byId.remove(byId.keySet().iterator().next());
        }
        return report;
    }

    /** Empty if expired, or of another caller or request. */
    synchronized Optional<FullDiffReport> find(DiffReportKey key, String cursor) {
        byId.values().removeIf(entry -> entry.until().isBefore(clock.instant()));
        int dot = cursor.indexOf('.');
        CachedReport entry = dot < 0 ? null : byId.get(cursor.substring(0, dot));
        return entry == null || offset(cursor) < 0 || !same(entry.key(), key)
                ? Optional.empty()
                : Optional.of(entry.report());
    }

    private static boolean same(DiffReportKey one, DiffReportKey other) {
        return one.user().equals(other.user())
                && MessageDigest.isEqual(
                        one.request().getBytes(UTF_8), other.request().getBytes(UTF_8));
    }

    static String cursor(FullDiffReport report, int from) {
        return report.id() + "." + from;
    }

    /** Negative if the cursor is invalid. */
    static int offset(String cursor) {
        try {
            return Integer.parseInt(cursor.substring(cursor.indexOf('.') + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /**
     * Effect of a change on one MachineDeployment, without texts.
     *
     * @param alreadyRefused whether it is rejected today too
     * @param sizes of the documents that differ
     * @param problem why it would not be published; null if it would
     */
    record MachineDeploymentDiff(
            String tenant,
            String workerCluster,
            ObjectKey key,
            Result result,
            boolean alreadyRefused,
            List<SizeChange> sizes,
            @Nullable ReasonMessage problem) {
        MachineDeploymentDiff {
            sizes = List.copyOf(sizes);
        }

        /** Sizes of a document; null if absent. */
        record SizeChange(
                Preview.Kind kind,
                @Nullable Integer before,
                @Nullable Integer after) {}
    }
}

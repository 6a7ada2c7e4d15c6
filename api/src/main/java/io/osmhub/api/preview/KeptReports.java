package io.osmhub.api.preview;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DiffReport.Item.Result;
import io.osmhub.api.schema.DiffRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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

/** The last comparisons, for the pages that follow the first: a few, for a few minutes, each for its caller and its request only. */
final class KeptReports {
    private static final int MOST = 16;
    private static final Duration LIFE = Duration.ofMinutes(5);
    private static final int ID_BYTES = 16;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Entry> byId = new LinkedHashMap<>();

    KeptReports(InstantSource clock) {
        this.clock = clock;
    }

    /** Whose it is, and what was asked. */
    record Key(String user, String request) {}

    private record Entry(Key key, Report report, Instant until) {}

    /**
     * A whole comparison.
     *
     * @param notCompared namespaces of tenants that were not looked at
     * @param listed what pages are cut from
     */
    record Report(
            String id,
            int total,
            int tenants,
            Map<Result, Integer> counts,
            List<String> notCompared,
            List<Difference> listed) {}

    /**
     * What a comparison found.
     *
     * @param notCompared namespaces of tenants that were not looked at
     */
    record Found(List<Difference> differences, List<String> notCompared) {}

    /** A hash of what was asked, whichever page of it. */
    static String hash(DiffRequest request) {
        DiffRequest whole =
                new DiffRequest(request.changes(), request.namespaces(), request.onlyChanged(), null, null, null);
        try {
            byte[] json = ApiJson.client().writeValueAsBytes(whole);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(json));
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("a request that was read can be written", e);
        }
    }

    synchronized Report keep(Key key, Found found, boolean onlyChanged) {
        List<Difference> differences = found.differences();
        Map<Result, Integer> counts = new EnumMap<>(Result.class);
        differences.forEach(difference -> counts.merge(difference.result(), 1, Integer::sum));
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        Report report = new Report(
                HexFormat.of().formatHex(id),
                differences.size(),
                (int) differences.stream().map(Difference::tenant).distinct().count(),
                counts,
                found.notCompared(),
                differences.stream()
                        .filter(difference -> !onlyChanged || difference.result() != Result.SAME)
                        .toList());
        byId.put(report.id(), new Entry(key, report, clock.instant().plus(LIFE)));
        while (byId.size() > MOST) {
            byId.remove(byId.keySet().iterator().next());
        }
        return report;
    }

    /** Empty when it is not kept any more, or is another caller's or another request's. */
    synchronized Optional<Report> find(Key key, String cursor) {
        byId.values().removeIf(entry -> entry.until().isBefore(clock.instant()));
        int dot = cursor.indexOf('.');
        Entry entry = dot < 0 ? null : byId.get(cursor.substring(0, dot));
        return entry == null || offset(cursor) < 0 || !same(entry.key(), key)
                ? Optional.empty()
                : Optional.of(entry.report());
    }

    private static boolean same(Key one, Key other) {
        return one.user().equals(other.user())
                && MessageDigest.isEqual(
                        one.request().getBytes(UTF_8), other.request().getBytes(UTF_8));
    }

    static String cursor(Report report, int from) {
        return report.id() + "." + from;
    }

    /** Negative when the cursor is none. */
    static int offset(String cursor) {
        try {
            return Integer.parseInt(cursor.substring(cursor.indexOf('.') + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}

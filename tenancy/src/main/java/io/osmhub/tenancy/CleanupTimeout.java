package io.osmhub.tenancy;

import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code spec.cleanupTimeout} of a WorkerCluster. */
final class CleanupTimeout {
    private static final Duration USUAL = Duration.ofMinutes(2);
    private static final Duration MOST = Duration.ofHours(1);

    private CleanupTimeout() {}

    static Duration of(WorkerClusterRecord record) {
        WorkerClusterSpec spec = record.spec();
        Duration time = spec == null ? USUAL : parsed(spec.cleanupTimeout());
        return time == null ? USUAL : time.compareTo(MOST) > 0 ? MOST : time;
    }

    private static @Nullable Duration parsed(String text) {
        return DurationFormat.parse(text);
    }

    /** Time until removal gives up on leftovers; zero if it is over. */
    static Duration remaining(WorkerClusterRecord record, Instant now) {
        Instant asked = record.head().deletionTimestamp();
        Duration left = Duration.between(now, (asked == null ? Instant.EPOCH : asked).plus(of(record)));
        return left.isNegative() ? Duration.ZERO : left;
    }
}

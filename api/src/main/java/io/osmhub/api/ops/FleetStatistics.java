package io.osmhub.api.ops;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Publishing and queue statistics of this replica's last hour: a ring of 5 s samples in a few hundred kilobytes. Thread-safe. */
public final class FleetStatistics {
    /** Duration of a sample. */
    public static final Duration STEP = Duration.ofSeconds(5);

    /** Upper bounds of the publish duration buckets, in milliseconds; a further bucket counts longer ones. */
    public static final List<Integer> RANGES = List.of(20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000);

    private static final int SAMPLES = 720;
    /** Upper bounds of finer buckets for the percentiles; includes {@link #RANGES}. */
    private static final int[] FINE = {
        1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1_000, 1_500,
        2_000, 3_000, 5_000, 10_000, 30_000, 60_000
    };

    private final int[][] publishes = new int[SAMPLES][FINE.length + 1];
    private final int[] depths = new int[SAMPLES];
    private long oldestMillis;
    private int at;
    private int filled = 1;

    /**
     * Publishes of the last hour, from the event to the last secret.
     *
     * @param ranges counts for each of {@link #RANGES}, and of longer ones
     */
    public record PublishStatistics(int count, double p50Milliseconds, double p99Milliseconds, List<Integer> ranges) {}

    /**
     * Queued keys.
     *
     * @param depths maximum of each sample, oldest first; the last is the current one
     */
    public record QueueStatistics(int depth, double oldestSeconds, List<Integer> depths) {}

    /**
     * Of one replica, for sums over all.
     *
     * @param publishes of the last hour, by fine buckets
     * @param depth queued keys
     * @param oldestSeconds age of the oldest
     */
    public record ReplicaStatistics(List<Integer> publishes, int depth, double oldestSeconds) {}

    /** Records one publish. */
    public synchronized void recordPublish(Duration took) {
        publishes[at][range(took.toMillis())]++;
    }

    /** Starts the next sample; call it every {@link #STEP}. */
    public synchronized void startSample(int depth, Duration oldest) {
        at = (at + 1) % SAMPLES;
        filled = Math.min(filled + 1, SAMPLES);
        Arrays.fill(publishes[at], 0);
        depths[at] = depth;
        oldestMillis = oldest.toMillis();
    }

    public PublishStatistics publishes() {
        return publishes(List.of(replica()));
    }

    /** In a form that can be added to that of other replicas. */
    public synchronized ReplicaStatistics replica() {
        List<Integer> sums = new ArrayList<>();
        for (int range = 0; range <= FINE.length; range++) {
            int of = range;
            sums.add(Arrays.stream(publishes).mapToInt(sample -> sample[of]).sum());
        }
        return new ReplicaStatistics(sums, depths[at], oldestMillis / 1_000.0);
    }

    /** The publishes of several replicas together. */
    public static PublishStatistics publishes(List<ReplicaStatistics> replicas) {
        long[] sums = new long[FINE.length + 1];
        for (ReplicaStatistics replica : replicas) {
            for (int range = 0;
                    range < Math.min(sums.length, replica.publishes().size());
                    range++) {
                sums[range] += replica.publishes().get(range);
            }
        }
        long count = Arrays.stream(sums).sum();
        List<Integer> ranges = new ArrayList<>();
        int from = 0;
        for (int end : RANGES) {
            int to = Arrays.binarySearch(FINE, end) + 1;
            ranges.add(sum(sums, from, to));
            from = to;
        }
        ranges.add(sum(sums, from, sums.length));
        return new PublishStatistics((int) count, percentile(sums, count, 0.5), percentile(sums, count, 0.99), ranges);
    }

    public synchronized QueueStatistics queue() {
        List<Integer> oldestFirst = new ArrayList<>(filled);
        for (int back = filled - 1; back >= 0; back--) {
            oldestFirst.add(depths[Math.floorMod(at - back, SAMPLES)]);
        }
        return new QueueStatistics(depths[at], oldestMillis / 1_000.0, oldestFirst);
    }

    private static int range(long millis) {
        int found = Arrays.binarySearch(FINE, (int) Math.min(millis, Integer.MAX_VALUE));
        return found >= 0 ? found : -found - 1;
    }

    private static int sum(long[] sums, int from, int to) {
        return (int) Arrays.stream(sums, from, to).sum();
    }

    /** Interpolates the percentile within its bucket. */
    private static double percentile(long[] sums, long count, double share) {
        double wanted = count * share;
        double before = 0;
        for (int range = 0; range < sums.length && count > 0; range++) {
            if (sums[range] > 0 && before + sums[range] >= wanted) {
                double low = range == 0 ? 0 : FINE[range - 1];
                double high = range < FINE.length ? FINE[range] : low;
                return low + (high - low) * (wanted - before) / sums[range];
            }
            before += sums[range];
        }
        return 0;
    }
}

package io.osmhub.core.status;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** When the objects of a MachineDeployment were restored, to find somebody who keeps changing them. Immutable. */
public record DriftLog(List<Instant> restored) {
    public static final DriftLog EMPTY = new DriftLog(List.of());

    private static final int LOOP = 5;
    private static final Duration WINDOW = Duration.ofMinutes(10);

    public DriftLog {
        restored = List.copyOf(restored);
    }

    public DriftLog restored(Instant now) {
        return new DriftLog(Stream.concat(recent(now), Stream.of(now)).toList());
    }

    /** How often within the last 10 min. */
    public int count(Instant now) {
        return (int) restored.stream()
                .filter(time -> time.isAfter(now.minus(WINDOW)))
                .count();
    }

    /** Whether somebody works against the hub; over after 10 min without a repair. */
    public boolean isLoop(Instant now) {
        return restored.size() >= LOOP && restored.getLast().isAfter(now.minus(WINDOW));
    }

    private Stream<Instant> recent(Instant now) {
        // A loop is one until it is over, so it is not forgotten piece by piece.
        return isLoop(now)
                ? restored.stream().skip(Math.max(0, restored.size() - 2 * LOOP))
                : restored.stream().filter(time -> time.isAfter(now.minus(WINDOW)));
    }
}

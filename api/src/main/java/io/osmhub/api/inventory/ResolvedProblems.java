package io.osmhub.api.inventory;

import io.osmhub.api.paging.RowTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** Problems whose end this replica observed in the last 7 days, up to a limit. */
final class ResolvedProblems {
    private static final Duration REMEMBERED = Duration.ofDays(7);
    private static final int MOST = 5_000;

    private final LocalReplica replica;
    private final RowTable<Long, ProblemRow> table = new RowTable<>();
    private final Deque<Entry> oldestFirst = new ArrayDeque<>();
    private long number;

    private record Entry(long number, Instant at) {}

    ResolvedProblems(LocalReplica replica) {
        this.replica = replica;
    }

    synchronized void add(ProblemRow problem) {
        Instant now = replica.now();
        number++;
        oldestFirst.addLast(new Entry(number, now));
        table.put(number, problem.resolved(now));
        forget(now);
    }

    synchronized RowTable<Long, ProblemRow> table() {
        forget(replica.now());
        return table;
    }

    private void forget(Instant now) {
        while (!oldestFirst.isEmpty()
                && (oldestFirst.size() > MOST
                        || oldestFirst.getFirst().at().plus(REMEMBERED).isBefore(now))) {
            table.put(oldestFirst.removeFirst().number(), null);
        }
    }
}

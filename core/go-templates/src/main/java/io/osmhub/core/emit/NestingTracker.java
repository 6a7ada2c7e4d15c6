package io.osmhub.core.emit;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way from the root of a value to what is being written or read, and the budget that it is charged to. Templates can build
 * values that hold themselves, and small values that are huge when written out; both end here, in order.
 */
public final class NestingTracker {
    /** Levels of maps, lists and pointers that are followed. Far above any real document, far below what a thread's stack takes. */
    public static final int MAX_DEPTH = 1000;

    private final @Nullable ExecutionEnvironment environment;
    private final List<Object> path = new ArrayList<>();

    /** {@code environment} is null where the caller has no budget to keep. */
    public NestingTracker(@Nullable ExecutionEnvironment environment) {
        this.environment = environment;
    }

    /** Charges one step and memory for {@code chars} characters. */
    public void charge(int chars) {
        if (environment != null) {
            environment.charge(1 + (chars >> 4), chars);
        }
    }

    /** Charges for work that its caller has measured. */
    public void charge(long steps, long bytes) {
        if (environment != null) {
            environment.charge(steps, bytes);
        }
    }

    /** Goes into a container: its map, its list or the target of a pointer. False when it is too deep to go on. */
    public boolean enter(Object container) {
        charge(2);
        path.add(container);
        return path.size() <= MAX_DEPTH;
    }

    public void leave() {
        path.removeLast();
    }

    /** Whether the container entered last is also one of those around it. */
    @SuppressWarnings("ReferenceEquality") // a cycle is the same container again, not an equal one
    public boolean isCycle() {
        Object last = path.getLast();
        for (int i = 0; i < path.size() - 1; i++) {
            if (path.get(i) == last) {
                return true;
            }
        }
        return false;
    }

    /** What to throw when {@link #enter} said no. */
    public LimitExceededException newLimitException() {
        return new LimitExceededException(
                isCycle() ? "a value that contains itself" : "values nested more than " + MAX_DEPTH + " levels deep");
    }
}

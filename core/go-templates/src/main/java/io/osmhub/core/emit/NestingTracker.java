package io.osmhub.core.emit;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way from the root of a value to what is being written or read, and the budget that it is charged to. Templates can build
 * values that hold themselves, and small values that are huge when written out; both end here.
 */
public final class NestingTracker {
    /** Levels of maps, lists and pointers that are followed. Far above any real document, far below what a thread's stack takes. */
    public static final int MAX_DEPTH = 1000;

    /** Levels of a document that {@link #ofDocument} accepts: fits the stack of every thread. */
    public static final int DOCUMENT_DEPTH = 100;

    /** Parts of a document that {@link #ofDocument} accepts. */
    public static final int DOCUMENT_PARTS = 200_000;

    private static final int CHARS_PER_PART = 256;
    private static final int CHARS_PER_DECODED_STEP = 4;
    private static final int BYTES_PER_DECODED_CHAR = 8;

    private final @Nullable ExecutionEnvironment environment;
    private final int maxDepth;
    private final List<Object> path = new ArrayList<>();
    private long partsLeft;

    /** {@code environment} is null where the caller has no budget to keep. */
    public NestingTracker(@Nullable ExecutionEnvironment environment) {
        this(environment, MAX_DEPTH, Long.MAX_VALUE);
    }

    private NestingTracker(@Nullable ExecutionEnvironment environment, int maxDepth, long parts) {
        this.environment = environment;
        this.maxDepth = maxDepth;
        this.partsLeft = parts;
    }

    /** For reading a document outside of a template's budget, such as a rendered file: with fixed limits. */
    public static NestingTracker ofDocument() {
        return new NestingTracker(null, DOCUMENT_DEPTH, DOCUMENT_PARTS);
    }

    /** Levels that may be entered. */
    public int maxDepth() {
        return maxDepth;
    }

    /** Charges one step and memory for {@code chars} characters. */
    public void charge(int chars) {
        countParts(1, chars);
        if (environment != null) {
            environment.charge(1 + (chars >> 4), chars);
        }
    }

    /** Charges for a text before a library decodes it: each character may become a value. */
    public void chargeDecoding(String text) {
        if (environment != null) {
            environment.charge(text.length() / CHARS_PER_DECODED_STEP, (long) text.length() * BYTES_PER_DECODED_CHAR);
        }
    }

    /** Charges for work that its caller has measured. */
    public void charge(long steps, long bytes) {
        countParts(steps, bytes);
        if (environment != null) {
            environment.charge(steps, bytes);
        }
    }

    /** A long text counts as several parts. */
    private void countParts(long steps, long chars) {
        partsLeft -= steps + chars / CHARS_PER_PART;
        if (partsLeft < 0) {
            throw new LimitExceededException("more than " + DOCUMENT_PARTS + " parts");
        }
    }

    /**
     * Goes into a container: its map, its list or the target of a pointer.
     *
     * @throws LimitExceededException when it is too deep to go on
     */
    public void enter(Object container) {
        charge(2);
        path.add(container);
        if (path.size() > maxDepth) {
            throw newLimitException();
        }
    }

    public void leave() {
        path.removeLast();
    }

    /** Whether the container entered last is also one of those around it. */
    @SuppressWarnings("ReferenceEquality") // a cycle is the same container again, not an equal one
    private boolean isCycle() {
        Object last = path.getLast();
        for (int i = 0; i < path.size() - 1; i++) {
            if (path.get(i) == last) {
                return true;
            }
        }
        return false;
    }

    /** What {@link #enter} throws. */
    public LimitExceededException newLimitException() {
        return new LimitExceededException(
                isCycle() ? "a value that contains itself" : "values nested more than " + maxDepth + " levels deep");
    }
}

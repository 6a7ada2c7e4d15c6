package io.osmhub.api.preview;

import io.osmhub.api.access.Access;
import io.osmhub.api.http.Operation;
import io.osmhub.tenancy.LiveDetails;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** The operations that show what would be, and store nothing. */
public final class PreviewOperations {
    private final Rendering rendering;
    private final Comparing comparing;
    private final Linting linting;

    /**
     * Operations on what this replica serves.
     *
     * @param servedBy name of the replica that serves the tenant of a namespace; empty while that is not settled
     * @param nanoTime monotonic, for limits of time
     */
    public PreviewOperations(
            LiveDetails details,
            Access access,
            UnaryOperator<String> servedBy,
            InstantSource clock,
            LongSupplier nanoTime) {
        Turns turns = new Turns();
        this.rendering = new Rendering(details, access, servedBy, turns, clock);
        this.comparing = new Comparing(details, access, turns, clock, nanoTime);
        this.linting = new Linting(details, access, turns);
    }

    public List<Operation> operations() {
        return List.of(
                Operation.of("getUserData", rendering::userData),
                Operation.of("render", rendering::render),
                Operation.of("diff", comparing::diff),
                Operation.of("lint", linting::lint));
    }
}

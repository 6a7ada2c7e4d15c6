package io.osmhub.api.preview;

import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.http.Operation;
import io.osmhub.tenancy.HubQueries;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Read-only preview operations. */
public final class PreviewOperations {
    private final RenderOperation rendering;
    private final DiffOperation comparing;
    private final LintOperation linting;

    /**
     * Operations for tenants that this replica serves.
     *
     * @param servedBy name of the replica that serves the tenant of a namespace; empty while undecided
     * @param nanoTime monotonic, for time limits
     */
    public PreviewOperations(
            HubQueries details,
            CallerAuthorizer access,
            UnaryOperator<String> servedBy,
            InstantSource clock,
            LongSupplier nanoTime) {
        PreviewLimiter turns = new PreviewLimiter();
        this.rendering = new RenderOperation(details, access, servedBy, turns, clock);
        this.comparing = new DiffOperation(details, access, turns, clock, nanoTime);
        this.linting = new LintOperation(details, access, turns);
    }

    public List<Operation> operations() {
        return List.of(
                Operation.of("getUserData", rendering::getUserData),
                Operation.of("render", rendering::render),
                Operation.of("diff", comparing::diff),
                Operation.of("lint", linting::lint));
    }
}

package io.osmhub.api.inventory;

import io.osmhub.api.ops.FleetFigures;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.TenantDirectory;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the inventory asks the replica that it lives in. All answers come at once. */
public interface Replica {
    /** As {@code servedBy} shows it. */
    String name();

    /** Name of the replica that serves the tenant of a namespace, as this one sees it; empty while that is not settled. */
    default String servedBy(String namespace) {
        return "";
    }

    /** The tenants that this replica serves. */
    TenantDirectory tenants();

    /** Where profiles for all tenants are. */
    String sharedProfileNamespace();

    /** Whether a namespace lets others use its profiles. */
    boolean offersProfiles(String namespace);

    /** Everything of the management cluster was read once. */
    boolean isReady();

    /** Version of the hub. */
    String version();

    /** The last hour of this replica; null when nobody keeps it. */
    default @Nullable FleetFigures figures() {
        return null;
    }

    /** What is wrong with the hub itself or with what it needs of the management cluster, at this moment: each once. */
    default List<Concern> concerns() {
        return List.of();
    }

    /**
     * A problem that is no tenant's.
     *
     * @param object what has it, such as the name of a CustomResourceDefinition
     * @param since null when it is only known that it is so
     */
    record Concern(
            String object,
            Reason reason,
            String message,
            @Nullable Instant since) {
        /** One of which it is only known that it is so. */
        public Concern(String object, Reason reason, String message) {
            this(object, reason, message, null);
        }
    }

    Instant now();

    /** A clock that only goes forward. */
    long nanoTime();
}

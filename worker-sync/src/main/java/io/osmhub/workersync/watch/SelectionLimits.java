package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;

/**
 * Limits for one selection. A worker cluster belongs to its tenant, who may make it send endlessly; this must not use up the
 * memory that serves other tenants.
 *
 * @param objects maximum number listed and kept
 * @param bytes maximum JSON of a list and of the events since; beyond it, a new list determines the actual size
 */
public record SelectionLimits(int objects, long bytes) {
    private static final int MIB = 1024 * 1024;

    /** For the operator's own management cluster. */
    static final SelectionLimits NONE = new SelectionLimits(Integer.MAX_VALUE, Long.MAX_VALUE);

    /** MachineDeployments, of which much is kept: 13,000 of 5 kB, or 20,000 of 2.5 kB, in a heap of 460 MB. */
    static final SelectionLimits OF_MACHINES = new SelectionLimits(20_000, 64L * MIB);

    /** Secrets, of which little is kept: those of 6,000 MachineDeployments. */
    static final SelectionLimits OF_SECRETS = new SelectionLimits(50_000, 256L * MIB);

    /** Rare kinds. */
    static final SelectionLimits OF_OTHERS = new SelectionLimits(20_000, 16L * MIB);

    boolean isWithin(int objectsNow, long bytesNow) {
        return objectsNow <= objects && bytesNow <= bytes;
    }

    ApiFailure limitExceeded(Selection selection) {
        return ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.UNREADABLE,
                "more than " + objects + " " + selection + " or " + bytes / MIB
                        + " MiB of them, the limit for one cluster; delete unneeded ones");
    }
}

package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;

/**
 * How much the hub takes of one selection. A worker cluster is its tenant's, who may have it send without end; what one sends must not
 * take the memory that serves the others.
 *
 * @param objects most objects of a list, and most that are kept
 * @param bytes most JSON of a list, and of the events since: after so many the list is made anew, which says how much there really is
 */
record Bounds(int objects, long bytes) {
    private static final int MIB = 1024 * 1024;

    /** The management cluster is the operator's own. */
    static final Bounds NONE = new Bounds(Integer.MAX_VALUE, Long.MAX_VALUE);

    /** MachineDeployments, of which much is kept: 13,000 of 5 kB, or 20,000 of 2.5 kB. In a heap of 460 MB there is memory for so many. */
    static final Bounds OF_MACHINES = new Bounds(20_000, 64L * MIB);

    /** Secrets, of which little is kept: those of 6,000 MachineDeployments. */
    static final Bounds OF_SECRETS = new Bounds(50_000, 256L * MIB);

    /** What there are few of. */
    static final Bounds OF_OTHERS = new Bounds(20_000, 16L * MIB);

    boolean areKept(int objectsNow, long bytesNow) {
        return objectsNow <= objects && bytesNow <= bytes;
    }

    ApiFailure exceeded(Selection selection) {
        return ApiFailure.noAnswer(
                ApiFailure.Cause.UNREADABLE,
                "more than " + objects + " " + selection + ", or more than " + bytes / MIB
                        + " MiB of them: the hub takes no more from one cluster; delete those that nobody needs");
    }
}

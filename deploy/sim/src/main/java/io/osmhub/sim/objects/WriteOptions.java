package io.osmhub.sim.objects;

/** How a write is to be done. {@code manager} is recorded in managedFields; {@code force} lets a server-side apply take fields from others. */
public record WriteOptions(String manager, boolean dryRun, boolean force) {
    /** A plain write in this manager's name. */
    public static WriteOptions by(String manager) {
        return new WriteOptions(manager, false, false);
    }
}

package io.osmhub.core.status;

/**
 * What of its tenant concerns every MachineDeployment alike.
 *
 * @param connected false while the worker cluster cannot be reached: tokens run out
 * @param credentialsGood false when the hub's credential is refused, or ends soon
 * @param paused nothing is written
 */
public record Circumstances(boolean connected, boolean credentialsGood, boolean paused) {
    public static final Circumstances NORMAL = new Circumstances(true, true, false);

    boolean normal() {
        return connected && credentialsGood && !paused;
    }
}

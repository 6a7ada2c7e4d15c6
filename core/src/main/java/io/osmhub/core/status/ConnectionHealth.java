package io.osmhub.core.status;

/**
 * State of the tenant's connection, which affects every MachineDeployment.
 *
 * @param connected false while the worker cluster is unreachable and tokens expire
 * @param credentialsValid false when the hub's credential is rejected or expires soon
 * @param paused nothing is written
 */
public record ConnectionHealth(boolean connected, boolean credentialsValid, boolean paused) {
    public static final ConnectionHealth NORMAL = new ConnectionHealth(true, true, false);

    boolean isNormal() {
        return connected && credentialsValid && !paused;
    }
}

package io.osmhub.sim;

import io.osmhub.sim.auth.Authorizer;

/**
 * Options of simulated clusters.
 *
 * @param basePort port of the first cluster, followed by the others'; 0 for free ports
 * @param sharedAuthority whether all clusters share one certificate authority and serving key, which saves memory and time; then a client
 *     certificate for one is valid for all
 * @param historyEvents number of past changes that a cluster keeps for watches
 * @param historyBytes size limit of the past objects that it keeps
 */
public record SimulationOptions(
        int basePort, boolean sharedAuthority, Authorizer.Mode authorization, int historyEvents, long historyBytes) {
    /** Free ports, an authority per cluster, everything allowed. */
    public static SimulationOptions defaults() {
        return new SimulationOptions(0, false, Authorizer.Mode.ALWAYS_ALLOW, 1000, 4L * 1024 * 1024);
    }

    /** For thousands of clusters in one process: shared authority, short history. */
    public static SimulationOptions fleet() {
        return new SimulationOptions(0, true, Authorizer.Mode.ALWAYS_ALLOW, 200, 256L * 1024);
    }

    public SimulationOptions withBasePort(int port) {
        return new SimulationOptions(port, sharedAuthority, authorization, historyEvents, historyBytes);
    }

    public SimulationOptions withAuthorization(Authorizer.Mode mode) {
        return new SimulationOptions(basePort, sharedAuthority, mode, historyEvents, historyBytes);
    }
}

package io.osmhub.sim;

import io.osmhub.sim.auth.Authorizer;
import java.time.Duration;
import java.time.InstantSource;

/**
 * How simulated clusters behave from their start.
 *
 * @param basePort port of the first cluster, the next ones follow; 0 takes any free ports
 * @param sharedAuthority whether all clusters share one certificate authority and serving key, which saves memory and time; then a client
 *     certificate for one is valid for all
 * @param authorization who decides what a user may do
 * @param bookmarkInterval pause between the bookmarks of a watch
 * @param historyEvents how many past changes a cluster remembers for watches
 * @param historyBytes how many bytes of past objects it remembers at most
 * @param clock the time of all clusters, to which each adds its own offset
 * @param version what {@code /version} says
 */
public record SimulationOptions(
        int basePort,
        boolean sharedAuthority,
        Authorizer.Mode authorization,
        Duration bookmarkInterval,
        int historyEvents,
        long historyBytes,
        InstantSource clock,
        String version) {
    /** Free ports, an authority for each cluster, everything allowed, bookmarks every minute, the real time. */
    public static SimulationOptions defaults() {
        return new SimulationOptions(
                0,
                false,
                Authorizer.Mode.ALWAYS_ALLOW,
                Duration.ofMinutes(1),
                1000,
                4L * 1024 * 1024,
                InstantSource.system(),
                "v1.34.1");
    }

    /** For thousands of clusters in one process: shared authority, short history. */
    public static SimulationOptions fleet() {
        return defaults().withSharedAuthority(true).withHistory(200, 256L * 1024);
    }

    /** With another first port. */
    public SimulationOptions withBasePort(int port) {
        return new SimulationOptions(
                port, sharedAuthority, authorization, bookmarkInterval, historyEvents, historyBytes, clock, version);
    }

    /** With one authority for all, or one for each. */
    public SimulationOptions withSharedAuthority(boolean shared) {
        return new SimulationOptions(
                basePort, shared, authorization, bookmarkInterval, historyEvents, historyBytes, clock, version);
    }

    /** With another authorization mode. */
    public SimulationOptions withAuthorization(Authorizer.Mode mode) {
        return new SimulationOptions(
                basePort, sharedAuthority, mode, bookmarkInterval, historyEvents, historyBytes, clock, version);
    }

    /** With another limit on what is remembered for watches. */
    public SimulationOptions withHistory(int events, long bytes) {
        return new SimulationOptions(
                basePort, sharedAuthority, authorization, bookmarkInterval, events, bytes, clock, version);
    }
}

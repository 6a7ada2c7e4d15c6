package io.osmhub.sim;

import io.osmhub.sim.auth.SimulatedAuthority;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.FaultProxy;
import io.osmhub.sim.faults.RemoteApiServer;
import io.osmhub.sim.http.RequestCounters;
import io.vertx.core.Vertx;

/** A port with faults in front of an API server that runs elsewhere, real or simulated. Only its tokens are valid here. */
public final class FaultyPort implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final SimulatedAuthority authority = SimulatedAuthority.create("proxy-ca");
    private final FaultProxy proxy;

    private FaultyPort(String url, String caPem) {
        this.proxy = new FaultProxy(
                vertx,
                0,
                authority,
                authority.tlsContext(),
                new RequestCounters(),
                new RemoteApiServer(vertx, url, caPem));
    }

    /** Opens a port in front of the server with this address and certificate of its authority; returns when it listens. */
    public static FaultyPort open(String url, String caPem) {
        FaultyPort port = new FaultyPort(url, caPem);
        SimulatedClusters.await(port.proxy.start());
        return port;
    }

    public String url() {
        return proxy.url();
    }

    /** The certificate of its authority. */
    public String caPem() {
        return authority.pem();
    }

    public ClusterFaults faults() {
        return proxy.faults();
    }

    @Override
    public void close() {
        SimulatedClusters.await(vertx.close());
    }
}

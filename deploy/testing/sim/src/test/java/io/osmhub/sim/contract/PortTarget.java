package io.osmhub.sim.contract;

import io.osmhub.sim.FaultyPort;

/** A port with faults in front of a target. */
public record PortTarget(FaultyPort port, String token) implements ContractTarget {
    @Override
    public String url() {
        return port.url();
    }

    @Override
    public String caPem() {
        return port.caPem();
    }
}

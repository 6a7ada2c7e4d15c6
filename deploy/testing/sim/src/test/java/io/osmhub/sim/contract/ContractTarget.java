package io.osmhub.sim.contract;

/** The API server that the contract is tried on, with a user who may do everything. */
public interface ContractTarget {
    /** Its address, without a slash at the end. */
    String url();

    /** The certificate of its authority as PEM. */
    String caPem();

    /** A bearer token with all rights. */
    String token();
}

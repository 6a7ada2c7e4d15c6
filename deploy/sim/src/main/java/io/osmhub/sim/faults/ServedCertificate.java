package io.osmhub.sim.faults;

/** With which certificate new connections are served. */
public enum ServedCertificate {
    /** The one that the kubeconfig's authority issued. */
    OWN,
    /** A new one of the same authority. */
    RENEWED,
    /** One of an authority that nobody trusts. */
    FOREIGN
}

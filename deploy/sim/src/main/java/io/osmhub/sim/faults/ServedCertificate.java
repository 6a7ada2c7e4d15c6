package io.osmhub.sim.faults;

/** The server certificate of new connections. */
public enum ServedCertificate {
    /** The one that the kubeconfig's authority issued. */
    OWN,
    /** A new one of the same authority. */
    RENEWED,
    /** Issued by an untrusted authority. */
    FOREIGN
}

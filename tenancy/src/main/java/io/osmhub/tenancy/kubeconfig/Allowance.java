package io.osmhub.tenancy.kubeconfig;

/** What an operator may allow a kubeconfig beyond what every one may do. */
public enum Allowance {
    /** Not to verify the server's certificate. */
    INSECURE_SKIP_TLS_VERIFY("InsecureSkipTLSVerify"),
    /** To be reached through a proxy. */
    PROXY_URL("ProxyURL"),
    /** To name an address of the hub's own host or pod, or of its Services. */
    LOOPBACK("Loopback"),
    /** To name an address of the hub's own link; instance metadata stays refused. */
    LINK_LOCAL("LinkLocal"),
    /** To name the management cluster's own API server. */
    MANAGEMENT_CLUSTER("ManagementCluster");

    private final String word;

    Allowance(String word) {
        this.word = word;
    }

    /** As in {@code kubeconfigPolicy.allow}. */
    public String word() {
        return word;
    }
}

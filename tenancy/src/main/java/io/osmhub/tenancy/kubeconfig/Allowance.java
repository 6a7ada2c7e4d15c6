package io.osmhub.tenancy.kubeconfig;

/** What an operator may additionally allow in kubeconfigs. */
public enum Allowance {
    /** Skip verification of the server's certificate. */
    INSECURE_SKIP_TLS_VERIFY("InsecureSkipTLSVerify"),
    /** Use a proxy. */
    PROXY_URL("ProxyURL"),
    /** Use an address of the hub's own host or pod, or of its Services. */
    LOOPBACK("Loopback"),
    /** Use a link-local address; instance metadata remains forbidden. */
    LINK_LOCAL("LinkLocal"),
    /** Use the management cluster's own API server. */
    MANAGEMENT_CLUSTER("ManagementCluster");

    private final String wireName;

    Allowance(String word) {
        this.wireName = word;
    }

    /** As in {@code kubeconfigPolicy.allow}. */
    public String wireName() {
        return wireName;
    }
}

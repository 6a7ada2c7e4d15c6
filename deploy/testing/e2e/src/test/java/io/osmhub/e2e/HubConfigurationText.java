package io.osmhub.e2e;

/** Configuration files of the hub under test. */
final class HubConfigurationText {
    /** All clusters are on this machine, which a tenant's kubeconfig may otherwise not name. */
    static final String FOR_TESTS = """
            apiVersion: config.osmhub.io/v1alpha1
            kind: HubConfiguration
            kubeconfigPolicy:
              allow: [Loopback]
            api: {address: ""}
            webhooks: {address: ""}
            log: {format: console}
            """;

    /** The same for a hub that is killed: the next one does not wait until the Lease of the dead one ends. */
    static final String WITHOUT_LEASE = FOR_TESTS + "replicas: {mode: Single}\n";

    private HubConfigurationText() {}

    /** The same for a hub whose API listens on a port of the loopback. */
    static String withApi(int port) {
        return FOR_TESTS.replace("api: {address: \"\"}", "api: {address: \"127.0.0.1:" + port + "\"}");
    }
}

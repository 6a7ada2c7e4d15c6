package io.osmhub.e2e;

/** Configuration files of the hub under test. */
final class Configuration {
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

    private Configuration() {}
}

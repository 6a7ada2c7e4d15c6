package io.osmhub.demo;

import java.nio.file.Path;

/** The configuration of a hub that serves simulated clusters. */
final class HubConfigurationFile {
    private HubConfigurationFile() {}

    /** Defaults except for local addresses on free ports. */
    static String yaml(Path kubeconfig) {
        return """
                apiVersion: config.osmhub.io/v1alpha1
                kind: HubConfiguration
                management:
                  kubeconfig: "%s"
                  context: management
                kubeconfigPolicy:
                  allow: [Loopback]
                replicas: {mode: Single}
                api: {address: "127.0.0.1:0"}
                webhooks: {address: ""}
                health: {address: "127.0.0.1:0"}
                metrics: {address: "127.0.0.1:0"}
                log: {format: console}
                """.formatted(kubeconfig.toString().replace("\\", "\\\\").replace("\"", "\\\""));
    }
}

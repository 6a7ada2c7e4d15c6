package io.osmhub.deploy.dropin;

import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.log.ServiceLog;
import java.util.List;
import java.util.Optional;

/**
 * The command line of {@code hub webhook}: the flags of OSM's {@code webhook} with the same names, defaults and errors.
 *
 * @param kubeconfig empty for the default locations
 * @param namespace of the Lease
 * @param metrics empty if disabled
 * @param health empty if disabled
 * @param certDir folder with {@code tls.crt} and {@code tls.key}
 * @param leaderElect whether to acquire the Lease {@code operating-system-manager-leader-lock}
 */
public record WebhookFlags(
        String kubeconfig,
        String namespace,
        Optional<ListenAddress> metrics,
        Optional<ListenAddress> health,
        String certDir,
        boolean leaderElect,
        boolean debug,
        ServiceLog.Format logFormat) {
    /** Names of all flags, sorted. */
    public static List<String> names() {
        return GoFlags.names(WebhookFlags::read);
    }

    public static GoFlags.Result<WebhookFlags> read(List<String> arguments) {
        return GoFlags.read(arguments, WebhookFlags::read);
    }

    private static WebhookFlags read(GoFlags values) {
        return new WebhookFlags(
                values.text("kubeconfig", ""),
                values.required("namespace"),
                values.address("metrics-bind-address", ":8080", false),
                values.address("health-probe-bind-address", ":8081", true),
                values.text("cert-dir", "/tmp/k8s-webhook-server/serving-certs"),
                values.isEnabled("leader-elect", false),
                values.isEnabled("log-debug", false),
                values.logFormat("log-format"));
    }
}

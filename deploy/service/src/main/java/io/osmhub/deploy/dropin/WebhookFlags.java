package io.osmhub.deploy.dropin;

import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.log.ServiceLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private static Map<String, GoFlags.FlagKind> flagKinds() {
        Map<String, GoFlags.FlagKind> known = new HashMap<>();
        List.of(
                        "kubeconfig",
                        "namespace",
                        "metrics-bind-address",
                        "health-probe-bind-address",
                        "cert-dir",
                        "log-format")
                .forEach(name -> known.put(name, GoFlags.FlagKind.VALUE));
        List.of("leader-elect", "log-debug").forEach(name -> known.put(name, GoFlags.FlagKind.SWITCH));
        return known;
    }

    /** Names of all flags, sorted. */
    public static List<String> names() {
        return flagKinds().keySet().stream().sorted().toList();
    }

    public static GoFlags.Result<WebhookFlags> read(List<String> arguments) {
        return GoFlags.read(
                flagKinds(),
                arguments,
                values -> new WebhookFlags(
                        values.text("kubeconfig", ""),
                        values.required("namespace"),
                        values.address("metrics-bind-address", ":8080", false),
                        values.address("health-probe-bind-address", ":8081", true),
                        values.text("cert-dir", "/tmp/k8s-webhook-server/serving-certs"),
                        values.isEnabled("leader-elect", false),
                        values.isEnabled("log-debug", false),
                        values.logFormat("log-format")));
    }
}

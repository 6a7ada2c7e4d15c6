package io.osmhub.deploy.dropin;

import io.osmhub.core.document.Position;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.log.ServiceLog;
import io.osmhub.deploy.render.Mistake;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command line of {@code hub webhook}: the flags of the peer's {@code webhook}, same names, defaults and refusals.
 *
 * @param kubeconfig empty for the usual places
 * @param namespace of the Lease
 * @param metrics empty when switched off
 * @param health empty when switched off
 * @param certDir folder with {@code tls.crt} and {@code tls.key}
 * @param leaderElect whether to take the Lease {@code operating-system-manager-leader-lock}
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
    /** What a command line means. */
    public sealed interface Result {
        /** It can be used. */
        record Read(WebhookFlags flags) implements Result {}

        /** It cannot; at least one mistake, each with the flag as its source. */
        record Refused(List<Mistake> mistakes) implements Result {
            public Refused {
                mistakes = List.copyOf(mistakes);
            }
        }

        /** Somebody asked which flags there are. */
        record Help() implements Result {}
    }

    private static Map<String, GoFlags.Kind> known() {
        Map<String, GoFlags.Kind> known = new HashMap<>();
        List.of(
                        "kubeconfig",
                        "namespace",
                        "metrics-bind-address",
                        "health-probe-bind-address",
                        "cert-dir",
                        "log-format")
                .forEach(name -> known.put(name, GoFlags.Kind.VALUE));
        List.of("leader-elect", "log-debug").forEach(name -> known.put(name, GoFlags.Kind.SWITCH));
        return known;
    }

    /** Names of all flags, in order of the alphabet. */
    public static List<String> names() {
        return known().keySet().stream().sorted().toList();
    }

    /** Reads a command line. */
    public static Result read(List<String> arguments) {
        List<Mistake> mistakes = new ArrayList<>();
        GoFlags.Reporter reporter =
                (flag, what, cure) -> mistakes.add(new Mistake(flag, Position.NONE, "", what, cure));
        GoFlags.Parsed parsed = GoFlags.parse(known(), arguments, reporter);
        if (parsed.help()) {
            return new Result.Help();
        }
        FlagValues values = new FlagValues(parsed.values(), reporter);
        WebhookFlags flags = new WebhookFlags(
                values.text("kubeconfig", ""),
                values.required("namespace"),
                values.address("metrics-bind-address", ":8080", false),
                values.address("health-probe-bind-address", ":8081", true),
                values.text("cert-dir", "/tmp/k8s-webhook-server/serving-certs"),
                values.isOn("leader-elect", false),
                values.isOn("log-debug", false),
                values.logFormat("log-format"));
        return mistakes.isEmpty() ? new Result.Read(flags) : new Result.Refused(mistakes);
    }
}

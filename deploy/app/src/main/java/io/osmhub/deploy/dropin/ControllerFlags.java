package io.osmhub.deploy.dropin;

import io.osmhub.core.document.Position;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.PeerFlags;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.log.ServiceLog;
import io.osmhub.deploy.render.Mistake;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code hub controller}: the flags of the peer's {@code osm-controller}, same names, defaults and refusals.
 *
 * <p>Peer: operating-system-manager v1.11.2, {@code cmd/osm-controller/main.go}.
 *
 * @param kubeconfig of the management cluster, or of the only one; empty for the usual places
 * @param workerClusterKubeconfig of the worker cluster; empty when it is the management cluster
 * @param namespace of profiles, configurations and Leases
 * @param settings what the flags say of tenants' settings, the content of the CA bundles included
 * @param health empty when switched off, as the other addresses
 * @param workerHealth where the same is served once more; only with a worker cluster
 * @param leaderElect whether to take the peer's Leases
 * @param caFiles files whose change wants the flags to be read again
 * @param warnings what was accepted without effect; one sentence each
 */
public record ControllerFlags(
        String kubeconfig,
        String workerClusterKubeconfig,
        String namespace,
        SettingsLayer settings,
        Optional<ListenAddress> health,
        Optional<ListenAddress> metrics,
        Optional<ListenAddress> workerHealth,
        Optional<ListenAddress> workerMetrics,
        boolean leaderElect,
        boolean debug,
        ServiceLog.Format logFormat,
        List<Path> caFiles,
        List<String> warnings) {
    private static final String KUBERNETES_CA = "kubernetes-ca-bundle";
    private static final String HOST_CA = "host-ca-bundle";
    private static final List<String> TEXTS = List.of(
            "kubeconfig",
            "worker-cluster-kubeconfig",
            "worker-count",
            "namespace",
            "health-probe-address",
            "metrics-address",
            "worker-health-probe-address",
            "worker-metrics-address",
            KUBERNETES_CA,
            HOST_CA,
            "ca-bundle",
            "log-format");
    private static final List<String> SWITCHES = List.of(
            "external-cloud-provider",
            "device-ownership-from-security-context",
            "disable-default-osps",
            "leader-elect",
            "log-debug");

    public ControllerFlags {
        caFiles = List.copyOf(caFiles);
        warnings = List.copyOf(warnings);
    }

    /** What a command line means. */
    public sealed interface Result {
        /** It can be used. */
        record Read(ControllerFlags flags) implements Result {}

        /** It cannot; at least one mistake, each with the flag as its source. */
        record Refused(List<Mistake> mistakes) implements Result {
            public Refused {
                mistakes = List.copyOf(mistakes);
            }
        }

        /** Somebody asked which flags there are. */
        record Help() implements Result {}
    }

    /** All flags, without dashes. */
    static Map<String, GoFlags.Kind> known() {
        Map<String, GoFlags.Kind> known = new HashMap<>();
        PeerFlags.NAMES.forEach(name -> known.put(name, GoFlags.Kind.VALUE));
        TEXTS.forEach(name -> known.put(name, GoFlags.Kind.VALUE));
        SWITCHES.forEach(name -> known.put(name, GoFlags.Kind.SWITCH));
        return known;
    }

    /** Names of all flags, in order of the alphabet. */
    public static List<String> names() {
        return known().keySet().stream().sorted().toList();
    }

    /** Reads a command line and the CA files that it names. */
    public static Result read(List<String> arguments) {
        List<Mistake> mistakes = new ArrayList<>();
        GoFlags.Reporter reporter =
                (flag, what, cure) -> mistakes.add(new Mistake(flag, Position.NONE, "", what, cure));
        GoFlags.Parsed parsed = GoFlags.parse(known(), arguments, reporter);
        if (parsed.help()) {
            return new Result.Help();
        }
        ControllerFlags flags = read(parsed, reporter, mistakes);
        return mistakes.isEmpty() ? new Result.Read(flags) : new Result.Refused(mistakes);
    }

    private static ControllerFlags read(GoFlags.Parsed parsed, GoFlags.Reporter reporter, List<Mistake> mistakes) {
        FlagValues values = new FlagValues(parsed.values(), reporter);
        boolean hasWorker = !values.text("worker-cluster-kubeconfig", "").isEmpty();
        return new ControllerFlags(
                values.text("kubeconfig", ""),
                values.text("worker-cluster-kubeconfig", ""),
                values.required("namespace"),
                settings(parsed, values, reporter, mistakes),
                values.address("health-probe-address", "127.0.0.1:8085", true),
                values.address("metrics-address", "127.0.0.1:8080", false),
                workerAddress(values, "worker-health-probe-address", "127.0.0.1:8086", true, hasWorker),
                workerAddress(values, "worker-metrics-address", "127.0.0.1:8081", false, hasWorker),
                values.isOn("leader-elect", true),
                values.isOn("log-debug", false),
                values.logFormat("log-format"),
                caFiles(values),
                warnings(parsed, values));
    }

    /** Checked also when there is no worker cluster, but then not used. */
    private static Optional<ListenAddress> workerAddress(
            FlagValues values, String flag, String otherwise, boolean emptyIsOff, boolean hasWorker) {
        Optional<ListenAddress> address = values.address(flag, otherwise, emptyIsOff);
        return hasWorker ? address : Optional.empty();
    }

    private static SettingsLayer settings(
            GoFlags.Parsed parsed, FlagValues values, GoFlags.Reporter reporter, List<Mistake> mistakes) {
        Map<String, List<String>> settings = new LinkedHashMap<>();
        parsed.values().forEach((name, given) -> {
            if (PeerFlags.NAMES.contains(name)) {
                settings.put(name, given);
            }
        });
        int workers = values.integer("worker-count", 10);
        boolean noDefaults = values.isOn("disable-default-osps", false);
        SettingsLayer.Builder layer = new SettingsLayer.Builder();
        try {
            SettingsLayer read = PeerFlags.read(
                    settings, content(KUBERNETES_CA, values, reporter), content(HOST_CA, values, reporter));
            Setting.ALL.forEach(setting -> copy(setting, read, layer));
        } catch (TenantMistake e) {
            e.findings()
                    .forEach(finding -> mistakes.add(
                            new Mistake(finding.field(), Position.NONE, "", finding.what(), finding.cure())));
        }
        if (values.has("worker-count")) {
            // The peer's library takes one worker for anything below.
            layer.set(Setting.MAX_CONCURRENT_RECONCILES, Math.max(1, workers));
        }
        if (noDefaults) {
            layer.set(Setting.INSTALL_DEFAULTS, InstallDefaults.NONE);
        }
        return layer.build();
    }

    private static <T> void copy(Setting<T> setting, SettingsLayer from, SettingsLayer.Builder to) {
        to.set(setting, from.get(setting));
    }

    /** Null without the flag, and when the file cannot be read, which is reported. */
    private static @Nullable String content(String flag, FlagValues values, GoFlags.Reporter reporter) {
        String path = values.text(flag, "");
        if (path.isEmpty()) {
            return null;
        }
        String invalid = "-" + flag + " is invalid: open " + path + ": ";
        try {
            return Files.readString(Path.of(path));
        } catch (NoSuchFileException | InvalidPathException e) {
            reporter.add("-" + flag, invalid + "no such file or directory", "");
        } catch (AccessDeniedException e) {
            reporter.add("-" + flag, invalid + "permission denied", "");
        } catch (IOException e) {
            reporter.add("-" + flag, invalid + "not a text file", "");
        }
        return null;
    }

    private static List<Path> caFiles(FlagValues values) {
        List<Path> files = new ArrayList<>();
        for (String flag : List.of(KUBERNETES_CA, HOST_CA)) {
            String path = values.text(flag, "");
            // Go knows no such path either; it is reported when its content is wanted.
            if (!path.isEmpty() && path.indexOf('\0') < 0) {
                files.add(Path.of(path));
            }
        }
        return files;
    }

    private static List<String> warnings(GoFlags.Parsed parsed, FlagValues values) {
        List<String> warnings = new ArrayList<>();
        if (values.has("ca-bundle")) {
            warnings.add("-ca-bundle has no effect; use -kubernetes-ca-bundle");
        }
        if (!values.isOn("disable-default-osps", false)) {
            // Those that are packed need a definition that knows their template language, which the peer's does not.
            warnings.add("no default profiles are installed, those in the namespace are used as they are;"
                    + " -disable-default-osps says that this is meant");
        }
        if (!parsed.rest().isEmpty()) {
            warnings.add(
                    "everything from the word " + GoFlags.quote(parsed.rest().getFirst())
                            + " on is ignored, as Go's flags end at the first word without a dash");
        }
        return warnings;
    }

    /**
     * The same as a configuration of the hub. The addresses of health and metrics are the built-in ones when they are switched
     * off: ask {@link #health} and {@link #metrics} first.
     */
    public HubConfiguration configuration() {
        return DropInConfiguration.of(kubeconfig, namespace, settings, health, metrics, leaderElect, debug, logFormat);
    }
}

package io.osmhub.deploy.dropin;

import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.OsmFlags;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.log.ServiceLog;
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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code hub controller}: OSM's {@code osm-controller} flags with the same names, defaults and errors.
 *
 * <p>OSM v1.11.2, {@code cmd/osm-controller/main.go}.
 *
 * @param kubeconfig of the management cluster, or of the only one; empty for the default locations
 * @param workerClusterKubeconfig of the worker cluster; empty if it is the management cluster
 * @param namespace of profiles, configurations and Leases
 * @param settings tenant settings from the flags, including the content of the CA bundles
 * @param health empty if disabled, like the other addresses
 * @param workerHealth additional address for health; only with a worker cluster
 * @param leaderElect whether to acquire OSM's Leases
 * @param caFiles files whose changes require rereading the flags
 * @param warnings accepted flags without effect; one sentence each
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
    /** Of the flags for settings; the others have values. */
    private static final List<String> SWITCHES =
            List.of("external-cloud-provider", "device-ownership-from-security-context");

    public ControllerFlags {
        caFiles = List.copyOf(caFiles);
        warnings = List.copyOf(warnings);
    }

    /** Names of all flags, sorted. */
    public static List<String> names() {
        return GoFlags.names(values -> read(values, path -> ""));
    }

    /** Reads the files that flags name. */
    public interface FlagFileReader {
        /** @throws NoSuchFileException if there is none */
        String read(String path) throws IOException;
    }

    /** Parses a command line and reads the CA files. */
    public static GoFlags.Result<ControllerFlags> read(List<String> arguments) {
        return read(arguments, path -> Files.readString(Path.of(path)));
    }

    /** Parses the command line of another process. */
    public static GoFlags.Result<ControllerFlags> read(List<String> arguments, FlagFileReader files) {
        return GoFlags.read(arguments, values -> read(values, files));
    }

    private static ControllerFlags read(GoFlags values, FlagFileReader files) {
        boolean hasWorker = !values.text("worker-cluster-kubeconfig", "").isEmpty();
        return new ControllerFlags(
                values.text("kubeconfig", ""),
                values.text("worker-cluster-kubeconfig", ""),
                values.required("namespace"),
                settings(values, files),
                values.address("health-probe-address", "127.0.0.1:8085", true),
                values.address("metrics-address", "127.0.0.1:8080", false),
                workerAddress(values, "worker-health-probe-address", "127.0.0.1:8086", true, hasWorker),
                workerAddress(values, "worker-metrics-address", "127.0.0.1:8081", false, hasWorker),
                values.isEnabled("leader-elect", true),
                values.isEnabled("log-debug", false),
                values.logFormat("log-format"),
                caFiles(values),
                warnings(values));
    }

    /** Validated but unused without a worker cluster. */
    private static Optional<ListenAddress> workerAddress(
            GoFlags values, String flag, String otherwise, boolean emptyIsOff, boolean hasWorker) {
        Optional<ListenAddress> address = values.address(flag, otherwise, emptyIsOff);
        return hasWorker ? address : Optional.empty();
    }

    private static SettingsLayer settings(GoFlags values, FlagFileReader files) {
        values.declare(GoFlags.FlagKind.SWITCH, SWITCHES);
        values.declare(GoFlags.FlagKind.VALUE, OsmFlags.NAMES);
        Map<String, List<String>> settings = new LinkedHashMap<>(values.values());
        settings.keySet().retainAll(OsmFlags.NAMES);
        int workers = values.integer("worker-count", 10);
        boolean noDefaults = values.isEnabled("disable-default-osps", false);
        SettingsLayer layer = SettingsLayer.EMPTY;
        try {
            layer = OsmFlags.read(settings, content(KUBERNETES_CA, values, files), content(HOST_CA, values, files));
        } catch (TenantMistake e) {
            e.findings().forEach(finding -> values.addError(finding.field(), finding.cause(), finding.fix()));
        }
        if (values.has("worker-count")) {
            // OSM's library uses one worker for anything below.
            layer = layer.with(Setting.MAX_CONCURRENT_RECONCILES, Math.max(1, workers));
        }
        if (noDefaults) {
            layer = layer.with(Setting.INSTALL_DEFAULTS, InstallDefaults.NONE);
        }
        return layer;
    }

    /** Null without the flag or if the file is unreadable, which is reported. */
    private static @Nullable String content(String flag, GoFlags values, FlagFileReader files) {
        String path = values.text(flag, "");
        if (path.isEmpty()) {
            return null;
        }
        String invalid = "-" + flag + " is invalid: open " + path + ": ";
        try {
            return files.read(path);
        } catch (NoSuchFileException | InvalidPathException e) {
            values.addError("-" + flag, invalid + "no such file or directory", "");
        } catch (AccessDeniedException e) {
            values.addError("-" + flag, invalid + "permission denied", "");
        } catch (IOException e) {
            values.addError("-" + flag, invalid + "not a text file", "");
        }
        return null;
    }

    private static List<Path> caFiles(GoFlags values) {
        List<Path> files = new ArrayList<>();
        for (String flag : List.of(KUBERNETES_CA, HOST_CA)) {
            String path = values.text(flag, "");
            // Invalid in Go too; reported when the file is read.
            if (!path.isEmpty() && path.indexOf('\0') < 0) {
                files.add(Path.of(path));
            }
        }
        return files;
    }

    private static List<String> warnings(GoFlags values) {
        List<String> warnings = new ArrayList<>();
        if (values.has("ca-bundle")) {
            warnings.add("-ca-bundle has no effect; use -kubernetes-ca-bundle");
        }
        if (!values.rest().isEmpty()) {
            warnings.add("arguments from "
                    + GoFlags.quote(values.rest().getFirst())
                    + " on are ignored: flags end at the first argument without a dash");
        }
        return warnings;
    }

    /** Converts to a hub configuration. Check {@link #health} and {@link #metrics} first: if empty, it has the default addresses. */
    public HubConfiguration configuration() {
        Map<String, String> values = new HashMap<>(Map.of(
                "management.kubeconfig",
                kubeconfig,
                "management.namespace",
                namespace,
                "tenancy.sharedProfileNamespace",
                namespace,
                "tenancy.installCRDs",
                "Never",
                // No other tenants to leave capacity for: the maximum of -worker-count.
                "tenancy.maxConcurrentReconciles",
                "100",
                "replicas.mode",
                leaderElect ? "Sharded" : "Single",
                "api.address",
                "",
                "webhooks.address",
                "",
                "log.level",
                debug ? "debug" : "info",
                "log.format",
                logFormat.name().toLowerCase(Locale.ROOT)));
        health.ifPresent(address -> values.put("health.address", address.toString()));
        metrics.ifPresent(address -> values.put("metrics.address", address.toString()));
        return ConfigurationLoader.withValues(values).withDefaults(settings);
    }
}

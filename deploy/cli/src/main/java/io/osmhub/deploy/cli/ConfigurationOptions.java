package io.osmhub.deploy.cli;

import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.ConfigurationSources.Option;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The options that override the configuration file, for every verb that reads the configuration. */
final class ConfigurationOptions {
    @CommandLine.Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration file. Default: $OSM_HUB_CONFIG, /etc/osm-hub/hub.yaml if it exists.")
    private @Nullable String file;

    @CommandLine.Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the management cluster (management.kubeconfig).")
    private @Nullable String kubeconfig;

    @CommandLine.Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context in that kubeconfig (management.context).")
    private @Nullable String context;

    @CommandLine.Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The hub's own namespace (management.namespace); with --single also the tenant.")
    private @Nullable String namespace;

    @CommandLine.Option(
            names = "--api-address",
            paramLabel = "ADDRESS",
            description = "Address of the API (api.address); empty disables it.")
    private @Nullable String apiAddress;

    @CommandLine.Option(
            names = "--webhook-address",
            paramLabel = "ADDRESS",
            description = "Address of the webhooks (webhooks.address); empty disables them.")
    private @Nullable String webhookAddress;

    @CommandLine.Option(
            names = "--health-address",
            paramLabel = "ADDRESS",
            description = "Address of /livez, /readyz and /healthz (health.address).")
    private @Nullable String healthAddress;

    @CommandLine.Option(
            names = "--metrics-address",
            paramLabel = "ADDRESS",
            description = "Address of /metrics (metrics.address).")
    private @Nullable String metricsAddress;

    @CommandLine.Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "Log level: error, warn, info or debug (log.level).")
    private @Nullable String logLevel;

    @CommandLine.Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "Log format: json or console (log.format).")
    private @Nullable String logFormat;

    @CommandLine.Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Set any configuration key; may be repeated. hub config print lists the keys.")
    private List<String> sets = new ArrayList<>();

    /** All sources of the configuration; {@code otherFile} is used if {@code --config} is not given. */
    ConfigurationSources sources(Map<String, String> environment, @Nullable String otherFile) {
        List<Option> options = new ArrayList<>();
        add(options, "--kubeconfig", kubeconfig);
        add(options, "--context", context);
        add(options, "--namespace", namespace);
        add(options, "--api-address", apiAddress);
        add(options, "--webhook-address", webhookAddress);
        add(options, "--health-address", healthAddress);
        add(options, "--metrics-address", metricsAddress);
        add(options, "--log-level", logLevel);
        add(options, "--log-format", logFormat);
        sets.forEach(set -> options.add(new Option("--set", set)));
        return new ConfigurationSources(
                file == null ? otherFile : file, ConfigurationSources.USUAL_FILE, environment, options);
    }

    private static void add(List<Option> options, String name, @Nullable String text) {
        if (text != null) {
            options.add(new Option(name, text));
        }
    }
}

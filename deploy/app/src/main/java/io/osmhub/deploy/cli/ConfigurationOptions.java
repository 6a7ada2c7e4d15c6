package io.osmhub.deploy.cli;

import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.ConfigurationSources.Option;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The options that lay something over the configuration file, for every verb that reads the configuration. */
final class ConfigurationOptions {
    @CommandLine.Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Configuration file; else the one of OSM_HUB_CONFIG, else /etc/osm-hub/hub.yaml if it is there.")
    private @Nullable String file;

    @CommandLine.Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the management cluster (management.kubeconfig).")
    private @Nullable String kubeconfig;

    @CommandLine.Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context of that kubeconfig (management.context).")
    private @Nullable String context;

    @CommandLine.Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The hub's own namespace (management.namespace); with --single also the tenant.")
    private @Nullable String namespace;

    @CommandLine.Option(
            names = "--api-address",
            paramLabel = "ADDRESS",
            description = "Where the API listens (api.address); empty: off.")
    private @Nullable String apiAddress;

    @CommandLine.Option(
            names = "--webhook-address",
            paramLabel = "ADDRESS",
            description = "Where the webhooks listen (webhooks.address); empty: off.")
    private @Nullable String webhookAddress;

    @CommandLine.Option(
            names = "--health-address",
            paramLabel = "ADDRESS",
            description = "Where /livez, /readyz and /healthz answer (health.address).")
    private @Nullable String healthAddress;

    @CommandLine.Option(
            names = "--metrics-address",
            paramLabel = "ADDRESS",
            description = "Where /metrics answers (metrics.address).")
    private @Nullable String metricsAddress;

    @CommandLine.Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "error, warn, info or debug (log.level).")
    private @Nullable String logLevel;

    @CommandLine.Option(names = "--log-format", paramLabel = "FORMAT", description = "json or console (log.format).")
    private @Nullable String logFormat;

    @CommandLine.Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Any key of the configuration; can be given several times. hub explain config lists all.")
    private List<String> sets = new ArrayList<>();

    /** Everything that the configuration is read from; {@code otherFile} is taken when {@code --config} is not given. */
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

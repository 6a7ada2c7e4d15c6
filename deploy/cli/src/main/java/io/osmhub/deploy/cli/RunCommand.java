package io.osmhub.deploy.cli;

import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationLoader.Result;
import io.osmhub.deploy.config.ConfigurationReport;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.EffectiveConfiguration;
import io.osmhub.deploy.run.HubProcess;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hub run}: runs the service for all tenants, or for its own cluster only. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serve every WorkerCluster of a management cluster until stopped.",
            "",
            "The configuration comes from a file, OSM_HUB_ variables and these options; later sources override earlier ones;"
                    + " docs/reference/configuration.md describes the keys. Reports all configuration errors at once and then starts"
                    + " nothing. Logs to standard error.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  hub run --config hub.yaml                 in a pod, with its ServiceAccount",
            "  hub run --kubeconfig seed.yaml --log-format console",
            "  hub run --single --namespace kube-system  for its own cluster only",
            "",
            "Exit codes: 0 stopped, 2 invalid configuration, 70 internal error."
        })
final class RunCommand extends TerminalCommand {
    @Option(names = "--single", description = "Serve only the management cluster itself, as WorkerCluster \"local\".")
    private boolean single;

    @Option(names = "--dry-run", description = "Print the effective configuration and exit.")
    private boolean dryRun;

    @Mixin
    private final ConfigurationOptions options = new ConfigurationOptions();

    @Override
    public Integer call() {
        ConfigurationSources sources = options.sources(System.getenv(), null);
        return switch (ConfigurationLoader.load(sources)) {
            case Result.Refused(var mistakes) -> {
                ConfigurationReport.lines("hub", "in the configuration", "nothing was started", mistakes)
                        .forEach(terminal.err()::println);
                yield ExitCode.UNUSABLE_INPUT;
            }
            case Result.Loaded(var effective) -> {
                if (dryRun) {
                    HubProcess.describePlan(effective.configuration(), single).forEach(terminal.out()::println);
                    yield ExitCode.OK;
                }
                yield run(effective, sources);
            }
        };
    }

    private int run(EffectiveConfiguration effective, ConfigurationSources sources) {
        try {
            HubProcess.run(effective, sources, single);
            return ExitCode.OK;
        } catch (IOException e) {
            terminal.printRefusal(String.valueOf(e.getMessage()));
            return ExitCode.UNUSABLE_INPUT;
        }
    }
}

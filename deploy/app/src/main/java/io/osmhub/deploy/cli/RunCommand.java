package io.osmhub.deploy.cli;

import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationLoader.Result;
import io.osmhub.deploy.config.ConfigurationReport;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.EffectiveConfiguration;
import io.osmhub.deploy.run.HubProcess;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hub run}: the service, for every tenant or for the one cluster that it runs in. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serve every WorkerCluster of a management cluster until told to stop.",
            "",
            "The configuration is read from a file, from OSM_HUB_ variables and from these options, later ones first;"
                    + " hub explain config says what each key means. All mistakes are reported at once, and then nothing"
                    + " is started. The log goes to the standard error.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  hub run --config hub.yaml                 in a pod, with the rights of its ServiceAccount",
            "  hub run --kubeconfig seed.yaml --log-format console",
            "  hub run --single --namespace kube-system  for the one cluster that it runs in",
            "",
            "Exit codes: 0 told to stop, 2 the configuration cannot be used, 70 internal error."
        })
final class RunCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--single",
            description = "Serve the management cluster itself and nothing else, as WorkerCluster \"local\".")
    private boolean single;

    @Option(names = "--dry-run", description = "Print what would be started, and end.")
    private boolean dryRun;

    @Mixin
    private final ConfigurationOptions options = new ConfigurationOptions();

    RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

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
                    HubProcess.plan(effective.configuration(), single).forEach(terminal.out()::println);
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
            terminal.refuse(String.valueOf(e.getMessage()));
            return ExitCode.UNUSABLE_INPUT;
        }
    }
}

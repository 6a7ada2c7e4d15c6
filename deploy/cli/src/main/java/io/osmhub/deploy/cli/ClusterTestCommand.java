package io.osmhub.deploy.cli;

import io.osmhub.api.schema.TestReport;
import io.osmhub.deploy.cli.RegistrationCommand.WorkerKubeconfigCommand;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.view.RegistrationFormatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hub cluster test}: tests what a kubeconfig can do. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description = {
            "Test the stored or given kubeconfig of a worker cluster: address, TLS, version, clock, permissions, and that no"
                    + " other WorkerCluster has the cluster.",
            "Changes nothing. Runs in the hub with --server, otherwise on this machine."
        },
        footer = {"", "Exit codes: 0 all checks passed, 1 one failed, 3 WorkerCluster not found."})
final class ClusterTestCommand extends WorkerKubeconfigCommand {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Test this kubeconfig instead of the stored one; - for standard input.")
    private @Nullable String kubeconfig;

    @Mixin
    private final PrintOptions print = new PrintOptions();

    @Override
    int run(RegistrationTarget target) {
        WorkerKubeconfig given = kubeconfig == null ? null : WorkerKubeconfig.read(kubeconfig, terminal);
        TestReport report =
                target.client().test(target.namespace(), target.name(), given == null ? null : given.text());
        if (!printStructured(print, report)) {
            RegistrationFormatter.formatTest(report).forEach(this::printLine);
            printHint(RegistrationFormatter.summarizeTest(report));
        }
        return report.passed() ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
    }
}

package io.osmhub.deploy.cli;

import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.core.model.Sensitive;
import io.osmhub.deploy.cli.RegistrationCommand.RegistrationTarget;
import io.osmhub.deploy.config.InputFile;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetOptions.WorkerOptions;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.view.RegistrationFormatter;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A verb whose {@code --kubeconfig} is a worker cluster's. */
abstract class WorkerKubeconfigCommand extends RegistrationCommand {
    private static final int MOST_BYTES = 512 * 1024;

    WorkerKubeconfigCommand() {
        super(new WorkerOptions());
    }

    /** Reads a kubeconfig; {@code -} means standard input. */
    final Sensitive read(String file) {
        InputFile input = new InputFile(file, MOST_BYTES);
        try {
            return new Sensitive(input.read(terminal.in()));
        } catch (InputFile.UnreadableException e) {
            throw CommandFailure.unusable("kubeconfig " + input.displayName() + ": " + e.reason());
        }
    }

    /** Reads and validates a kubeconfig before it is stored, without a hub's policy, and prints it. */
    final Sensitive readValid(String file) {
        Sensitive text = read(file);
        String source = InputFile.of(file).displayName();
        Set<Allowance> all = EnumSet.allOf(Allowance.class);
        EgressPolicy any = new EgressPolicy(new KubeconfigRules(all, List.of(), List.of()), Set.of(), Set.of());
        switch (new KubeconfigValidator(any).validate(source, text.reveal())) {
            case KubeconfigValidation.Valid(var vetted) ->
                printLine(RegistrationFormatter.formatKubeconfig(source, vetted));
            case KubeconfigValidation.Invalid refused ->
                throw FailureMessages.of(refused.findings(), source, "nothing was stored");
        }
        return text;
    }

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
    static final class Test extends WorkerKubeconfigCommand {
        @Option(
                names = "--kubeconfig",
                paramLabel = "FILE",
                description = "Test this kubeconfig instead of the stored one; - for standard input.")
        private @Nullable String kubeconfig;

        @Mixin
        private final PrintOptions print = new PrintOptions();

        @Override
        int run(RegistrationTarget target) {
            TestReport report = target.client()
                    .test(target.namespace(), target.name(), kubeconfig == null ? null : read(kubeconfig));
            if (!printStructured(print, report)) {
                RegistrationFormatter.formatTest(report).forEach(this::printLine);
                printHint(RegistrationFormatter.summarizeTest(report));
            }
            return report.passed() ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
        }
    }

    /** {@code hub cluster rotate}: replaces the stored kubeconfig. */
    @Command(
            name = "rotate",
            mixinStandardHelpOptions = true,
            description =
                    "Replace the kubeconfig of a worker cluster. The new one is tested first; a failed test changes"
                            + " nothing.")
    static final class Rotate extends WorkerKubeconfigCommand {
        @Option(
                names = "--kubeconfig",
                required = true,
                paramLabel = "FILE",
                description = "The new kubeconfig; - for standard input.")
        private String kubeconfig = "";

        @Option(names = "--scoped", description = "Store a short-lived token of the hub's own account instead.")
        private boolean scoped;

        @Override
        int run(RegistrationTarget target) {
            RegistrationResult result =
                    target.client().rotate(target.namespace(), target.name(), readValid(kubeconfig), scoped);
            RegistrationFormatter.formatResult(result, Instant.now()).forEach(this::printLine);
            printLine(target + " has a new kubeconfig");
            return ExitCode.OK;
        }
    }
}

package io.osmhub.deploy.cli;

import io.osmhub.api.registration.WorkerClusterMapper;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.resource.Condition;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationLoader.Result;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.DefinitionUpgrade;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.FleetOptions.ManagementOptions;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.lint.BashSyntaxChecker;
import io.osmhub.deploy.view.ValueFormatter;
import io.osmhub.tenancy.crds.InstalledDefinitions;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hub doctor}: checks prerequisites. A check that cannot run does not stop the others. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Check prerequisites and print fixes.",
            "Checks programs, configuration, the management cluster with its definitions and profiles, and every worker"
                    + " cluster visible to you, with your kubeconfig. Changes nothing."
        },
        footer = {
            "",
            "ok: passed. MISSING: required and missing. note: optional or worth knowing.",
            "",
            "Exit codes: 0 all prerequisites are met, 1 some are missing."
        })
final class DoctorCommand extends TerminalCommand {
    private enum CheckSymbol {
        OK("ok"),
        MISSING("MISSING"),
        NOTE("note");

        private final String word;

        CheckSymbol(String word) {
            this.word = word;
        }
    }

    private boolean missing;
    private @Nullable ProgressIndicator progress;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The hub's configuration file, if not in the default location.")
    private @Nullable String config;

    @Mixin
    private final FleetOptions options = new ManagementOptions();

    @Override
    public Integer call() {
        options.rejectServer("doctor");
        machine();
        configuration();
        fleet();
        return missing ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
    }

    private void printCheck(CheckSymbol symbol, String subject, String text) {
        missing |= symbol == CheckSymbol.MISSING;
        String line =
                TerminalSanitizer.sanitizeLine(String.format(Locale.ROOT, "%-8s %-15s %s", symbol.word, subject, text));
        if (progress == null) {
            terminal.out().println(line);
        } else {
            progress.interrupt(() -> terminal.out().println(line));
        }
    }

    // This machine

    private void machine() {
        printCheck(CheckSymbol.OK, "java", Runtime.version().toString());
        if (BashSyntaxChecker.find().isPresent()) {
            printCheck(CheckSymbol.OK, "bash", "used by hub lint to check scripts");
        } else {
            printCheck(CheckSymbol.NOTE, "bash", "not found: hub lint does not check scripts; install bash");
        }
        if (isOnPath("kubectl")) {
            printCheck(CheckSymbol.OK, "kubectl", isOnPath("kubectl-osmhub") ? "with the plugin osmhub" : "found");
        } else {
            printCheck(CheckSymbol.NOTE, "kubectl", "not found; some fixes below need it");
        }
    }

    private static boolean isOnPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private void configuration() {
        ConfigurationSources sources =
                new ConfigurationSources(config, ConfigurationSources.USUAL_FILE, System.getenv(), List.of());
        switch (ConfigurationLoader.load(sources)) {
            case Result.Loaded(var effective) -> {
                String file = effective.file();
                printCheck(CheckSymbol.OK, "configuration", file == null ? "no file; environment and defaults" : file);
            }
            case Result.Refused(var mistakes) ->
                printCheck(
                        CheckSymbol.MISSING,
                        "configuration",
                        ValueFormatter.countOf(mistakes.size(), "error") + "; hub config check"
                                + (config == null ? "" : " " + config) + " lists them");
        }
    }

    // The fleet

    private void fleet() {
        try {
            FleetEndpoint remote = options.managementEndpoint(System.getenv(), terminal.err()::println);
            try (ManagementClient client = ManagementClient.open(remote);
                    ProgressIndicator shown = ProgressIndicator.start(terminal, client.describe())) {
                progress = shown;
                if (!definitions(client)) {
                    printCheck(CheckSymbol.NOTE, "worker clusters", "not checked until the definitions are installed");
                    return;
                }
                List<WorkerClusterEntry> clusters = new ArrayList<>();
                client.list(Resource.WORKER_CLUSTERS, options.namedTenant())
                        .forEach(object -> clusters.add(WorkerClusterMapper.of(object)));
                printCheck(CheckSymbol.OK, "management", client.describe());
                profiles(client);
                clusters(clusters);
            }
        } catch (CommandFailure e) {
            printCheck(CheckSymbol.MISSING, "management", e.text());
        }
    }

    /** Returns false if a definition is missing. */
    private boolean definitions(ManagementClient client) {
        boolean complete = true;
        try {
            for (DefinitionUpgrade.Step step : new DefinitionUpgrade(client.management()).run(false, true)) {
                String name = step.definition().definitionName();
                switch (step.what()) {
                    case UNCHANGED -> printCheck(CheckSymbol.OK, "definition", name);
                    case CREATED -> {
                        complete = false;
                        printCheck(CheckSymbol.MISSING, "definition", name + " not found; run hub install crds");
                    }
                    case UPGRADED ->
                        printCheck(
                                CheckSymbol.MISSING,
                                "definition",
                                name + " has " + step.previousVersion() + ", an older version; run hub install crds");
                    case LEFT, TAKEN_OVER -> {
                        InstalledDefinitions.DefinitionProblem problem =
                                step.found() == null ? null : InstalledDefinitions.problem(step.found());
                        if (problem == null) {
                            printCheck(
                                    CheckSymbol.NOTE,
                                    "definition",
                                    name + " is managed by " + step.previousVersion() + " and is compatible");
                        } else {
                            String fix = ValueFormatter.fix(problem.problem());
                            printCheck(
                                    CheckSymbol.NOTE,
                                    "definition",
                                    name + ": " + problem.problem().cause() + (fix.isEmpty() ? "" : "; " + fix));
                        }
                    }
                }
            }
        } catch (ApiFailure e) {
            if (!e.isForbidden()) {
                throw FailureMessages.of(e, client.describe());
            }
            printCheck(
                    CheckSymbol.NOTE,
                    "definitions",
                    "requires permission to read them; ask a cluster operator to run hub doctor");
        }
        return complete;
    }

    private void profiles(ManagementClient client) {
        try {
            int count = client.list(Resource.OPERATING_SYSTEM_PROFILES, "").size();
            if (count == 0) {
                printCheck(
                        CheckSymbol.MISSING,
                        "profiles",
                        "no visible OperatingSystemProfile; a running hub installs the default ones in the namespace"
                                + " set by tenancy.sharedProfileNamespace");
            } else {
                printCheck(CheckSymbol.OK, "profiles", ValueFormatter.countOf(count, "OperatingSystemProfile"));
            }
        } catch (CommandFailure e) {
            printCheck(CheckSymbol.NOTE, "profiles", e.text());
        }
    }

    private void clusters(List<WorkerClusterEntry> clusters) {
        if (clusters.isEmpty()) {
            printCheck(CheckSymbol.NOTE, "worker clusters", "none visible; register one with hub cluster add");
        }
        for (WorkerClusterEntry cluster : clusters) {
            String name =
                    cluster.metadata().namespace() + "/" + cluster.metadata().name();
            String said = ApiJson.word(cluster.state());
            switch (cluster.state()) {
                case SYNCED -> printCheck(CheckSymbol.OK, "worker cluster", name + " " + said);
                case PAUSED, CLOSED, CONNECTING -> printCheck(CheckSymbol.NOTE, "worker cluster", name + " " + said);
                case DEGRADED, UNREACHABLE, UNAUTHORIZED ->
                    printCheck(
                            CheckSymbol.MISSING,
                            "worker cluster",
                            name + " " + said + ready(cluster) + "; run hub get problems -n "
                                    + cluster.metadata().namespace());
            }
        }
    }

    private static String ready(WorkerClusterEntry cluster) {
        List<Condition> conditions = cluster.status().conditions();
        return conditions == null
                ? ""
                : conditions.stream()
                        .filter(condition -> condition.type().equals("Ready"))
                        .map(condition -> ": " + condition.reason())
                        .findFirst()
                        .orElse("");
    }
}

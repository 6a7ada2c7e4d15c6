package io.osmhub.deploy.cli;

import io.osmhub.api.registration.WorkerClusterMapper;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Me;
import io.osmhub.api.schema.Me.Right.Action;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationLoader.Result;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.fleet.DefinitionUpgrade;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetListQuery;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.RegistrationClient;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
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
                    + " cluster visible to you. Changes nothing."
        },
        footer = {
            "",
            "ok: passed. MISSING: required and missing. note: optional or worth knowing.",
            "",
            "Exit codes: 0 all prerequisites are met, 1 some are missing."
        })
final class DoctorCommand implements Callable<Integer> {
    static final String SHARED_HIDDEN = "you may not view the shared profiles; ask a cluster administrator for a"
            + " RoleBinding to osmhub.io:profile-reader in their namespace (chart value profiles.readers)";

    private enum CheckSymbol {
        OK("ok"),
        MISSING("MISSING"),
        NOTE("note");

        private final String word;

        CheckSymbol(String word) {
            this.word = word;
        }
    }

    private final Terminal terminal;
    private boolean missing;
    /** What is being waited for; empty for this machine. */
    private String waitsFor = "";

    private @Nullable ProgressIndicator progress;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The hub's configuration file, if not in the default location.")
    private @Nullable String config;

    @Mixin
    private final FleetOptions options = new FleetOptions();

    DoctorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        machine();
        configuration();
        try {
            fleet();
        } finally {
            waitFor("");
        }
        return missing ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
    }

    private void printCheck(CheckSymbol sign, String subject, String text) {
        missing |= sign == CheckSymbol.MISSING;
        String again = waitsFor;
        waitFor("");
        terminal.out()
                .println(TerminalSanitizer.sanitizeLine(
                        String.format(Locale.ROOT, "%-8s %-15s %s", sign.word, subject, text)));
        waitFor(again);
    }

    private void waitFor(String whom) {
        if (progress != null) {
            progress.stop();
        }
        waitsFor = whom;
        progress = whom.isEmpty() ? null : ProgressIndicator.start(terminal, whom);
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
        String way = "management";
        try {
            var remote = options.endpoint(kubeconfig, System.getenv(), terminal.err()::println);
            way = remote.server() == null ? "management" : "hub's API";
            try (RegistrationClient client = remote.openRegistrations()) {
                waitFor(client.describe());
                List<WorkerClusterEntry> clusters = new ArrayList<>();
                switch (client) {
                    case ManagementClient management -> {
                        if (!definitions(management)) {
                            printCheck(
                                    CheckSymbol.NOTE,
                                    "worker clusters",
                                    "not checked until the definitions are installed");
                            return;
                        }
                        management
                                .list(Resource.WORKER_CLUSTERS, options.namedTenant())
                                .forEach(object -> clusters.add(WorkerClusterMapper.of(object)));
                    }
                    case HubClient hub -> {
                        definitions(hub);
                        clusters.addAll(ListableKind.CLUSTERS.list(hub, FleetListQuery.in(options.namedTenant())));
                    }
                }
                printCheck(CheckSymbol.OK, way, client.describe());
                profiles(client);
                clusters(clusters);
            }
        } catch (FleetFailure e) {
            printCheck(CheckSymbol.MISSING, way, e.text());
        }
    }

    /** Returns false if a definition is missing. */
    private boolean definitions(ManagementClient client) throws FleetFailure {
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
                            foreign(name, problem.problem().cause(), ValueFormatter.fix(problem.problem()));
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

    /** Prints what the hub finds, whichever way it was received. */
    private void foreign(String name, String cause, String fix) {
        printCheck(CheckSymbol.NOTE, "definition", describe(name, cause, fix));
    }

    private static String describe(String name, String cause, String fix) {
        return (name.isEmpty() ? "" : name + ": ") + cause + (fix.isEmpty() ? "" : "; " + fix);
    }

    /** Uses the hub's view: it reads all objects and reports incompatible definitions of other products as problems. */
    private void definitions(HubClient hub) throws FleetFailure {
        if (!Boolean.TRUE.equals(hub.get(Me.class, "/me").seesAllTenants())) {
            printCheck(
                    CheckSymbol.NOTE,
                    "definitions",
                    "requires permission to view all tenants; ask a cluster operator to run hub doctor");
            return;
        }
        List<ProblemEntry> problems =
                ListableKind.PROBLEMS.list(hub, new FleetListQuery("", "", Map.of("category", "hub"), "")).stream()
                        .filter(problem -> problem.tenant() == null)
                        .toList();
        boolean read = problems.stream().noneMatch(problem -> problem.reason() == Reason.ManagementClusterUnreachable);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            String name = definition.definitionName();
            Optional<ProblemEntry> foreign = problems.stream()
                    .filter(problem -> problem.reason() == Reason.CRDForeignManaged
                            && nameOf(problem).equals(name))
                    .findFirst();
            if (foreign.isPresent()) {
                foreign(name, ValueFormatter.cause(foreign.get()), ValueFormatter.fix(foreign.get()));
            } else if (read) {
                printCheck(CheckSymbol.OK, "definition", name);
            }
        }
        if (!read) {
            printCheck(
                    CheckSymbol.NOTE,
                    "definitions",
                    "the hub cannot read the management cluster, so the other definitions are unknown");
        }
        for (ProblemEntry problem : problems) {
            if (problem.reason() != Reason.CRDForeignManaged) {
                printCheck(
                        problem.severity() == Severity.ERROR ? CheckSymbol.MISSING : CheckSymbol.NOTE,
                        "hub",
                        describe(nameOf(problem), ValueFormatter.cause(problem), ValueFormatter.fix(problem)));
            }
        }
    }

    private static String nameOf(ProblemEntry problem) {
        return problem.object() == null ? "" : problem.object().name();
    }

    private void profiles(RegistrationClient client) {
        try {
            int count =
                    switch (client) {
                        case HubClient hub ->
                            ListableKind.PROFILES
                                    .list(hub, FleetListQuery.in(""))
                                    .size();
                        case ManagementClient management ->
                            management
                                    .list(Resource.OPERATING_SYSTEM_PROFILES, "")
                                    .size();
                    };
            boolean hidden =
                    client instanceof HubClient hub && !hub.get(Me.class, "/me").isAllowed(Action.VIEW_SHARED_PROFILES);
            if (hidden) {
                printCheck(CheckSymbol.NOTE, "profiles", SHARED_HIDDEN);
            }
            if (count == 0 && !hidden) {
                printCheck(
                        CheckSymbol.MISSING,
                        "profiles",
                        "no visible OperatingSystemProfile; a running hub installs the default ones in the namespace"
                                + " set by tenancy.sharedProfileNamespace");
            } else if (count > 0) {
                printCheck(CheckSymbol.OK, "profiles", ValueFormatter.countOf(count, "OperatingSystemProfile"));
            }
        } catch (FleetFailure e) {
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

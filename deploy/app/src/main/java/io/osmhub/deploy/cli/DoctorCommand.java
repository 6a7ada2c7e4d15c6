package io.osmhub.deploy.cli;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Me;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.deploy.cluster.DefinitionUpgrade;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationLoader.Result;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.fleet.DirectFleet;
import io.osmhub.deploy.fleet.Failing;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.ListQuery;
import io.osmhub.deploy.fleet.Plain;
import io.osmhub.deploy.fleet.RestFleet;
import io.osmhub.deploy.fleet.Shelf;
import io.osmhub.deploy.lint.BashSyntax;
import io.osmhub.tenancy.client.TypedClient;
import io.osmhub.tenancy.crds.Definitions;
import io.osmhub.tenancy.crds.ShippedDefinition;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** {@code hub doctor}: what this machine and the clusters lack. One check that cannot be made does not end the others. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Say what this machine and the clusters lack, one line each with the cure.",
            "Looks at programs, configuration, the management cluster with its definitions and profiles, and every worker"
                    + " cluster that you may see. Changes nothing."
        },
        footer = {
            "",
            "ok: right. MISSING: something does not work without it. note: works, but worth knowing.",
            "",
            "Exit codes: 0 nothing is missing, 1 something is."
        })
final class DoctorCommand implements Callable<Integer> {
    /** What a line says of its subject. */
    private enum Sign {
        OK("ok"),
        MISSING("MISSING"),
        NOTE("note");

        private final String word;

        Sign(String word) {
            this.word = word;
        }
    }

    private final Terminal terminal;
    private boolean missing;
    /** Who is waited for; empty while it is this machine. */
    private String waitsFor = "";

    private @Nullable Progress progress;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The hub's configuration, if not at the usual place.")
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

    private void say(Sign sign, String subject, String text) {
        missing |= sign == Sign.MISSING;
        String again = waitsFor;
        waitFor("");
        terminal.out().println(Plain.line(String.format(Locale.ROOT, "%-8s %-15s %s", sign.word, subject, text)));
        waitFor(again);
    }

    private void waitFor(String whom) {
        if (progress != null) {
            progress.end();
        }
        waitsFor = whom;
        progress = whom.isEmpty() ? null : Progress.begin(terminal, whom);
    }

    // This machine

    private void machine() {
        say(Sign.OK, "java", Runtime.version().toString());
        if (BashSyntax.find().isPresent()) {
            say(Sign.OK, "bash", "hub lint checks scripts with it");
        } else {
            say(Sign.NOTE, "bash", "not found, so hub lint does not check scripts; install bash");
        }
        if (isOnPath("kubectl")) {
            say(Sign.OK, "kubectl", isOnPath("kubectl-osmhub") ? "with the plugin osmhub" : "found");
        } else {
            say(Sign.NOTE, "kubectl", "not found; cures below that name it need it");
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
                say(Sign.OK, "configuration", file == null ? "no file; environment and defaults" : file);
            }
            case Result.Refused(var mistakes) ->
                say(
                        Sign.MISSING,
                        "configuration",
                        mistakes.size() + (mistakes.size() == 1 ? " mistake" : " mistakes") + "; hub config check"
                                + (config == null ? "" : " " + config) + " lists them");
        }
    }

    // The fleet

    private void fleet() {
        String way = "management";
        try {
            var remote = options.remote(kubeconfig, System.getenv(), terminal.err()::println);
            way = remote.server() == null ? "management" : "hub's API";
            try (FleetSource fleet = remote.open()) {
                waitFor(fleet.describe());
                if (fleet instanceof DirectFleet direct && !definitions(direct)) {
                    say(Sign.NOTE, "worker clusters", "not looked at before the definitions are there");
                    return;
                }
                if (fleet instanceof RestFleet asked) {
                    definitions(asked);
                }
                List<WorkerCluster> clusters = fleet.workerClusters(ListQuery.in(options.named()));
                say(Sign.OK, way, fleet.describe());
                profiles(fleet);
                clusters(clusters);
            }
        } catch (FleetFailure e) {
            say(Sign.MISSING, way, e.text());
        }
    }

    /** False when one is not there. */
    private boolean definitions(DirectFleet fleet) throws FleetFailure {
        boolean complete = true;
        try (TypedClient management = fleet.typed()) {
            for (DefinitionUpgrade.Step step : new DefinitionUpgrade(management).run(false, true)) {
                String name = step.definition().definitionName();
                switch (step.what()) {
                    case UNCHANGED -> say(Sign.OK, "definition", name);
                    case CREATED -> {
                        complete = false;
                        say(Sign.MISSING, "definition", name + " is not there; hub install crds");
                    }
                    case UPGRADED ->
                        say(
                                Sign.MISSING,
                                "definition",
                                name + " has " + step.from() + ", an older one; hub install crds");
                    case LEFT, TAKEN_OVER -> {
                        Definitions.Problem problem = step.found() == null ? null : Definitions.problem(step.found());
                        if (problem == null) {
                            say(
                                    Sign.NOTE,
                                    "definition",
                                    name + " is managed by " + step.from() + " and has what the hub needs");
                        } else {
                            foreign(problem.message());
                        }
                    }
                }
            }
        } catch (ApiFailure e) {
            if (!e.isForbidden()) {
                throw Failing.of(e, fleet.describe());
            }
            say(Sign.NOTE, "definitions", "you may not read them; ask somebody who may to run hub doctor");
        }
        return complete;
    }

    /** In the hub's own words, by whichever way. */
    private void foreign(String message) {
        say(Sign.NOTE, "definition", message.replaceFirst("^hub: CustomResourceDefinition ", ""));
    }

    /** As the hub sees them: it reads the objects of all, and lists what another product's lacks among its own problems. */
    private void definitions(RestFleet fleet) throws FleetFailure {
        if (!Boolean.TRUE.equals(fleet.client().get("/me", Map.of(), Me.class).seesAllTenants())) {
            say(
                    Sign.NOTE,
                    "definitions",
                    "the hub tells of them only who may see all tenants; ask somebody who may to run hub doctor");
            return;
        }
        List<ProblemEntry> problems =
                fleet.list(Shelf.PROBLEMS, new ListQuery("", "", Map.of("category", "hub"), "", "", 0)).stream()
                        .filter(problem -> problem.tenant() == null)
                        .toList();
        boolean read = problems.stream().noneMatch(problem -> problem.reason() == Reason.ManagementClusterUnreachable);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            String name = definition.definitionName();
            Optional<ProblemEntry> foreign = problems.stream()
                    .filter(problem -> problem.reason() == Reason.CRDForeignManaged
                            && problem.message().contains(" " + name + ":"))
                    .findFirst();
            if (foreign.isPresent()) {
                foreign(foreign.get().message());
            } else if (read) {
                say(Sign.OK, "definition", name);
            }
        }
        if (!read) {
            say(Sign.NOTE, "definitions", "the hub cannot read the management cluster, so the others are not known");
        }
        for (ProblemEntry problem : problems) {
            if (problem.reason() != Reason.CRDForeignManaged) {
                say(
                        problem.severity() == Severity.ERROR ? Sign.MISSING : Sign.NOTE,
                        "hub",
                        problem.message().replaceFirst("^hub: ", ""));
            }
        }
    }

    private void profiles(FleetSource fleet) {
        try {
            int count = fleet.list(Shelf.PROFILES, ListQuery.in("")).size();
            if (count == 0) {
                say(
                        Sign.MISSING,
                        "profiles",
                        "no OperatingSystemProfile that you may see; a running hub installs the default ones in the namespace"
                                + " that tenancy.sharedProfileNamespace names");
            } else {
                say(Sign.OK, "profiles", count + (count == 1 ? " OperatingSystemProfile" : " OperatingSystemProfiles"));
            }
        } catch (FleetFailure e) {
            say(Sign.NOTE, "profiles", e.text());
        }
    }

    private void clusters(List<WorkerCluster> clusters) {
        if (clusters.isEmpty()) {
            say(Sign.NOTE, "worker clusters", "none that you may see; hub cluster add registers one");
        }
        for (WorkerCluster cluster : clusters) {
            String name =
                    cluster.metadata().namespace() + "/" + cluster.metadata().name();
            String said = ApiJson.word(cluster.state());
            switch (cluster.state()) {
                case SYNCED -> say(Sign.OK, "worker cluster", name + " " + said);
                case PAUSED, CLOSED, CONNECTING -> say(Sign.NOTE, "worker cluster", name + " " + said);
                case DEGRADED, UNREACHABLE, UNAUTHORIZED ->
                    say(
                            Sign.MISSING,
                            "worker cluster",
                            name + " " + said + ready(cluster) + "; hub describe cluster "
                                    + cluster.metadata().name() + " -n "
                                    + cluster.metadata().namespace());
            }
        }
    }

    private static String ready(WorkerCluster cluster) {
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

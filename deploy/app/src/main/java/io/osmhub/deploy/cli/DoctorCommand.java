package io.osmhub.deploy.cli;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.resource.Condition;
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
import io.osmhub.deploy.fleet.Shelf;
import io.osmhub.deploy.lint.BashSyntax;
import io.osmhub.tenancy.crds.DefinitionInstaller;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
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
        fleet();
        return missing ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
    }

    private void say(Sign sign, String subject, String text) {
        missing |= sign == Sign.MISSING;
        terminal.out().println(Plain.line(String.format(Locale.ROOT, "%-8s %-15s %s", sign.word, subject, text)));
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
                if (fleet instanceof DirectFleet direct) {
                    if (!definitions(direct)) {
                        say(Sign.NOTE, "worker clusters", "not looked at before the definitions are there");
                        return;
                    }
                } else {
                    say(Sign.NOTE, "definitions", "not looked at by way of the API; leave --server out to do so");
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
        try {
            for (DefinitionInstaller.Step step : new DefinitionInstaller(fleet.management()).bring(false, true)) {
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
                    case LEFT, TAKEN_OVER ->
                        say(
                                Sign.NOTE,
                                "definition",
                                name + " is managed by " + step.from()
                                        + "; hub install crds --take-over replaces its schema");
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

    private void profiles(FleetSource fleet) {
        try {
            int count = fleet.list(Shelf.PROFILES, ListQuery.in("")).size();
            if (count == 0) {
                say(
                        Sign.MISSING,
                        "profiles",
                        "no OperatingSystemProfile that you may see; a running hub installs its own unless profiles.install"
                                + " says no");
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

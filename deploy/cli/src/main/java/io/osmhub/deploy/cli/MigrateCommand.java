package io.osmhub.deploy.cli;

import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.ProfileConversion;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import io.osmhub.deploy.fleet.ReadableYaml;
import io.osmhub.deploy.lint.LintInput;
import io.osmhub.deploy.migrate.Migration;
import io.osmhub.deploy.migrate.MigrationFormatter;
import io.osmhub.deploy.migrate.MigrationPlan;
import io.osmhub.deploy.migrate.MigrationPlanner;
import io.osmhub.deploy.migrate.MigrationPlanner.PreparedTenant;
import io.osmhub.deploy.migrate.MigrationReport;
import io.osmhub.deploy.migrate.MigrationReport.TenantResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub migrate}: migrates tenants from Operating System Manager (OSM). Without a subcommand, prints usage. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description =
                "Migrate tenants from Operating System Manager (OSM), or turn a copied profile into an extension.",
        subcommands = {
            MigrateCommand.Plan.class,
            MigrateCommand.Apply.class,
            MigrateCommand.Back.class,
            MigrateCommand.Profile.class
        })
final class MigrateCommand extends CommandGroup {
    /** A verb that reads the management cluster and, with the stored kubeconfigs, the worker clusters. */
    abstract static class MigrationVerb extends FleetCommand<ManagementClient> {
        @Option(
                names = "--kubeconfig-secret",
                paramLabel = "NAME",
                description = "Secret of the tenant's namespace whose kubeconfig the hub uses. Default: OSM's.")
        private @Nullable String kubeconfigSecret;

        @Override
        final ManagementClient open(FleetEndpoint remote) {
            if (remote.server() != null) {
                throw CommandFailure.unusable("migrate reads the clusters; omit --server and use --kubeconfig");
            }
            return ManagementClient.open(remote);
        }

        final MigrationPlanner planner(ManagementClient client, FleetEndpoint remote) {
            return new MigrationPlanner(client, remote.tunnel().hubNamespace(), kubeconfigSecret);
        }
    }

    /** {@code hub migrate plan}. */
    @Command(
            name = "plan",
            mixinStandardHelpOptions = true,
            description = {
                "Show what migrating from OSM would do: settings, profiles, and whether the hub renders what is stored.",
                "Reads OSM's Deployment in the tenant's namespace and, with the kubeconfig that it uses, the worker cluster."
                        + " Changes nothing."
            },
            footer = {
                "",
                "Examples:",
                "  hub migrate plan -n cluster-9tzl4w",
                "  hub migrate plan -A -o json",
                "",
                "Exit codes: 0 no writes, 1 writes or unclear objects."
            })
    static final class Plan extends MigrationVerb {
        @Mixin
        private final PrintOptions print = new PrintOptions();

        @Override
        int run(ManagementClient client, FleetEndpoint remote) {
            MigrationPlan plan = planner(client, remote).plan(options.scope(remote));
            if (print.format() == OutputFormat.name) {
                plan.items().forEach(one -> printLine("wc/" + one.namespace() + "/" + one.workerCluster()));
            } else if (!printStructured(print, plan)) {
                MigrationFormatter.lines(plan, print.format() == OutputFormat.wide, print.headers(), terminal.width())
                        .forEach(this::printLine);
            }
            if (plan.items().isEmpty()) {
                throw CommandFailure.notFound("no Deployment operating-system-manager; select a namespace with -n");
            }
            return plan.totals().unclear() + plan.totals().writes() == 0 ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
        }
    }

    /** A verb that changes tenants after a confirmation. */
    abstract static class MigrationChange extends MigrationVerb {
        @Option(names = "--yes", description = "Skip the confirmation.")
        private boolean yes;

        @Option(names = "--no-wait", description = "Do not wait for the hub; for a hub that is not running.")
        private boolean noWait;

        /** The tenants to change, after all checks and the confirmation. */
        abstract List<PreparedTenant> select(Migration migration, String namespace);

        abstract TenantResult change(Migration migration, PreparedTenant tenant);

        /** Printed between a WorkerCluster and OSM's Deployment. */
        abstract String verb();

        /** Whether written secrets are no failure. */
        boolean allowsWrites() {
            return false;
        }

        final void confirm(String question) {
            terminal.confirm(question, yes);
        }

        @Override
        final int run(ManagementClient client, FleetEndpoint remote) {
            Migration migration = new Migration(client, planner(client, remote), options.timeout(), !noWait);
            MigrationReport report = MigrationReport.of(select(migration, options.scope(remote)).stream()
                    .map(tenant -> change(migration, tenant))
                    .toList());
            report.lines(verb()).forEach(this::printLine);
            int unwanted = allowsWrites() ? 0 : report.totals().secretsWritten();
            return unwanted + report.totals().revisionsMoved() == 0 ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
        }
    }

    /** {@code hub migrate apply}. */
    @Command(
            name = "apply",
            mixinStandardHelpOptions = true,
            description = {
                "Take tenants over from OSM: stop its controller, take its Lease, copy its profiles and register the tenants.",
                "Changes nothing if one object of one tenant is unclear, or if a secret would be written. OSM's webhook stays."
            },
            footer = {"", "Example:", "  hub migrate apply -n cluster-9tzl4w --timeout 2m"})
    static final class Apply extends MigrationChange {
        @Option(
                names = "--allow-writes",
                description = "Also take over if the hub would write secrets, as hub migrate plan shows.")
        private boolean allowWrites;

        @Override
        List<PreparedTenant> select(Migration migration, String namespace) {
            List<PreparedTenant> tenants = migration.prepare(namespace);
            List<String> obstacles = new ArrayList<>();
            for (PreparedTenant tenant : tenants) {
                tenant.plan().unclear().forEach(unclear -> obstacles.add(unclear.toString()));
                if (!allowWrites) {
                    tenant.plan().machineDeployments().forEach(one -> one.writes()
                            .forEach(write -> obstacles.add("MachineDeployment " + one.name() + " in "
                                    + tenant.plan().namespace() + ": would " + write)));
                }
            }
            if (!obstacles.isEmpty()) {
                throw new CommandFailure(CommandFailureKind.FOUND_SOMETHING, "nothing was changed", obstacles);
            }
            if (tenants.isEmpty()) {
                throw CommandFailure.notFound("no Deployment operating-system-manager; select a namespace with -n");
            }
            confirm("Take " + tenants.size() + " tenants over from OSM?");
            return tenants;
        }

        @Override
        TenantResult change(Migration migration, PreparedTenant tenant) {
            return migration.apply(tenant);
        }

        @Override
        String verb() {
            return "took over from";
        }

        @Override
        boolean allowsWrites() {
            return allowWrites;
        }
    }

    /** {@code hub migrate back}. */
    @Command(
            name = "back",
            mixinStandardHelpOptions = true,
            description = {
                "Return tenants to OSM: pause them, release OSM's Lease, start its controller and unregister them.",
                "Changes nothing while an extension of a profile applies. Keeps all published secrets. Deletes configurations and tokens that would make OSM rotate secrets or stop."
            },
            footer = {
                "",
                "Examples:",
                "  hub migrate back -n cluster-9tzl4w",
                "  hub migrate back --in-place -n kube-system"
            })
    static final class Back extends MigrationChange {
        @Option(
                names = "--in-place",
                description = "Stop hub controller, which runs in OSM's place in Deployment operating-system-manager,"
                        + " and prepare for OSM. Afterwards, give the Deployment OSM's image and command.")
        private boolean inPlace;

        @Override
        List<PreparedTenant> select(Migration migration, String namespace) {
            if (inPlace && namespace.isEmpty()) {
                throw CommandFailure.unusable("--in-place: select the namespace of the Deployment with -n");
            }
            List<PreparedTenant> tenants = inPlace
                    ? migration.prepare(namespace).stream()
                            .filter(tenant -> tenant.osm() != null)
                            .toList()
                    : migration.adopted(namespace);
            if (tenants.isEmpty()) {
                throw CommandFailure.notFound(
                        inPlace
                                ? "no Deployment operating-system-manager; select a namespace with -n"
                                : "no tenant that holds OSM's Lease; select a namespace with -n, or use --in-place for"
                                        + " hub controller");
            }
            migration.requireNoExtensions(tenants);
            confirm("Return " + tenants.size() + " tenants to OSM?");
            return tenants;
        }

        @Override
        TenantResult change(Migration migration, PreparedTenant tenant) {
            return inPlace ? migration.backInPlace(tenant) : migration.back(tenant);
        }

        @Override
        String verb() {
            return "returned to";
        }
    }

    /** {@code hub migrate profile}. */
    @Command(
            name = "profile",
            mixinStandardHelpOptions = true,
            description = {
                "Turn a copied profile into an extension of the profile that it was copied from.",
                "Prints the extension, and renders both for all combinations of hub lint to compare their files."
            },
            footer = {"", "Exit codes: 0 equal, 1 something that the extension does not express, 2 unreadable input."})
    static final class Profile extends TerminalCommand {
        @Parameters(paramLabel = "COPY", description = "File with the copied profile, or - for standard input.")
        private String copy = "";

        @Option(
                names = "--base",
                required = true,
                arity = "1..*",
                paramLabel = "FILE",
                description = "Files with profiles; the one with the fewest changed lines is used.")
        private List<String> bases = List.of();

        @Override
        public Integer call() {
            ProfileConversion conversion;
            try {
                conversion = ProfileConversion.of(read(List.of(copy)).getFirst(), read(bases));
            } catch (TenantMistake e) {
                throw CommandFailure.unusable(
                        e.findings().stream()
                                .map(finding -> InputError.of(copy, finding))
                                .toList(),
                        ", nothing was converted");
            }
            if (conversion.extension() != null) {
                terminal.out().println(ReadableYaml.of(conversion.extension().toString()));
            }
            terminal.err().println(conversion.summary());
            conversion.differences().forEach((part, where) -> terminal.err().println(part + " differs: " + where));
            terminal.err().println("equal in " + conversion.equal() + " of " + conversion.renderings() + " renderings");
            return conversion.equal() > 0 && conversion.differences().isEmpty()
                    ? ExitCode.OK
                    : ExitCode.FOUND_SOMETHING;
        }

        private List<OperatingSystemProfile> read(List<String> files) {
            LintInput input = LintInput.read(files, terminal.in());
            List<OperatingSystemProfile> profiles = input.texts().stream()
                    .flatMap(text -> Linter.readProfiles(text.text()).stream())
                    .toList();
            if (!input.refused().isEmpty() || profiles.size() != files.size()) {
                throw new CommandFailure(
                        CommandFailureKind.UNUSABLE,
                        String.join(", ", files) + ": use files with one valid profile each; check them with hub lint",
                        input.refused());
            }
            return profiles;
        }
    }
}

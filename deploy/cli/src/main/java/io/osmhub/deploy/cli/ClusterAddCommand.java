package io.osmhub.deploy.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.api.schema.WorkerClusterSettings;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.Polling;
import io.osmhub.deploy.fleet.ReadableYaml;
import io.osmhub.deploy.view.RegistrationFormatter;
import io.osmhub.tenancy.registration.TenantBinding;
import io.osmhub.tenancy.registry.TenantAccess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub cluster add}: registers a worker cluster. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Register a worker cluster: validate and test its kubeconfig and store it in the tenant's namespace.",
            "Without --server it also creates the RoleBinding osm-hub-tenant, which grants the hub access to that"
                    + " namespace.",
            "Stores nothing if a check fails. Repeating the command changes nothing."
        },
        footer = {
            "",
            "Examples:",
            "  hub cluster add shop -n cluster-7xk2m9 --kubeconfig shop.yaml --scoped",
            "  hub cluster add shop -n cluster-7xk2m9 --kubeconfig - --set provisioning.clusterDNS=[10.240.16.10] <"
                    + " shop.yaml",
            "",
            "Exit codes: 0 registered and synced, 1 a check failed or not synced yet, 2 unusable input, 4 not"
                    + " allowed,",
            "5 not reachable, 6 conflict."
        })
final class ClusterAddCommand extends WorkerKubeconfigCommand {
    @Option(
            names = "--kubeconfig",
            required = true,
            paramLabel = "FILE",
            description = "Kubeconfig of the worker cluster; - for standard input.")
    private String kubeconfig = "";

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "Key of the kubeconfig in the Secret. Default: kubeconfig.")
    private @Nullable String key;

    @Option(
            names = "--scoped",
            description = "Store a short-lived token of an account with minimal permissions instead of the given"
                    + " kubeconfig.")
    private boolean scoped;

    @Option(names = "--skip-test", description = "Store it even if the worker cluster is unreachable.")
    private boolean skipTest;

    @Option(names = "--new", description = "Fail if it is already registered.")
    private boolean mustBeNew;

    @Option(names = "--dry-run", description = "Check everything and print the RoleBinding, but store nothing.")
    private boolean dryRun;

    @Option(names = "--no-wait", description = "Do not wait until the hub has read the worker cluster.")
    private boolean noWait;

    @Option(
            names = "--set",
            paramLabel = "FIELD=VALUE",
            description = "Set a field of spec to a YAML value. docs/reference/settings.md lists them.")
    private Map<String, String> settings = Map.of();

    @Override
    int run(RegistrationTarget target) {
        Sensitive given = readValid(kubeconfig);
        WorkerClusterSettings spec = settings();
        Instant begun = Instant.now();
        RegistrationResult result = target.client()
                .put(
                        target.namespace(),
                        target.name(),
                        new WorkerClusterRegistration(
                                given, key, scoped ? true : null, skipTest ? true : null, null, spec),
                        mustBeNew,
                        dryRun);
        RegistrationFormatter.formatResult(result, begun).forEach(this::printLine);
        ManagementClient management = target.client() instanceof ManagementClient one ? one : null;
        TenantBinding binding = management == null ? null : management.binding(target.namespace());
        if (dryRun) {
            if (binding != null) {
                printLine("---\n" + ReadableYaml.of(binding.manifest()).stripTrailing());
            }
            printHint("dry run: nothing was stored");
            return ExitCode.OK;
        }
        if (management != null && binding != null) {
            bind(management, binding);
        }
        int exit = noWait ? ExitCode.OK : await(target, begun);
        printLine(target + " registered" + (scoped ? "; the given kubeconfig was not stored" : ""));
        return exit;
    }

    private void bind(ManagementClient management, TenantBinding binding) {
        switch (management.bind(binding)) {
            case CREATED -> printLine(RegistrationFormatter.formatBinding(binding));
            case EXISTS -> {
                // Nothing to report.
            }
            case NOT_PERMITTED ->
                printHint("not permitted to create RoleBinding " + TenantAccess.ROLE + " in namespace "
                        + binding.namespace() + ", without which the hub cannot read the kubeconfig; ask a cluster"
                        + " operator to run: " + binding.command());
        }
    }

    private @Nullable WorkerClusterSettings settings() {
        if (settings.isEmpty()) {
            return null;
        }
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            spec.withObject(pointer(setting.getKey())).set(last(setting.getKey()), value(setting));
        }
        if (scoped) {
            // Token lifetimes apply to scoped credentials only.
            spec.withObject("/credentials").put("mode", "Scoped");
        }
        List<Problem> findings = SettingsReader.check(spec);
        if (!findings.isEmpty()) {
            throw FailureMessages.of(findings, "--set", "nothing was stored");
        }
        try {
            return ApiJson.client().treeToValue(spec, WorkerClusterSettings.class);
        } catch (JsonProcessingException e) {
            throw CommandFailure.unusable("--set: unknown setting; docs/reference/settings.md lists them");
        }
    }

    private static String pointer(String field) {
        int dot = field.lastIndexOf('.');
        if (field.isEmpty() || field.startsWith(".") || field.endsWith(".") || field.contains("/")) {
            throw CommandFailure.unusable(
                    "--set " + field + ": expected FIELD=VALUE, for example provisioning.clusterDNS=[10.240.16.10]");
        }
        return dot < 0 ? "" : "/" + field.substring(0, dot).replace('.', '/');
    }

    private static String last(String field) {
        return field.substring(field.lastIndexOf('.') + 1);
    }

    private static JsonNode value(Map.Entry<String, String> setting) {
        try {
            List<SourceDocument> documents =
                    YamlDocumentReader.read("--set " + setting.getKey(), setting.getValue(), Reason.SettingsInvalid);
            return documents.isEmpty()
                    ? JsonNodeFactory.instance.textNode("")
                    : SourceDocument.json(documents.getFirst().root());
        } catch (TenantMistake e) {
            throw FailureMessages.of(e.findings(), "--set " + setting.getKey(), "nothing was stored");
        }
    }

    /** Waits until the hub has synced the worker cluster or reports why it cannot. */
    private int await(RegistrationTarget target, Instant begun) {
        WorkerClusterEntry now =
                Polling.await(begun.plus(options.timeout()), target::read, ClusterAddCommand::isSettled);
        printLine(RegistrationFormatter.formatState(now, Duration.between(begun, Instant.now())));
        return now.state() == State.SYNCED || now.state() == State.PAUSED ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
    }

    private static boolean isSettled(WorkerClusterEntry cluster) {
        return switch (cluster.state()) {
            case SYNCED, PAUSED, CLOSED -> true;
            case CONNECTING, DEGRADED, UNREACHABLE, UNAUTHORIZED -> false;
        };
    }
}

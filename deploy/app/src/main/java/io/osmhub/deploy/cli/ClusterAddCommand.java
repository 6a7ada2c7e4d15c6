package io.osmhub.deploy.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.api.schema.WorkerClusterSettings;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.cluster.RegistrationLines;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.tenancy.kubeconfig.Vetting;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster add}: registers a worker cluster. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Register a worker cluster: its kubeconfig is vetted, proven and stored in the tenant's namespace.",
            "Nothing is stored when a check fails. The same command twice changes nothing the second time."
        },
        footer = {
            "",
            "Examples:",
            "  hub cluster add shop -n cluster-7xk2m9 --kubeconfig shop.yaml --scoped",
            "  hub cluster add shop -n cluster-7xk2m9 --kubeconfig - --set provisioning.clusterDNS=[10.240.16.10] <"
                    + " shop.yaml",
            "",
            "Exit codes: 0 registered and synced, 1 a check failed or it is not synced yet, 2 unusable input, 4 not"
                    + " allowed,",
            "5 not reachable, 6 conflict."
        })
final class ClusterAddCommand extends FleetCommand {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(300);

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

    @Option(
            names = "--kubeconfig",
            required = true,
            paramLabel = "FILE",
            description = "Kubeconfig of the worker cluster; - for the standard input.")
    private String kubeconfig = "";

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "Key of the Secret that holds the kubeconfig; kubeconfig if left out.")
    private @Nullable String key;

    @Option(
            names = "--scoped",
            description =
                    "Store a short-lived token of an account with exactly the permissions needed, in place of what is"
                            + " given.")
    private boolean scoped;

    @Option(names = "--skip-test", description = "Store it even if the worker cluster cannot be reached now.")
    private boolean skipTest;

    @Option(names = "--new", description = "Fail when it is registered already.")
    private boolean mustBeNew;

    @Option(names = "--no-wait", description = "Do not wait until the hub has read the worker cluster.")
    private boolean noWait;

    @Option(
            names = "--set",
            paramLabel = "FIELD=VALUE",
            description = "A setting below spec, its value as YAML. hub explain settings lists them.")
    private Map<String, String> settings = Map.of();

    @Mixin
    private final ManagementKubeconfig management = new ManagementKubeconfig();

    ClusterAddCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return management.file();
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        WorkerKubeconfig given = WorkerKubeconfig.read(kubeconfig, terminal);
        WorkerClusterSettings spec = settings();
        switch (given.vetted()) {
            case Vetting.Vetted(var vetted) -> say(RegistrationLines.read(given.source(), vetted));
            case Vetting.Refused refused -> throw refused(given.source(), refused.findings());
        }
        Instant begun = Instant.now();
        RegistrationResult result = fleet.registrations()
                .put(
                        namespace,
                        name,
                        new WorkerClusterRegistration(
                                given.text(), key, scoped ? true : null, skipTest ? true : null, null, spec),
                        mustBeNew);
        RegistrationLines.done(result, begun).forEach(this::say);
        int exit = noWait ? ExitCode.OK : await(fleet, namespace, begun);
        say(workerCluster(fleet, namespace, name) + " registered."
                + (scoped ? " The kubeconfig you gave was not stored." : ""));
        return exit;
    }

    static FleetFailure refused(String source, List<Finding> findings) {
        int width = findings.stream()
                .mapToInt(finding -> finding.field().length())
                .max()
                .orElse(0);
        return new FleetFailure(
                Kind.UNUSABLE,
                findings.size() + (findings.size() == 1 ? " mistake" : " mistakes") + " in " + source
                        + ", nothing was stored",
                findings.stream()
                        .map(finding -> finding.field()
                                + " ".repeat(width - finding.field().length()) + "  " + finding.what()
                                + (finding.cure().isEmpty() ? "" : "; " + finding.cure()))
                        .toList());
    }

    private @Nullable WorkerClusterSettings settings() throws FleetFailure {
        if (settings.isEmpty()) {
            return null;
        }
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            spec.withObject(pointer(setting.getKey())).set(last(setting.getKey()), value(setting));
        }
        if (scoped) {
            // The life of a token is a setting of scoped credentials only.
            spec.withObject("/credentials").put("mode", "Scoped");
        }
        List<Finding> findings = io.osmhub.core.workercluster.WorkerCluster.checkSettings(spec);
        if (!findings.isEmpty()) {
            throw refused("--set", findings);
        }
        try {
            return ApiJson.client().treeToValue(spec, WorkerClusterSettings.class);
        } catch (JsonProcessingException e) {
            throw new FleetFailure(Kind.UNUSABLE, "--set: unknown setting; hub explain settings lists them");
        }
    }

    private static String pointer(String field) throws FleetFailure {
        int dot = field.lastIndexOf('.');
        if (field.isEmpty() || field.startsWith(".") || field.endsWith(".") || field.contains("/")) {
            throw new FleetFailure(
                    Kind.UNUSABLE, "--set " + field + " is not a field; write provisioning.clusterDNS=[...]");
        }
        return dot < 0 ? "" : "/" + field.substring(0, dot).replace('.', '/');
    }

    private static String last(String field) {
        return field.substring(field.lastIndexOf('.') + 1);
    }

    private static JsonNode value(Map.Entry<String, String> setting) throws FleetFailure {
        try {
            List<Document> documents =
                    YamlText.read("--set " + setting.getKey(), setting.getValue(), "SettingsInvalid");
            return documents.isEmpty()
                    ? JsonNodeFactory.instance.textNode("")
                    : Document.json(documents.getFirst().root());
        } catch (TenantMistake e) {
            throw refused("--set " + setting.getKey(), e.findings());
        }
    }

    /** Until the hub has read it, or says why it cannot. */
    private int await(FleetSource fleet, String namespace, Instant begun) throws FleetFailure {
        Instant end = begun.plus(options.timeout());
        WorkerCluster now = fleet.workerCluster(namespace, name);
        while (!isSettled(now) && Instant.now().isBefore(end)) {
            pause();
            now = fleet.workerCluster(namespace, name);
        }
        say(RegistrationLines.state(now, Duration.between(begun, Instant.now())));
        return now.state() == State.SYNCED || now.state() == State.PAUSED ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
    }

    private static boolean isSettled(WorkerCluster cluster) {
        return switch (cluster.state()) {
            case SYNCED, PAUSED, CLOSED -> true;
            case CONNECTING, DEGRADED, UNREACHABLE, UNAUTHORIZED -> false;
        };
    }

    private static void pause() throws FleetFailure {
        try {
            Thread.sleep(BETWEEN_LOOKS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FleetFailure(Kind.UNREACHABLE, "interrupted");
        }
    }
}

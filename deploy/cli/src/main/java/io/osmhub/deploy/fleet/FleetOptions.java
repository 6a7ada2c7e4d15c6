package io.osmhub.deploy.fleet;

import io.osmhub.core.schema.DurationFormat;
import io.osmhub.deploy.fleet.FleetEndpoint.TunnelOptions;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of all verbs on the fleet: which hub or cluster, and which tenant. */
public abstract class FleetOptions {
    /** Names the default of {@code --server}. */
    public static final String SERVER_VARIABLE = "OSM_HUB_SERVER";

    private static final String TOKEN_FILE_VARIABLE = "OSM_HUB_TOKEN_FILE";
    private static final String CA_FILE_VARIABLE = "OSM_HUB_CA_FILE";
    private static final String KUBECONFIG_VARIABLE = "KUBECONFIG";
    private static final String SERVICE_ACCOUNT_VARIABLE = "OSM_HUB_SERVICE_ACCOUNT";
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);

    /** The options of most verbs. */
    public static final class ManagementOptions extends FleetOptions {
        @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
        private @Nullable Path kubeconfig;

        @Override
        @Nullable Path kubeconfig() {
            return kubeconfig;
        }
    }

    /** The options of verbs whose {@code --kubeconfig} is a worker cluster's. */
    public static final class WorkerOptions extends FleetOptions {
        @Option(
                names = "--management-kubeconfig",
                paramLabel = "FILE",
                description = "Kubeconfig of the management cluster. Default: $KUBECONFIG, ~/.kube/config.")
        private @Nullable Path kubeconfig;

        @Override
        @Nullable Path kubeconfig() {
            return kubeconfig;
        }
    }

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "TENANT",
            description = "Namespace of the tenant. Default: the namespace of the kubeconfig's context.")
    private @Nullable String namespace;

    @Option(
            names = {"-A", "--all", "--all-namespaces"},
            description = "All tenants visible to you.")
    private boolean all;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description =
                    "URL of the hub's API. Default: $OSM_HUB_SERVER, else that of hub login, else through the management cluster.")
    private @Nullable URI server;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the bearer token for the API. Default: $OSM_HUB_TOKEN_FILE.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "PEM file with the certificate authorities of the API's server. Default: $OSM_HUB_CA_FILE.")
    private @Nullable Path authorityFile;

    @Option(
            names = "--service-account",
            paramLabel = "NAMESPACE/NAME",
            description = "ServiceAccount as which to use the API; your kubeconfig requests its token. Default:"
                    + " $OSM_HUB_SERVICE_ACCOUNT, else that of hub login.")
    private @Nullable String serviceAccount;

    @Option(
            names = "--hub-namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace of the hub's pods in the management cluster. Default: osm-hub.")
    private String hubNamespace = TunnelOptions.DEFAULT.hubNamespace();

    @Option(names = "--context", paramLabel = "NAME", description = "Context of the management cluster's kubeconfig.")
    private String context = "";

    @Option(names = "--timeout", paramLabel = "D", description = "Time limit of the command. Default: 30s.")
    private @Nullable String timeout;

    @Option(
            names = "--request-timeout",
            paramLabel = "D",
            description =
                    "Time limit of one request, for example 5s; a number alone means seconds. Default: that of --timeout.")
    private @Nullable String requestTimeout;

    private boolean waits;

    @Option(names = "--as", paramLabel = "USER", description = "User to impersonate in the management cluster.")
    private String as = "";

    @Option(
            names = {"-q", "--quiet"},
            description = "Print only results and errors.")
    private boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            description = "Show each request; repeat to show stack traces of internal errors.")
    private boolean[] verbose = {};

    /** Kubeconfig of the management cluster; null for the default locations. */
    abstract @Nullable Path kubeconfig();

    /**
     * Returns the endpoint of the fleet.
     *
     * @param said receives the lines of {@code -v}
     */
    public FleetEndpoint endpoint(Map<String, String> environment, Consumer<String> said) {
        Path kubeconfig = kubeconfig();
        // A named kubeconfig or context selects the management cluster even if the environment sets a server.
        String usual = kubeconfig == null && context.isEmpty() ? environment.getOrDefault(SERVER_VARIABLE, "") : "";
        URI chosen = server != null || usual.isEmpty() ? server : uri(usual);
        if (chosen == null && kubeconfig == null) {
            requireKubeconfig(environment.getOrDefault(KUBECONFIG_VARIABLE, ""));
        }
        if (chosen != null && (!as.isEmpty() || serviceAccount != null)) {
            throw CommandFailure.unusable((as.isEmpty() ? "--service-account" : "--as")
                    + " requires the management cluster; the hub's API identifies you by your token");
        }
        if (chosen != null && !context.isEmpty()) {
            throw CommandFailure.unusable(
                    "--context selects a management cluster and --server the hub's API; use only one");
        }
        return new FleetEndpoint(
                chosen,
                file(tokenFile, environment.getOrDefault(TOKEN_FILE_VARIABLE, "")),
                file(authorityFile, environment.getOrDefault(CA_FILE_VARIABLE, "")),
                kubeconfig,
                context,
                as,
                new TunnelOptions(
                        hubNamespace,
                        serviceAccount != null
                                ? serviceAccount
                                : environment.getOrDefault(SERVICE_ACCOUNT_VARIABLE, "")),
                requestTimeout(),
                verbose.length > 0 ? said : line -> {});
    }

    /** Returns the management cluster, for a command that does not use the hub's API; ignores the server of the environment. */
    public FleetEndpoint managementEndpoint(Map<String, String> environment, Consumer<String> said) {
        Map<String, String> withoutServer = new HashMap<>(environment);
        withoutServer.remove(SERVER_VARIABLE);
        return endpoint(withoutServer, said);
    }

    /** Rejects all options of the hub's API, for a command that does not use it. */
    public void rejectServer(String command) {
        if (server != null) {
            throw CommandFailure.unusable(
                    "--server: has no effect, because " + command + " reads the management cluster; use --kubeconfig");
        }
        rejectApiOptions();
    }

    /** As for kubectl, at least one of the files must exist. */
    private static void requireKubeconfig(String variable) {
        List<String> files = Arrays.stream(variable.split(File.pathSeparator, -1))
                .filter(file -> !file.isEmpty())
                .toList();
        if (!files.isEmpty() && files.stream().noneMatch(file -> Files.exists(Path.of(file)))) {
            throw CommandFailure.unusable(
                    KUBECONFIG_VARIABLE + ": " + String.join(", ", files) + " does not exist; correct or unset it");
        }
    }

    /** Rejects options of the hub's API for a command that uses the management cluster's instead. */
    public void rejectApiOptions() {
        String unused = tokenFile != null
                ? "--token-file"
                : authorityFile != null ? "--ca-file" : serviceAccount != null ? "--service-account" : "";
        if (!unused.isEmpty()) {
            throw CommandFailure.unusable(unused + ": has no effect without --server, because the command uses the API"
                    + " of the management cluster with your kubeconfig");
        }
    }

    private static @Nullable Path file(@Nullable Path given, String usual) {
        return given != null || usual.isEmpty() ? given : Path.of(usual);
    }

    private static URI uri(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.unusable(SERVER_VARIABLE + " is not a valid address; write https://HOST[:PORT]");
        }
    }

    /** Limits requests by their own time limit only, for a command that waits as long as {@code --timeout}. */
    public void limitRequestsSeparately() {
        waits = true;
    }

    private Duration requestTimeout() {
        if (requestTimeout == null || requestTimeout.equals("0")) {
            return waits ? USUAL_TIMEOUT : timeout();
        }
        return duration(
                "--request-timeout", requestTimeout.matches("[0-9]{1,9}") ? requestTimeout + "s" : requestTimeout);
    }

    private static Duration duration(String option, String text) {
        Duration duration = DurationFormat.parse(text);
        if (duration == null || duration.isZero()) {
            throw CommandFailure.unusable(option + " \"" + text + "\" is not a valid duration; write 30s or 2m");
        }
        return duration;
    }

    /** Whether the user limits the time of the command. */
    public boolean hasTimeout() {
        return timeout != null;
    }

    public Duration timeout() {
        return timeout == null ? USUAL_TIMEOUT : duration("--timeout", timeout);
    }

    /** Whether all tenants are selected. */
    public boolean all() {
        return all;
    }

    /** Whether hints and footers are suppressed. */
    public boolean quiet() {
        return quiet;
    }

    /** The selected tenant. */
    public String namespace(FleetEndpoint remote) {
        if (all) {
            throw CommandFailure.unusable("-A is not supported for one object; use -n NAMESPACE");
        }
        return one(remote);
    }

    private String one(FleetEndpoint remote) {
        if (namespace != null && !namespace.isEmpty()) {
            return namespace;
        }
        String usual = remote.server() == null ? remote.management().namespace() : "";
        if (usual.isEmpty()) {
            throw CommandFailure.unusable("no tenant: use -n NAMESPACE or -A");
        }
        return usual;
    }

    /** The tenant given with -n; empty if not given. */
    public String namedTenant() {
        return all || namespace == null ? "" : namespace;
    }

    /** The tenant that a list is limited to; empty for all. */
    public String scope(FleetEndpoint remote) {
        return all || (namespace == null && remote.server() != null) ? "" : one(remote);
    }
}

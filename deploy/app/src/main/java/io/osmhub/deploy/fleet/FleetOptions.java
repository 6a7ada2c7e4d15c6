package io.osmhub.deploy.fleet;

import io.osmhub.core.schema.DurationText;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that all verbs on the fleet have: which hub or cluster, and which tenant. */
public final class FleetOptions {
    private static final String SERVER_VARIABLE = "OSM_HUB_SERVER";
    private static final String TOKEN_FILE_VARIABLE = "OSM_HUB_TOKEN_FILE";
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "TENANT",
            description = "Namespace of the tenant. Default: the namespace of the kubeconfig's context.")
    private @Nullable String namespace;

    @Option(
            names = {"-A", "--all", "--all-namespaces"},
            description = "All tenants that you may see.")
    private boolean all;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "The hub's API. Default: $OSM_HUB_SERVER, else straight to the management cluster.")
    private @Nullable URI server;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the bearer token for the API. Default: $OSM_HUB_TOKEN_FILE.")
    private @Nullable Path tokenFile;

    @Option(names = "--ca-file", paramLabel = "FILE", description = "Certificate authorities of the API's server, PEM.")
    private @Nullable Path authorityFile;

    @Option(names = "--context", paramLabel = "NAME", description = "Context of the management cluster's kubeconfig.")
    private String context = "";

    @Option(
            names = "--timeout",
            paramLabel = "D",
            description = "Longest time that the command may take. Default: 30s.")
    private @Nullable String timeout;

    @Option(names = "--as", paramLabel = "USER", description = "Ask the management cluster as this user.")
    private String as = "";

    @Option(
            names = {"-q", "--quiet"},
            description = "Results and errors only.")
    private boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            description = "Show each request; twice: also where an internal error came from.")
    private boolean[] verbose = {};

    /**
     * The way to the fleet.
     *
     * @param kubeconfig of the management cluster; null for the usual places
     * @param said takes the lines of {@code -v}
     */
    public Remote remote(@Nullable Path kubeconfig, Map<String, String> environment, Consumer<String> said)
            throws FleetFailure {
        // A named kubeconfig or context selects the management cluster even if the environment sets a server.
        String usual = kubeconfig == null && context.isEmpty() ? environment.getOrDefault(SERVER_VARIABLE, "") : "";
        URI chosen = server != null || usual.isEmpty() ? server : uri(usual);
        if (chosen != null && !as.isEmpty()) {
            throw new FleetFailure(
                    FleetFailure.Kind.UNUSABLE,
                    "--as is for the management cluster; the hub's API takes you for whom your token names");
        }
        if (chosen != null && !context.isEmpty()) {
            throw new FleetFailure(
                    FleetFailure.Kind.UNUSABLE,
                    "--context selects a management cluster and --server the hub's API; give one of them");
        }
        return new Remote(
                chosen,
                chosen == null ? tokenFile : token(environment),
                authorityFile,
                kubeconfig,
                context,
                as,
                timeout(),
                verbose.length > 0 ? said : line -> {});
    }

    private @Nullable Path token(Map<String, String> environment) {
        String usual = environment.getOrDefault(TOKEN_FILE_VARIABLE, "");
        return tokenFile != null || usual.isEmpty() ? tokenFile : Path.of(usual);
    }

    private static URI uri(String text) throws FleetFailure {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new FleetFailure(
                    FleetFailure.Kind.UNUSABLE, SERVER_VARIABLE + " is not a valid address; write https://HOST[:PORT]");
        }
    }

    public Duration timeout() throws FleetFailure {
        if (timeout == null) {
            return USUAL_TIMEOUT;
        }
        Duration given = DurationText.parse(timeout);
        if (given == null || given.isZero()) {
            throw new FleetFailure(
                    FleetFailure.Kind.UNUSABLE,
                    "--timeout \"" + timeout + "\" is not a valid duration; write 30s or 2m");
        }
        return given;
    }

    /** All tenants are meant. */
    public boolean all() {
        return all;
    }

    /** Neither hints nor footers are wanted. */
    public boolean quiet() {
        return quiet;
    }

    /** The one tenant that is meant. */
    public String namespace(Remote remote) throws FleetFailure {
        if (all) {
            throw new FleetFailure(
                    FleetFailure.Kind.UNUSABLE,
                    "-A means all tenants, and this is about one object; name its tenant with -n instead");
        }
        return one(remote);
    }

    private String one(Remote remote) throws FleetFailure {
        if (namespace != null && !namespace.isEmpty()) {
            return namespace;
        }
        String usual = remote.server() == null ? DirectFleet.access(remote).namespace() : "";
        if (usual.isEmpty()) {
            throw new FleetFailure(
                    FleetFailure.Kind.UNUSABLE, "which tenant? name it with -n; a list takes -A for all");
        }
        return usual;
    }

    /** The tenant that was named; empty for all, which a list of tenants shows unless one is named. */
    public String named() {
        return all || namespace == null ? "" : namespace;
    }

    /** The tenant that a list is limited to; empty for all. */
    public String scope(Remote remote) throws FleetFailure {
        return all || (namespace == null && remote.server() != null) ? "" : one(remote);
    }
}

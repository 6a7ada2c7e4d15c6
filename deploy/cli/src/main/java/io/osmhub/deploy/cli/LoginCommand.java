package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetEndpoint.TunnelOptions;
import io.osmhub.deploy.fleet.Login;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub login}: prepares the use of the hub's API with nothing but the kubeconfig. */
@Command(
        name = "login",
        mixinStandardHelpOptions = true,
        description = {
            "Set up hub get, why, diff and the other commands that use the hub's API.",
            "Creates ServiceAccount osm-hub-viewer in the hub's namespace, which may read but not change all tenants."
                    + " The commands then request tokens of this account with your kubeconfig, for one hour, and store none.",
            "Without --server, they reach the hub by a port-forward to its pod. With it, the URL and its certificate"
                    + " authority are stored for this management cluster in $XDG_CONFIG_HOME/osm-hub or ~/.config/osm-hub."
        },
        footer = {"", "Examples:", "  hub login", "  hub login --server https://hub.example.org --kubeconfig admin.yaml"
        })
final class LoginCommand extends TerminalCommand {
    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "URL of the hub's API, for a hub that is not a pod or is exposed.")
    private @Nullable URI server;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "PEM file with the certificate authorities of the API's server. Default: that of the hub.")
    private @Nullable Path authorityFile;

    @Option(
            names = "--hub-namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace of the hub in the management cluster. Default: osm-hub.")
    private String hubNamespace = TunnelOptions.DEFAULT.hubNamespace();

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "Context of the kubeconfig.")
    private String context = "";

    @Override
    public Integer call() {
        TunnelOptions tunnel = new TunnelOptions(hubNamespace, "");
        FleetEndpoint remote = new FleetEndpoint(
                null, null, authorityFile, kubeconfig, context, "", tunnel, Duration.ofSeconds(30), line -> {});
        terminal.out().println(Login.create(remote, server));
        return ExitCode.OK;
    }
}

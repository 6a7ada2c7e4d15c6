package io.osmhub.deploy.cli;

import io.osmhub.api.schema.VersionInfo;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.run.BuildInfo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** {@code hub version}: prints the version of this program and of the hub, as {@code kubectl version} does. */
@Command(
        name = "version",
        mixinStandardHelpOptions = true,
        description = {
            "Print the versions of this program and of the hub.",
            "If the hub cannot be reached, prints the client's version and fails."
        },
        footer = {
            "",
            "Examples:",
            "  hub version --client",
            "  hub version -o json | jq -r .serverVersion.gitVersion",
            "",
            "Exit codes: 0 done, 2 unusable flags, 4 not allowed, 5 not reachable."
        })
final class VersionCommand extends ReadCommand implements OptionalConnection {
    @Option(names = "--client", description = "Print only the client's version, without a request.")
    private boolean onlyClient;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "Output format: ${COMPLETION-CANDIDATES}.")
    private @Nullable Format format;

    private @Nullable VersionInfo serverVersion;

    private enum Format {
        json,
        yaml
    }

    /** @param serverVersion null if not known */
    private record Versions(
            VersionInfo clientVersion, @Nullable VersionInfo serverVersion) {}

    @Override
    public @Nullable String whyNotConnected() {
        return onlyClient ? "with --client" : null;
    }

    @Override
    public Integer call() {
        if (options.all() || !options.namedTenant().isEmpty()) {
            throw CommandFailure.unusable("-n, -A: have no effect on versions; omit them");
        }
        try {
            return onlyClient ? Integer.valueOf(ExitCode.OK) : super.call();
        } finally {
            print(new Versions(BuildInfo.current().versionInfo(), serverVersion));
        }
    }

    @Override
    int run(HubClient hub, FleetEndpoint remote) {
        serverVersion = hub.get(VersionInfo.class, "/version");
        return ExitCode.OK;
    }

    private void print(Versions versions) {
        if (format == Format.json) {
            printLine(ObjectPrinter.json(versions));
        } else if (format == Format.yaml) {
            printLine(ObjectPrinter.yaml(versions));
        } else {
            printLine("Client Version: " + text(versions.clientVersion()));
            if (versions.serverVersion() != null) {
                printLine("Server Version: " + text(versions.serverVersion()));
            }
        }
    }

    private static String text(VersionInfo version) {
        return version.gitVersion() + ", Java " + version.javaVersion();
    }

    /** The client's version for {@code --version}. */
    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"hub " + text(BuildInfo.current().versionInfo())};
        }
    }
}

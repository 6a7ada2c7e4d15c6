package io.osmhub.deploy.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.problem.Finding;
import io.osmhub.deploy.fleet.Clients;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.tenancy.connection.KubeconfigAccess;
import io.osmhub.tenancy.kubeconfig.KubeconfigFirewall;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.Vetting;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A worker cluster as its administrator reaches it, by a kubeconfig of his own.
 *
 * @param server URL of its API server
 */
public record WorkerClient(KubeApi api, String server) {
    public static WorkerClient open(Clients clients, Path file) throws FleetFailure {
        VettedKubeconfig kubeconfig = read(file);
        return new WorkerClient(
                clients.user(KubeconfigAccess.of(kubeconfig)),
                kubeconfig.server().toString());
    }

    private static VettedKubeconfig read(Path file) throws FleetFailure {
        Path folder = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file.toAbsolutePath());
        String text;
        try {
            text = Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new FleetFailure(Kind.UNUSABLE, "kubeconfig " + file + " cannot be read; check the path");
        }
        Vetting vetting = KubeconfigFirewall.vetOperatorsFile(
                file.toString(), text, path -> Files.readString(folder.resolve(path), UTF_8));
        return switch (vetting) {
            case Vetting.Vetted(VettedKubeconfig vetted) -> vetted;
            case Vetting.Refused refused -> throw refused(file, refused.findings());
        };
    }

    private static FleetFailure refused(Path file, List<Finding> findings) {
        return new FleetFailure(
                Kind.UNUSABLE,
                findings.size() + (findings.size() == 1 ? " mistake in " : " mistakes in ") + file
                        + ", nothing was done",
                findings.stream()
                        .map(finding -> finding.field() + "  " + finding.what() + "; " + finding.cure())
                        .toList());
    }
}

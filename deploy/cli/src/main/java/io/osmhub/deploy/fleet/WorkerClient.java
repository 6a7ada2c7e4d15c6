package io.osmhub.deploy.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.tenancy.connection.ServerAccessFactory;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A worker cluster accessed with an administrator's kubeconfig.
 *
 * @param server URL of its API server
 */
public record WorkerClient(KubeApi api, String server) {
    public static WorkerClient open(CommandClients clients, Path file) {
        ValidatedKubeconfig kubeconfig = read(file);
        return new WorkerClient(
                clients.userApi(ServerAccessFactory.of(kubeconfig)),
                kubeconfig.server().toString());
    }

    private static ValidatedKubeconfig read(Path file) {
        Path folder = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file.toAbsolutePath());
        String text;
        try {
            text = Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw CommandFailure.unusable("kubeconfig " + file + " cannot be read; check the path");
        }
        KubeconfigValidation vetting = KubeconfigValidator.validateOperatorFile(
                file.toString(), text, path -> Files.readString(folder.resolve(path), UTF_8));
        return switch (vetting) {
            case KubeconfigValidation.Valid(ValidatedKubeconfig vetted) -> vetted;
            case KubeconfigValidation.Invalid refused ->
                throw FailureMessages.of(refused.findings(), file.toString(), "nothing was done");
        };
    }
}

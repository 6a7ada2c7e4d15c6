package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.model.Sensitive;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A worker cluster's kubeconfig from a file or standard input. */
record WorkerKubeconfig(String source, Sensitive text) {
    private static final int MOST_BYTES = 512 * 1024;

    /** {@code -} means standard input. */
    static WorkerKubeconfig read(String file, Terminal terminal) throws FleetFailure {
        try {
            byte[] bytes =
                    file.equals("-") ? terminal.in().readNBytes(MOST_BYTES + 1) : Files.readAllBytes(Path.of(file));
            if (bytes.length > MOST_BYTES) {
                throw FleetFailure.unusable(file + " is too large for a kubeconfig; the limit is 512 KiB");
            }
            return new WorkerKubeconfig(
                    file.equals("-") ? "standard input" : file, new Sensitive(new String(bytes, UTF_8)));
        } catch (IOException | java.nio.file.InvalidPathException e) {
            throw FleetFailure.unusable("kubeconfig " + file + " cannot be read; check the path");
        }
    }

    /** Validates the kubeconfig without a hub's policy. */
    KubeconfigValidation vet() {
        Set<Allowance> all = EnumSet.allOf(Allowance.class);
        EgressPolicy any = new EgressPolicy(new KubeconfigRules(all, List.of(), List.of()), Set.of(), Set.of());
        ;
        return new KubeconfigValidator(any).validate(source, text.reveal());
    }
}

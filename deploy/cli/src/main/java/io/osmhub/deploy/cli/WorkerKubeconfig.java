package io.osmhub.deploy.cli;

import io.osmhub.core.model.Sensitive;
import io.osmhub.deploy.config.InputFile;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A worker cluster's kubeconfig from a file or standard input. */
record WorkerKubeconfig(String source, Sensitive text) {
    private static final int MOST_BYTES = 512 * 1024;

    /** {@code -} means standard input. */
    static WorkerKubeconfig read(String file, Terminal terminal) {
        InputFile input = new InputFile(file, MOST_BYTES);
        try {
            return new WorkerKubeconfig(input.displayName(), new Sensitive(input.read(terminal.in())));
        } catch (InputFile.UnreadableException e) {
            throw CommandFailure.unusable("kubeconfig " + input.displayName() + ": " + e.reason());
        }
    }

    /** Validates the kubeconfig without a hub's policy. */
    KubeconfigValidation vet() {
        Set<Allowance> all = EnumSet.allOf(Allowance.class);
        EgressPolicy any = new EgressPolicy(new KubeconfigRules(all, List.of(), List.of()), Set.of(), Set.of());
        return new KubeconfigValidator(any).validate(source, text.reveal());
    }
}

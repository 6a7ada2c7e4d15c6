package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import java.util.List;

/** Result of validating a kubeconfig. */
public sealed interface KubeconfigValidation {
    record Valid(ValidatedKubeconfig kubeconfig) implements KubeconfigValidation {}

    /** The findings, at least one, in the order of the text. */
    record Invalid(List<ProblemFinding> findings) implements KubeconfigValidation {
        public Invalid {
            findings = List.copyOf(findings);
            if (findings.isEmpty()) {
                throw new IllegalArgumentException("no findings");
            }
        }

        /** Reason of the condition: the first finding's. */
        public Reason reason() {
            return Reason.valueOf(findings.getFirst().reason());
        }

        /** Message of the condition: all findings, up to the length limit. Contains no secret. */
        public String message(String tenant) {
            return KubeconfigErrorMessage.of(tenant, findings);
        }
    }
}

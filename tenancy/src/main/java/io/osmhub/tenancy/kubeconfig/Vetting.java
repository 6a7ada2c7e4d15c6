package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import java.util.List;

/** What the firewall says of a kubeconfig. */
public sealed interface Vetting {
    /** It may be used. */
    record Vetted(VettedKubeconfig kubeconfig) implements Vetting {}

    /** It may not be used; everything that is wrong with it, at least one finding, in the order of the text. */
    record Refused(List<Finding> findings) implements Vetting {
        public Refused {
            findings = List.copyOf(findings);
            if (findings.isEmpty()) {
                throw new IllegalArgumentException("refused for nothing");
            }
        }

        /** The reason of the condition: the first finding's. */
        public Reason reason() {
            return Reason.valueOf(findings.getFirst().reason());
        }

        /** The message of the condition, with everything that is wrong as far as it fits. Holds no secret. */
        public String message(String tenant) {
            return RefusalMessage.of(tenant, findings);
        }
    }
}

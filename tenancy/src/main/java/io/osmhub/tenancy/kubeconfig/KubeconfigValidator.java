package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validates kubeconfigs. A tenant's text cannot make it run a program, open a file, resolve a name or connect; it never throws,
 * for any text. Only the credential in {@link KubeconfigValidation.Valid} is secret.
 */
public final class KubeconfigValidator {
    private final EgressPolicy egress;

    public KubeconfigValidator(EgressPolicy egress) {
        this.egress = egress;
    }

    /**
     * Validates the kubeconfig of a Secret. If its server is an address, applies the egress policy; a name needs {@link
     * EgressPolicy#check} after it is resolved.
     *
     * @param secret namespace and name of the Secret, for findings
     * @param data of the Secret as in the API, values in base64
     * @param key named by the WorkerCluster; null or empty for {@code kubeconfig}, else {@code value}
     */
    public KubeconfigValidation validate(String secret, Map<String, String> data, @Nullable String key) {
        try {
            return validate(secret, KubeconfigSecretKeys.kubeconfig(secret, data, key));
        } catch (TenantMistake e) {
            return new KubeconfigValidation.Invalid(e.findings());
        }
    }

    /** Validates a kubeconfig that is, or will be, in a Secret. */
    public KubeconfigValidation validate(String secret, String text) {
        return new KubeconfigReader("Secret " + secret, egress, null).read(text);
    }

    /**
     * Validates an operator's own kubeconfig. Reads files that it names, runs no programs, and allows any address.
     *
     * @param file name of the file, for findings
     */
    public static KubeconfigValidation validateOperatorFile(String file, String text, KubeconfigFileReader files) {
        return new KubeconfigReader(file, null, files).read(text);
    }

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
}

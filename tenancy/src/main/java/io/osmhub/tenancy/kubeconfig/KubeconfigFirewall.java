package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.TenantMistake;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Vets kubeconfigs. A tenant's text cannot make it run a program, open a file, resolve a name or connect; whatever the text is,
 * the answer is a {@link Vetting} and never an exception. No answer holds a secret, but for the credential inside of
 * {@link Vetting.Vetted}.
 */
public final class KubeconfigFirewall {
    private final EgressPolicy egress;

    public KubeconfigFirewall(EgressPolicy egress) {
        this.egress = egress;
    }

    /**
     * Vets the kubeconfig of a Secret. When its server is an address and not a name, the egress policy is applied at once; a
     * name wants {@link EgressPolicy#check} after it is resolved.
     *
     * @param secret namespace and name of the Secret, for findings
     * @param data of the Secret as in the API, values in base64
     * @param key named by the WorkerCluster; null or empty for {@code kubeconfig}, else {@code value}
     */
    public Vetting vet(String secret, Map<String, String> data, @Nullable String key) {
        try {
            return vet(secret, SecretData.kubeconfig(secret, data, key));
        } catch (TenantMistake e) {
            return new Vetting.Refused(e.findings());
        }
    }

    /** Vets the text of a kubeconfig that is, or will be, in a Secret. */
    public Vetting vet(String secret, String text) {
        return new KubeconfigReader("Secret " + secret, egress, null).read(text);
    }

    /**
     * Vets a kubeconfig that the operator names himself. Files that it names are read, programs are not run; any address will
     * do.
     *
     * @param file name of the file, for findings
     */
    public static Vetting vetOperatorsFile(String file, String text, FileContents files) {
        return new KubeconfigReader(file, null, files).read(text);
    }
}

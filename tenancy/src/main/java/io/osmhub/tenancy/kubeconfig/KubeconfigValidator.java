package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Validates kubeconfigs. A tenant's text cannot make it run a program, open a file, resolve a name or connect; it never throws,
 * for any text. Only the credential in {@link KubeconfigValidation.Valid} is secret.
 */
public final class KubeconfigValidator {
    private static final List<String> KEYS = List.of("kubeconfig", "value");
    private static final int SHOWN_KEYS = 10;

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
        List<String> wanted = key == null || key.isEmpty() ? KEYS : List.of(key);
        String found = wanted.stream().filter(data::containsKey).findFirst().orElse(null);
        if (found == null) {
            return invalid(
                    Reason.KubeconfigKeyNotFound,
                    secret,
                    "",
                    "no key " + MessageFormatter.quote(String.join(" or ", wanted)) + ", it has " + names(data),
                    "put the kubeconfig under kubeconfig, or name the key in spec.kubeconfigSecretRef.key");
        }
        try {
            byte[] text = Base64.getDecoder().decode(data.get(found));
            return validate(
                    secret,
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(text))
                            .toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            // The exception's message quotes the content.
            return invalid(
                    Reason.KubeconfigInvalid,
                    secret,
                    "data." + MessageFormatter.quote(found),
                    "is not valid UTF-8",
                    "store the output of kubectl config view --raw");
        }
    }

    private static KubeconfigValidation invalid(Reason reason, String secret, String field, String what, String cure) {
        return new KubeconfigValidation.Invalid(
                List.of(new Problem(reason, ProblemObject.of("Secret", secret), field, what, cure)));
    }

    private static String names(Map<String, String> data) {
        String first = data.keySet().stream().sorted().limit(SHOWN_KEYS).collect(Collectors.joining(", "));
        return data.isEmpty()
                ? "none"
                : MessageFormatter.quote(first)
                        + (data.size() > SHOWN_KEYS ? " and " + (data.size() - SHOWN_KEYS) + " more" : "");
    }

    /** Validates a kubeconfig that is, or will be, in a Secret. */
    public KubeconfigValidation validate(String secret, String text) {
        return new KubeconfigReader(ProblemObject.of("Secret", secret), egress, null).read(text);
    }

    /**
     * Validates an operator's own kubeconfig. Reads files that it names, runs no programs, and allows any address.
     *
     * @param file name of the file, for findings
     */
    public static KubeconfigValidation validateOperatorFile(String file, String text, KubeconfigFileReader files) {
        return new KubeconfigReader(ProblemObject.input(file), null, files).read(text);
    }

    /** Result of validating a kubeconfig. */
    public sealed interface KubeconfigValidation {
        record Valid(ValidatedKubeconfig kubeconfig) implements KubeconfigValidation {}

        /** The findings, at least one, in the order of the text. */
        record Invalid(List<Problem> findings) implements KubeconfigValidation {
            // A cause has at most 500 characters; the others are for the number of findings that are left out.
            private static final int LONGEST = 460;

            public Invalid {
                findings = List.copyOf(findings);
                if (findings.isEmpty()) {
                    throw new IllegalArgumentException("no findings");
                }
            }

            /** All findings that fit into a cause as one problem, with the reason of the first. Contains no secret. */
            public Problem problem() {
                Problem first = findings.getFirst();
                if (findings.size() == 1) {
                    return first;
                }
                StringBuilder line = new StringBuilder().append(findings.size()).append(" mistakes:");
                for (int i = 0; i < findings.size(); i++) {
                    String next = " (" + (i + 1) + ") " + findings.get(i).withObject(ProblemObject.NONE);
                    if (line.length() + next.length() > LONGEST) {
                        line.append(i == 0 ? next.substring(0, LONGEST - line.length()) : "")
                                .append(" and ")
                                .append(findings.size() - Math.max(1, i))
                                .append(" more");
                        break;
                    }
                    line.append(next);
                }
                return new Problem(first.reason(), first.object(), "", line.toString(), "correct all of them");
            }
        }
    }
}

package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Selects the kubeconfig among the keys of a Secret. */
final class KubeconfigSecretKeys {
    private static final List<String> USUAL = List.of("kubeconfig", "value");
    private static final int SHOWN = 10;

    private KubeconfigSecretKeys() {}

    /** @throws TenantMistake with a single finding */
    static String kubeconfig(String secret, Map<String, String> data, @Nullable String key) {
        List<String> wanted = key == null || key.isEmpty() ? USUAL : List.of(key);
        for (String name : wanted) {
            String value = data.get(name);
            if (value != null) {
                return text(secret, name, value);
            }
        }
        throw new TenantMistake(new ProblemFinding(
                Reason.KubeconfigKeyNotFound.wireName(),
                "Secret " + secret,
                "",
                "no key " + MessageFormatter.quote(String.join(" or ", wanted)) + ", it has " + keys(data),
                "put the kubeconfig under kubeconfig, or name the key in spec.kubeconfigSecretRef.key"));
    }

    private static String keys(Map<String, String> data) {
        List<String> names = List.copyOf(new TreeSet<>(data.keySet()));
        if (names.isEmpty()) {
            return "none";
        }
        String more = names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "";
        return MessageFormatter.quote(String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))) + more;
    }

    private static String text(String secret, String key, String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            // The exception's message quotes the content.
            throw new TenantMistake(new ProblemFinding(
                    Reason.KubeconfigInvalid.wireName(),
                    "Secret " + secret,
                    "data." + MessageFormatter.quote(key),
                    "is not valid UTF-8",
                    "store the output of kubectl config view --raw"));
        }
    }
}

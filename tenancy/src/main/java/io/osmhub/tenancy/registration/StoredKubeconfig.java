package io.osmhub.tenancy.registration;

import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.registration.RegistrationException.Kind;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where the kubeconfig of a WorkerCluster is stored.
 *
 * @param secret null if it does not exist or may not be read
 * @param readable false if the Secret may not be read
 */
record StoredKubeconfig(
        WorkerClusterRecord record, @Nullable KubeconfigSecret secret, boolean readable) {
    /** The key of the kubeconfig, as the hub finds it. */
    String key() {
        return KubeconfigSecret.key(record, secret);
    }

    /** Namespace and name, for messages. */
    String path() {
        return record.namespace() + "/" + record.secretName();
    }

    KubeconfigSecret existing() throws RegistrationException {
        if (secret == null) {
            throw RegistrationException.of(
                    Kind.INCOMPLETE,
                    "Secret " + path()
                            + " with the kubeconfig does not exist or may not be read; provide a kubeconfig");
        }
        return secret;
    }

    /** Null if there is none, or if it may not be read. */
    @Nullable Sensitive text() {
        String data = secret == null ? null : secret.data().get(key());
        return data == null
                ? null
                : new Sensitive(new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8));
    }
}

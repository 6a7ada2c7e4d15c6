package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.Sensitive;

/** The hub's credential for a worker cluster. */
public sealed interface WorkerCredential {
    /** For messages. */
    String kind();

    /** A bearer token; printable ASCII without blanks. */
    record Token(Sensitive token) implements WorkerCredential {
        @Override
        public String kind() {
            return "token";
        }
    }

    /**
     * @param certificatePem the certificate and its intermediates, in this order
     * @param privateKeyPem PKCS#8, not encrypted, RSA or EC; matches the first certificate
     */
    record ClientCertificate(String certificatePem, Sensitive privateKeyPem) implements WorkerCredential {
        @Override
        public String kind() {
            return "client certificate";
        }
    }
}

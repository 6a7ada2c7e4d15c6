package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.Sensitive;

/** With what the hub signs in to a worker cluster. */
public sealed interface WorkerCredential {
    /** How messages name it. */
    String kind();

    /** A bearer token; printable ASCII without blanks. */
    record Token(Sensitive token) implements WorkerCredential {
        @Override
        public String kind() {
            return "token";
        }
    }

    /**
     * A client certificate.
     *
     * @param certificatePem the certificate and those that lead to its authority, in this order
     * @param privateKeyPem PKCS#8, not encrypted, RSA or EC; fits the first certificate
     */
    record ClientCertificate(String certificatePem, Sensitive privateKeyPem) implements WorkerCredential {
        @Override
        public String kind() {
            return "client certificate";
        }
    }
}

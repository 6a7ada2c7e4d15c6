package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.client.ServerAccess.SignIn;
import io.osmhub.tenancy.client.ServerAccess.Trust;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;

/** How a client reaches and signs in to what a vetted kubeconfig names. */
public final class KubeconfigAccess {
    private KubeconfigAccess() {}

    /** Without a pinned address, and without the kubeconfig's proxy. */
    public static ServerAccess of(VettedKubeconfig kubeconfig) {
        String authorities = kubeconfig.certificateAuthorityPem();
        Trust trust = authorities == null ? new Trust.Anyone() : new Trust.Authorities(authorities);
        SignIn signIn =
                switch (kubeconfig.credential()) {
                    case WorkerCredential.Token token -> new SignIn.Token(token.token());
                    case WorkerCredential.ClientCertificate certificate ->
                        new SignIn.Certificate(certificate.certificatePem(), certificate.privateKeyPem());
                };
        return new ServerAccess(kubeconfig.server(), trust, signIn, "", null, null);
    }
}

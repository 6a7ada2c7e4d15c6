package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.client.ServerAccess.SignIn;
import io.osmhub.tenancy.client.ServerAccess.Trust;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import java.net.URI;

/** How a client reaches and signs in to what a vetted kubeconfig names. */
public final class KubeconfigAccess {
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    private KubeconfigAccess() {}

    /** Through the kubeconfig's proxy, if it names one. For files of the operator: no address is held against a policy. */
    public static ServerAccess ofOperatorsFile(VettedKubeconfig kubeconfig) {
        ServerAccess access = of(kubeconfig);
        URI proxy = kubeconfig.proxy();
        return proxy == null
                ? access
                : access.through(URI.create(proxy.getScheme() + "://" + proxy.getHost() + ":" + port(proxy)));
    }

    static int port(URI proxy) {
        return proxy.getPort() >= 0 ? proxy.getPort() : "https".equals(proxy.getScheme()) ? HTTPS : HTTP;
    }

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

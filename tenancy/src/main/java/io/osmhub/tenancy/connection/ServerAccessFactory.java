package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.client.ServerAccess.Authentication;
import io.osmhub.tenancy.client.ServerAccess.ServerTrustPolicy;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import java.net.URI;

/** Creates the server access of a validated kubeconfig. */
public final class ServerAccessFactory {
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    private ServerAccessFactory() {}

    /** Uses the kubeconfig's proxy, if any. For files of the operator only: applies no egress policy. */
    public static ServerAccess ofOperatorsFile(ValidatedKubeconfig kubeconfig) {
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
    public static ServerAccess of(ValidatedKubeconfig kubeconfig) {
        String authorities = kubeconfig.certificateAuthorityPem();
        ServerTrustPolicy trust =
                authorities == null ? new ServerTrustPolicy.Insecure() : new ServerTrustPolicy.Authorities(authorities);
        Authentication signIn =
                switch (kubeconfig.credential()) {
                    case WorkerCredential.Token token -> new Authentication.Token(token.token());
                    case WorkerCredential.ClientCertificate certificate ->
                        new Authentication.Certificate(certificate.certificatePem(), certificate.privateKeyPem());
                };
        return new ServerAccess(kubeconfig.server(), trust, signIn, "", null, null);
    }
}

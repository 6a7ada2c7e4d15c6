package io.osmhub.tenancy.kubeconfig;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/** Kubeconfigs for tests: a good one, of which parts are replaced. */
record Kubeconfigs(String server, String cluster, String user, String rest) {
    /** In every value that is secret or could be. */
    static final String CANARY = "c4n4ry";

    static final String TOKEN = CANARY + "-token";
    static final String SECRET = "cluster-x/shop-kubeconfig";

    static final KubeconfigRules STRICT =
            new KubeconfigRules(Set.of(), KubeconfigPolicy.DEFAULT.denyCidrs(), List.of());

    static Kubeconfigs aKubeconfig() {
        return new Kubeconfigs(
                "https://api.shop.example.org:6443",
                "certificate-authority-data: " + Pki.base64(Pki.AUTHORITY),
                "token: " + TOKEN,
                "current-context: admin");
    }

    Kubeconfigs server(String url) {
        return new Kubeconfigs(url, cluster, user, rest);
    }

    /** In place of the certificate authority. */
    Kubeconfigs cluster(String lines) {
        return new Kubeconfigs(server, lines, user, rest);
    }

    /** Beside the certificate authority. */
    Kubeconfigs alsoCluster(String lines) {
        return cluster(cluster + "\n" + lines);
    }

    /** In place of the token. */
    Kubeconfigs user(String lines) {
        return new Kubeconfigs(server, cluster, lines, rest);
    }

    /** Beside the token. */
    Kubeconfigs alsoUser(String lines) {
        return user(user + "\n" + lines);
    }

    /** In place of the current context. */
    Kubeconfigs rest(String lines) {
        return new Kubeconfigs(server, cluster, user, lines);
    }

    static String clientCertificate(String certificate, String key) {
        return "client-certificate-data: " + Pki.base64(certificate) + "\nclient-key-data: " + Pki.base64(key);
    }

    String text() {
        return """
            apiVersion: v1
            kind: Config
            preferences: {}
            clusters:
            - name: shop
              cluster:
                server: SERVER
            CLUSTER
            users:
            - name: admin@shop
              user:
            USER
            contexts:
            - name: admin
              context:
                cluster: shop
                user: admin@shop
                namespace: kube-system
            REST
            """.replace("SERVER", server)
                .replace("CLUSTER\n", cluster.indent(4))
                .replace("USER\n", user.indent(4))
                .replace("REST", rest);
    }

    Vetting vet() {
        return vet(STRICT);
    }

    Vetting vet(KubeconfigRules rules) {
        return firewall(rules).vet(SECRET, text());
    }

    static KubeconfigFirewall firewall(KubeconfigRules rules, InetSocketAddress... managementApi) {
        return new KubeconfigFirewall(new EgressPolicy(rules, Set.of(managementApi), Set.of()));
    }

    static VettedKubeconfig accepted(Vetting vetting) {
        return switch (vetting) {
            case Vetting.Vetted(VettedKubeconfig kubeconfig) -> kubeconfig;
            case Vetting.Refused(var findings) -> throw new AssertionError("refused: " + findings);
        };
    }

    static Vetting.Refused refused(Vetting vetting) {
        return switch (vetting) {
            case Vetting.Vetted(VettedKubeconfig kubeconfig) ->
                throw new AssertionError("accepted: " + kubeconfig.server());
            case Vetting.Refused refused -> refused;
        };
    }
}

package io.osmhub.tenancy.kubeconfig;

import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/** Builds kubeconfigs: a valid one with replaceable parts. */
record Kubeconfigs(String server, String cluster, String user, String rest) {
    /** Part of every secret value. */
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

    /** Replaces the certificate authority. */
    Kubeconfigs cluster(String lines) {
        return new Kubeconfigs(server, lines, user, rest);
    }

    /** Adds to the certificate authority. */
    Kubeconfigs alsoCluster(String lines) {
        return cluster(cluster + "\n" + lines);
    }

    /** Replaces the token. */
    Kubeconfigs user(String lines) {
        return new Kubeconfigs(server, cluster, lines, rest);
    }

    /** Adds to the token. */
    Kubeconfigs alsoUser(String lines) {
        return user(user + "\n" + lines);
    }

    /** Replaces the current context. */
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

    KubeconfigValidation vet() {
        return vet(STRICT);
    }

    KubeconfigValidation vet(KubeconfigRules rules) {
        return firewall(rules).validate(SECRET, text());
    }

    static KubeconfigValidator firewall(KubeconfigRules rules, InetSocketAddress... managementApi) {
        return new KubeconfigValidator(new EgressPolicy(rules, Set.of(managementApi), Set.of()));
    }

    static ValidatedKubeconfig accepted(KubeconfigValidation vetting) {
        return switch (vetting) {
            case KubeconfigValidation.Valid(ValidatedKubeconfig kubeconfig) -> kubeconfig;
            case KubeconfigValidation.Invalid(var findings) -> throw new AssertionError("refused: " + findings);
        };
    }

    static KubeconfigValidation.Invalid refused(KubeconfigValidation vetting) {
        return switch (vetting) {
            case KubeconfigValidation.Valid(ValidatedKubeconfig kubeconfig) ->
                throw new AssertionError("accepted: " + kubeconfig.server());
            case KubeconfigValidation.Invalid refused -> refused;
        };
    }
}

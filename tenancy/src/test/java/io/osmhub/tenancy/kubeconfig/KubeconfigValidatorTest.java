package io.osmhub.tenancy.kubeconfig;

import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.aKubeconfig;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.accepted;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.clientCertificate;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.WorkerCredential.ClientCertificate;
import io.osmhub.tenancy.kubeconfig.WorkerCredential.Token;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class KubeconfigValidatorTest {
    @Test
    void takesWhatAClientNeedsOutOfAKubeconfig() {
        ValidatedKubeconfig kubeconfig = accepted(aKubeconfig().vet());

        assertThat(kubeconfig.server()).hasToString("https://api.shop.example.org:6443");
        assertThat(kubeconfig.host()).isEqualTo("api.shop.example.org");
        assertThat(kubeconfig.port()).isEqualTo(6443);
        assertThat(kubeconfig.certificateAuthorityPem()).isEqualTo(Pki.AUTHORITY);
        assertThat(kubeconfig.credential())
                .isInstanceOfSatisfying(
                        Token.class, token -> assertThat(token.token().reveal()).isEqualTo(Kubeconfigs.TOKEN));
        assertThat(kubeconfig.contextName()).isEqualTo("admin");
        assertThat(kubeconfig.userName()).isEqualTo("admin@shop");
        assertThat(kubeconfig.proxy()).isNull();
        assertThat(kubeconfig.insecureSkipTlsVerify()).isFalse();
        assertThat(kubeconfig.toString()).doesNotContain(Kubeconfigs.CANARY);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void readsKeysInEveryUsualForm(String certificate, String key, String algorithm) throws Exception {
        ValidatedKubeconfig kubeconfig =
                accepted(aKubeconfig().user(clientCertificate(certificate, key)).vet());

        ClientCertificate credential = (ClientCertificate) kubeconfig.credential();
        assertThat(credential.certificatePem()).isEqualTo(certificate);
        assertThat(kubeconfig.validFrom()).isEqualTo(Pki.FROM);
        assertThat(kubeconfig.expiresAt()).isEqualTo(Pki.UNTIL);
        byte[] pkcs8 = PemBlocks.blocks(credential.privateKeyPem().reveal().getBytes(UTF_8))
                .getFirst()
                .content();
        PrivateKey read = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        assertThat(read.getAlgorithm()).isEqualTo(algorithm);
        assertThat(credential.toString()).doesNotContain("PRIVATE");
    }

    static Stream<Arguments> keys() {
        return Stream.of(
                Arguments.of(Pki.RSA.certificate(), Pki.RSA.pkcs8(), "RSA"),
                Arguments.of(Pki.RSA.certificate(), Pki.RSA.traditional(), "RSA"),
                Arguments.of(Pki.EC.certificate(), Pki.EC.pkcs8(), "EC"),
                Arguments.of(Pki.EC.certificate(), Pki.EC.traditional(), "EC"),
                Arguments.of(Pki.EC.certificate(), Pki.EC.withParameters(), "EC"),
                Arguments.of(Pki.EC_384.certificate(), Pki.EC_384.traditional(), "EC"),
                // As kubelet-client-current.pem: certificate and key in one file, used for both.
                Arguments.of(Pki.RSA.certificate(), Pki.RSA.certificate() + Pki.RSA.traditional(), "RSA"));
    }

    @Test
    void keepsTheChainOfAClientCertificateAndDropsEverythingElse() throws Exception {
        String chain = "subject=/CN=x\n" + Pki.EC.certificate() + Pki.EC.traditional() + Pki.AUTHORITY;

        ValidatedKubeconfig kubeconfig = accepted(
                aKubeconfig().user(clientCertificate(chain, Pki.EC.pkcs8())).vet());

        String kept = ((ClientCertificate) kubeconfig.credential()).certificatePem();
        assertThat(kept).isEqualTo(Pki.EC.certificate() + Pki.AUTHORITY);
        assertThat(CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(kept.getBytes(UTF_8))))
                .hasSize(2);
    }

    @Test
    void tellsWhenATokenEndsThatSaysSo() {
        String claims = "{\"iat\":1790000000,\"nbf\":1790000001,\"exp\":1790003600.5,\"sub\":\"x\"}";
        String token = "eyJhbGciOiJSUzI1NiJ9." + Pki.base64(claims).replace("=", "") + ".c2ln";

        ValidatedKubeconfig kubeconfig =
                accepted(aKubeconfig().user("token: " + token).vet());

        assertThat(kubeconfig.validFrom()).isEqualTo(Instant.ofEpochSecond(1_790_000_001));
        assertThat(kubeconfig.expiresAt()).isEqualTo(Instant.ofEpochSecond(1_790_003_600));
    }

    @ParameterizedTest
    @CsvSource({"a.b.c", "a.!.c", "a.bnVsbA.c", "a.W10.c", "a.eyJleHAiOjFlOTl9.c", "a.eyJleHAiOiJ4In0.c", "a..c"})
    void aTokenThatDoesNotSayWhenItEndsHasNoEnd(String token) {
        assertThat(accepted(aKubeconfig().user("token: " + token).vet()).expiresAt())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "https://API.Shop.example.org, https://api.shop.example.org, api.shop.example.org, 443",
        "HTTPS://api.example.org:443/, https://api.example.org:443, api.example.org, 443",
        "https://apiserver-external.cluster-x.svc.cluster.local., https://apiserver-external.cluster-x.svc.cluster.local, apiserver-external.cluster-x.svc.cluster.local, 443",
        "https://apiserver.cluster-x.svc.cluster.local.:6443, https://apiserver.cluster-x.svc.cluster.local:6443, apiserver.cluster-x.svc.cluster.local, 6443",
        "https://rancher.example.org/k8s/clusters/c-m-x7f/, https://rancher.example.org/k8s/clusters/c-m-x7f, rancher.example.org, 443",
        "https://203.0.113.10:6443, https://203.0.113.10:6443, 203.0.113.10, 6443",
        "'https://[2001:DB8:0::1]:6443', 'https://[2001:db8::1]:6443', 2001:db8::1, 6443",
        "'https://[::ffff:203.0.113.10]:6443', https://203.0.113.10:6443, 203.0.113.10, 6443",
        "https://xn--mnchen-3ya.example.org, https://xn--mnchen-3ya.example.org, xn--mnchen-3ya.example.org, 443",
        "https://1and1.example.org, https://1and1.example.org, 1and1.example.org, 443",
    })
    void writesEveryServerInOneForm(String written, String server, String host, int port) {
        ValidatedKubeconfig kubeconfig =
                accepted(aKubeconfig().server("\"" + written + "\"").vet());

        assertThat(kubeconfig.server()).hasToString(server);
        assertThat(kubeconfig.host()).isEqualTo(host);
        assertThat(kubeconfig.port()).isEqualTo(port);
    }

    @Test
    void knowsAnAddressFromAName() {
        assertThat(accepted(aKubeconfig().server("https://203.0.113.10:6443").vet())
                        .literalAddress())
                .hasValueSatisfying(
                        address -> assertThat(address.getHostAddress()).isEqualTo("203.0.113.10"));
        assertThat(accepted(aKubeconfig().vet()).literalAddress()).isEmpty();
    }

    @Test
    void readsJson() {
        String json =
                "{\"apiVersion\":\"v1\",\"kind\":\"Config\",\"clusters\":[{\"name\":\"a\",\"cluster\":{\"server\":\"https://a.example.org\","
                        + "\"certificate-authority-data\":\"" + Pki.base64(Pki.AUTHORITY)
                        + "\"}}],\"users\":[{\"name\":\"b\",\"user\":{\"token\":\"t\"}}],"
                        + "\"contexts\":[{\"name\":\"c\",\"context\":{\"cluster\":\"a\",\"user\":\"b\"}}]}";

        ValidatedKubeconfig kubeconfig =
                accepted(Kubeconfigs.firewall(Kubeconfigs.STRICT).validate(Kubeconfigs.SECRET, json));

        assertThat(kubeconfig.contextName()).isEqualTo("c");
    }

    @Test
    void takesTheOnlyContextWhenNoneIsCurrent() {
        assertThat(accepted(aKubeconfig().rest("").vet()).contextName()).isEqualTo("admin");
    }

    @Test
    void takesTheCurrentContextOfSeveral() {
        String text = aKubeconfig()
                .rest("- {name: other, context: {cluster: shop, user: nobody}}\ncurrent-context: admin")
                .text();

        assertThat(accepted(Kubeconfigs.firewall(Kubeconfigs.STRICT).validate(Kubeconfigs.SECRET, text))
                        .contextName())
                .isEqualTo("admin");
    }

    @Test
    void takesWhatOtherToolsPutBesides() {
        accepted(aKubeconfig()
                .alsoCluster("extensions: [{name: minikube, extension: {exec: x}}]\ndisable-compression: true")
                .alsoUser("extensions: []\nexec: null\ntokenFile: ''\nas-groups: []\nas-user-extra: {}\nusername: ''")
                .rest("current-context: admin\nextensions: []")
                .vet());
    }

    @Test
    void namesEverythingThatIsWrongAtOnce() {
        KubeconfigValidation.Invalid refused = refused(aKubeconfig()
                .server("http://api.example.org")
                .alsoCluster("proxy-url: http://proxy.example.org")
                .user("exec: {command: sh}\ntokenFile: /var/run/token")
                .vet());

        assertThat(refused.findings())
                .extracting(Problem::field)
                .containsExactlyInAnyOrder(
                        "clusters[0].cluster.proxy-url",
                        "users[0].user.exec",
                        "users[0].user.tokenFile",
                        "clusters[0].cluster.server");
        assertThat(refused.problem().inTenant("cluster-x", "").message())
                .startsWith("cluster-x: Secret cluster-x/shop-kubeconfig: 4 mistakes: (1) ")
                .contains("users[0].user.exec: not allowed in the hub, it would run a program; use a token");
    }

    @Test
    void aSingleMistakeHasTheMessageOfItsReason() {
        KubeconfigValidation.Invalid refused =
                refused(aKubeconfig().user("exec: {command: sh}").vet());

        assertThat(refused.problem().reason()).isEqualTo(Reason.KubeconfigFieldRefused);
        assertThat(refused.problem().inTenant("cluster-x", "").message())
                .isEqualTo(
                        "cluster-x: Secret cluster-x/shop-kubeconfig, users[0].user.exec: not allowed in the hub, it would run a program; use a token");
    }

    @Test
    void aLongMessageSaysHowManyMistakesItLeavesOut() {
        String text = aKubeconfig().text();
        StringBuilder more = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            more.append("- {name: u").append(i).append(", user: {exec: {command: sh}}}\n");
        }
        text = text.replace("contexts:\n", more + "contexts:\n");

        KubeconfigValidation.Invalid refused =
                refused(Kubeconfigs.firewall(Kubeconfigs.STRICT).validate(Kubeconfigs.SECRET, text));

        assertThat(refused.findings()).hasSize(100);
        assertThat(refused.problem().inTenant("cluster-x", "").message())
                .hasSizeLessThanOrEqualTo(1024)
                .contains(" more; ");
    }

    @Test
    void allowsWhatThePolicyAllows() {
        KubeconfigRules rules = new KubeconfigRules(
                Set.of(Allowance.INSECURE_SKIP_TLS_VERIFY, Allowance.PROXY_URL, Allowance.LOOPBACK),
                KubeconfigPolicy.DEFAULT.denyCidrs(),
                List.of());

        ValidatedKubeconfig kubeconfig = accepted(aKubeconfig()
                .server("https://127.0.0.1:6443")
                .cluster("insecure-skip-tls-verify: true\nproxy-url: http://proxy.example.org:3128")
                .vet(rules));

        assertThat(kubeconfig.insecureSkipTlsVerify()).isTrue();
        assertThat(kubeconfig.certificateAuthorityPem()).isNull();
        assertThat(kubeconfig.proxy()).hasToString("http://proxy.example.org:3128");
    }

    @Test
    void aMisspelledFieldThatThePolicyAllowsIsUnknown() {
        KubeconfigRules rules =
                new KubeconfigRules(Set.of(Allowance.PROXY_URL), KubeconfigPolicy.DEFAULT.denyCidrs(), List.of());

        KubeconfigValidation.Invalid refused = refused(aKubeconfig()
                .alsoCluster("proxyUrl: http://proxy.example.org:3128")
                .vet(rules));

        assertThat(refused.problem().inTenant("cluster-x", "").message())
                .endsWith("clusters[0].cluster.proxyUrl: unknown field; did you mean proxy-url?");
    }

    @Test
    void anExceptionAllowsNamespacesByTheirLabels() {
        KubeconfigPolicy policy = new KubeconfigPolicy(
                Set.of(),
                List.of(IpNetwork.of("127.0.0.0/8")),
                List.of(),
                List.of(new KubeconfigPolicy.Exemption(
                        Objects.requireNonNull(LabelSelector.parse("osmhub.io/tier=lab")),
                        Set.of(Allowance.LOOPBACK))));

        assertThat(policy.forNamespace(Map.of("osmhub.io/tier", "lab")).allow()).containsExactly(Allowance.LOOPBACK);
        assertThat(policy.forNamespace(Map.of("osmhub.io/tier", "prod")).allow())
                .isEmpty();
    }

    @Test
    void theHashChangesWithWhatAConnectionDependsOnAndWithNothingElse() {
        String before = accepted(aKubeconfig().vet()).contentHash();

        assertThat(accepted(aKubeconfig()
                                .rest("# a comment\ncurrent-context: admin")
                                .vet())
                        .contentHash())
                .isEqualTo(before);
        assertThat(Stream.of(
                                aKubeconfig().user("token: other"),
                                aKubeconfig().server("https://other.example.org"),
                                aKubeconfig()
                                        .cluster("certificate-authority-data: " + Pki.base64(Pki.RSA.certificate())),
                                aKubeconfig().user(clientCertificate(Pki.RSA.certificate(), Pki.RSA.pkcs8())),
                                aKubeconfig().user(clientCertificate(Pki.EC.certificate(), Pki.EC.pkcs8())))
                        .map(kubeconfig -> accepted(kubeconfig.vet()).contentHash()))
                .doesNotContain(before)
                .doesNotHaveDuplicates();
    }

    @Test
    void takesTheKubeconfigFromTheUsualKeysOfASecretOrTheNamedOne() {
        KubeconfigValidator firewall = Kubeconfigs.firewall(Kubeconfigs.STRICT);
        String good = Pki.base64(aKubeconfig().text());

        accepted(firewall.validate(Kubeconfigs.SECRET, Map.of("kubeconfig", good), null));
        accepted(firewall.validate(Kubeconfigs.SECRET, Map.of("value", good, "other", "!"), ""));
        accepted(firewall.validate(Kubeconfigs.SECRET, Map.of("mine", good, "kubeconfig", "!"), "mine"));
    }

    @Test
    void namesTheKeysThatASecretHasWhenTheKubeconfigIsMissing() {
        KubeconfigValidator firewall = Kubeconfigs.firewall(Kubeconfigs.STRICT);

        assertThat(refused(firewall.validate(Kubeconfigs.SECRET, Map.of("config", "YQ==", "ca.crt", "YQ=="), null))
                        .problem()
                        .inTenant("cluster-x", "")
                        .message())
                .isEqualTo(
                        "cluster-x: Secret cluster-x/shop-kubeconfig: no key kubeconfig or value, it has ca.crt, config; put the kubeconfig under kubeconfig, or name the key in spec.kubeconfigSecretRef.key");
        assertThat(refused(firewall.validate(Kubeconfigs.SECRET, Map.of(), "mine"))
                        .problem()
                        .inTenant("cluster-x", "")
                        .message())
                .contains("no key mine, it has none;");
        assertThat(refused(firewall.validate(Kubeconfigs.SECRET, Map.of("kubeconfig", "/w=="), null))
                        .problem()
                        .inTenant("cluster-x", "")
                        .message())
                .contains("data.kubeconfig: is not valid UTF-8");
    }

    @Test
    void readsTheFilesThatAnOperatorsKubeconfigNamesAndRunsNoProgram() {
        Map<String, String> files = Map.of("ca.crt", Pki.AUTHORITY, "/run/token", Kubeconfigs.TOKEN + "\n");
        KubeconfigFileReader contents = path -> {
            String content = files.get(path);
            if (content == null) {
                throw new FileNotFoundException(path);
            }
            return content;
        };

        ValidatedKubeconfig kubeconfig = accepted(KubeconfigValidator.validateOperatorFile(
                "worker.yaml",
                aKubeconfig()
                        .server("https://127.0.0.1:6443")
                        .cluster("certificate-authority: ca.crt")
                        .user("tokenFile: /run/token")
                        .text(),
                contents));
        KubeconfigValidation.Invalid refused = refused(KubeconfigValidator.validateOperatorFile(
                "worker.yaml",
                aKubeconfig()
                        .cluster("certificate-authority: missing.crt")
                        .user("exec: {command: sh}")
                        .text(),
                contents));

        assertThat(kubeconfig.certificateAuthorityPem()).isEqualTo(Pki.AUTHORITY);
        assertThat(((Token) kubeconfig.credential()).token().reveal()).isEqualTo(Kubeconfigs.TOKEN);
        assertThat(refused.findings())
                .extracting(Problem::toString)
                .containsExactlyInAnyOrder(
                        "worker.yaml, users[0].user.exec: not allowed in the hub, it would run a program; use a token",
                        "worker.yaml, clusters[0].cluster.certificate-authority: cannot be read (missing.crt); correct the path, or the file's permissions");
    }
}

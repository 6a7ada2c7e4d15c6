package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.core.cluster.ClusterSnapshot;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.OsmFlags;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TestCertificate;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsReferenceResolverTest {
    private static final String ALL = """
        provisioning:
          kubernetesCA: {configMapKeyRef: {name: ca, key: ca.crt}}
          hostCA: {secretKeyRef: {name: host, key: ca.crt}}
          registries: {credentialsSecretRef: {name: registries}}
          proxy: {httpProxySecretRef: {name: proxy, key: url}}
        """;

    private static Provisioning settings(String yaml) {
        SettingsLayer layer = SettingsReader.readFile(
                SourceDocument.readAll("settings", yaml, Reason.SettingsInvalid).getFirst());
        return new LayeredSettings(layer, SettingsLayer.EMPTY)
                .toTenantSettings()
                .provisioning();
    }

    private static ClusterSnapshot objects(String yaml) {
        ClusterSnapshot objects = new ClusterSnapshot("tenant");
        SourceDocument.readAll("objects", yaml, Reason.SettingsInvalid).forEach(objects::add);
        return objects;
    }

    @Test
    void takesTheDefaultsWhereNothingIsReferredTo() {
        RenderInput.References resolved = SettingsReferenceResolver.resolve(
                settings("{}"), "tenant", new ClusterSnapshot("tenant"), "default CA");

        assertThat(resolved.kubernetesCa()).isEqualTo("default CA");
        assertThat(resolved.hostCa()).isEmpty();
        assertThat(resolved.secretHttpProxy()).isNull();
    }

    @Test
    void looksUpProxyAndRegistriesInTheTenantsNamespace() {
        RenderInput.References resolved = SettingsReferenceResolver.resolve(settings("""
            provisioning:
              registries: {credentialsSecretRef: {name: registries}}
              proxy: {httpProxySecretRef: {name: proxy, key: url}}
            """), "tenant", objects("""
                kind: Secret
                metadata: {name: registries}
                stringData: {registry.example.org: '{"username": "u"}'}
                ---
                {kind: Secret, metadata: {name: proxy}, stringData: {url: "http://u:p@proxy"}}
                """), "");

        assertThat(resolved.registryCredentials().byRegistry()).containsOnlyKeys("registry.example.org");
        assertThat(resolved.secretHttpProxy()).isEqualTo(new Sensitive("http://u:p@proxy"));
    }

    @Test
    void namesEverythingThatIsMissingAtOnce() {
        TenantMistake mistake = catchThrowableOfType(
                TenantMistake.class,
                () -> SettingsReferenceResolver.resolve(settings(ALL), "tenant", new ClusterSnapshot("tenant"), ""));

        assertThat(mistake.findings())
                .extracting(Problem::field)
                .containsExactly(
                        "provisioning.kubernetesCA.configMapKeyRef",
                        "provisioning.hostCA.secretKeyRef",
                        "provisioning.registries.credentialsSecretRef",
                        "provisioning.proxy.httpProxySecretRef");
        assertThat(mistake.findings()).allMatch(finding -> finding.reason() == Reason.SettingsReferenceNotFound);
    }

    /** As cert-manager and kubeadm write them: a key beside the certificate, in one file or in one Secret. */
    @ParameterizedTest
    @ValueSource(strings = {"{secretKeyRef: {name: ca, key: pem}}", "{configMapKeyRef: {name: ca, key: pem}}"})
    void passesOnNoPrivateKeyThatStandsBesideACertificate(String source) {
        String pem = TestCertificate.KEY + TestCertificate.PEM;
        String text = '"' + pem.replace("\n", "\\n") + '"';

        RenderInput.References resolved = SettingsReferenceResolver.resolve(
                settings("provisioning: {hostCA: " + source + ", kubernetesCA: " + source + "}"),
                "tenant",
                objects("{kind: Secret, metadata: {name: ca}, stringData: {pem: " + text + "}}\n---\n"
                        + "{kind: ConfigMap, metadata: {name: ca}, data: {pem: " + text + "}}"),
                "");

        assertThat(resolved.hostCa()).isEqualTo(TestCertificate.PEM);
        assertThat(resolved.kubernetesCa()).isEqualTo(TestCertificate.PEM);
    }

    @Test
    void anInlinePrivateKeyIsPassedOnFromNoSource() {
        String pem = TestCertificate.KEY + TestCertificate.PEM;
        String text = '"' + pem.replace("\n", "\\n") + '"';
        Provisioning flags = new LayeredSettings(OsmFlags.read(Map.of(), pem, pem), SettingsLayer.EMPTY)
                .toTenantSettings()
                .provisioning();

        RenderInput.References resolved =
                SettingsReferenceResolver.resolve(flags, "tenant", new ClusterSnapshot("tenant"), "");

        assertThat(resolved.hostCa()).isEqualTo(TestCertificate.PEM);
        assertThat(resolved.kubernetesCa()).isEqualTo(TestCertificate.PEM);
        assertThatThrownBy(() -> settings("provisioning: {hostCA: {inline: " + text + "}}"))
                .hasMessageContaining("provisioning.hostCA.inline: must not hold a private key");
    }

    /** Each of them is one line that the hub may read, and that nodes would get. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "stringData: {x: '{\"kind\":\"Config\",\"clusters\":[],\"contexts\":[],\"users\":[]}'}",
                "stringData: {x: 'hush.hush.hush'}",
                "stringData: {x: 'http://'}",
                "stringData: {x: 'http://a b'}",
                "stringData: {x: 'http://proxy/hush'}",
                "stringData: {x: 'http://proxy?hush'}",
                "stringData: {x: 'file:///hush'}",
                "stringData: {x: 'http://proxy', kubeconfig: 'clusters: [], contexts: [], users: [{token: hush}]'}",
                "{type: kubernetes.io/service-account-token, stringData: {x: 'http://proxy'}}",
                "{type: bootstrap.kubernetes.io/token, stringData: {x: 'http://proxy'}}",
                "{type: cluster.x-k8s.io/secret, stringData: {x: 'http://proxy'}}",
                "{type: osmhub.io/kubeconfig, stringData: {x: 'http://proxy'}}"
            })
    void nothingButAProxysUrlBecomesTheProxy(String content) {
        String secret = content.startsWith("{") ? content : "{" + content + "}";

        TenantMistake mistake = catchThrowableOfType(
                TenantMistake.class,
                () -> SettingsReferenceResolver.resolve(
                        settings("provisioning: {proxy: {httpProxySecretRef: {name: s, key: x}}}"),
                        "tenant",
                        objects("{kind: Secret, metadata: {name: s}, " + secret.substring(1)),
                        ""));

        assertThat(mistake).isNotNull().hasMessageNotContaining("hush");
        assertThat(mistake.findings())
                .singleElement()
                .extracting(Problem::field)
                .isEqualTo("provisioning.proxy.httpProxySecretRef");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://proxy",
                "https://proxy.example.org:3128/",
                "http://u:p%40%3A@10.0.0.1:8080",
                "http://[2001:db8::1]:3128",
                "http://DOMAIN%5Cuser:p!$&*@proxy:3128"
            })
    void aProxysUrlIsTaken(String url) {
        RenderInput.References resolved = SettingsReferenceResolver.resolve(
                settings("provisioning: {proxy: {httpProxySecretRef: {name: s, key: x}}}"),
                "tenant",
                objects("{kind: Secret, metadata: {name: s}, stringData: {x: '" + url + "\n'}}"),
                "");

        assertThat(resolved.secretHttpProxy()).isEqualTo(new Sensitive(url));
    }

    @Test
    void credentialsOfAClusterAreNotRegistryCredentials() {
        TenantMistake mistake = catchThrowableOfType(
                TenantMistake.class,
                () -> SettingsReferenceResolver.resolve(settings("""
                    provisioning:
                      registries: {credentialsSecretRef: {name: token}}
                    """), "tenant", objects("""
                                    kind: Secret
                                    metadata: {name: token}
                                    type: kubernetes.io/service-account-token
                                    stringData: {registry.example.org: '{"password": "hush"}'}
                                    """), ""));

        assertThat(mistake.findings())
                .extracting(Problem::field)
                .containsExactly("provisioning.registries.credentialsSecretRef");
    }

    @Test
    void refusesMoreCertificatesThanAreReadInsteadOfCuttingThem() {
        String certificates = TestCertificate.PEM.repeat(513).indent(4);

        TenantMistake mistake = catchThrowableOfType(
                TenantMistake.class,
                () -> SettingsReferenceResolver.resolve(
                        settings("provisioning: {hostCA: {configMapKeyRef: {name: ca, key: ca.crt}}}"),
                        "tenant",
                        objects("kind: ConfigMap\nmetadata: {name: ca}\ndata:\n  ca.crt: |\n" + certificates),
                        ""));

        assertThat(mistake.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.field()).isEqualTo("provisioning.hostCA.configMapKeyRef");
            assertThat(finding.cause()).isEqualTo("holds more than 512 certificates");
        });
    }

    @Test
    void refusesAProxyWithALineBreakAndACaWithoutACertificate() {
        TenantMistake mistake = catchThrowableOfType(
                TenantMistake.class,
                () -> SettingsReferenceResolver.resolve(settings("""
                    provisioning:
                      kubernetesCA: {configMapKeyRef: {name: ca, key: ca.crt}}
                      proxy: {httpProxySecretRef: {name: proxy, key: url}}
                    """), "tenant", objects("""
                        {kind: ConfigMap, metadata: {name: ca}, data: {ca.crt: "no PEM"}}
                        ---
                        {kind: Secret, metadata: {name: proxy}, stringData: {url: "http://hush\\nhttp://b"}}
                        """), ""));

        assertThat(mistake.findings())
                .extracting(Problem::cause)
                .containsExactly("holds no valid certificate", "key url of Secret proxy is not a proxy's URL");
        assertThat(mistake).hasMessageNotContaining("hush");
    }
}

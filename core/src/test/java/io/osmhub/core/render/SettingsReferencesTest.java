package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.core.cluster.ClusterObjects;
import io.osmhub.core.cluster.ClusterObjectsReader;
import io.osmhub.core.document.SourceText;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import org.junit.jupiter.api.Test;

final class SettingsReferencesTest {
    private static final String ALL = """
            provisioning:
              kubernetesCA: {configMapKeyRef: {name: ca, key: ca.crt}}
              hostCA: {secretKeyRef: {name: host, key: ca.crt}}
              registries: {credentialsSecretRef: {name: registries}}
              proxy: {httpProxySecretRef: {name: proxy, key: url}}
              cloudCredentialsSecretRef: {name: cloud}
            """;

    private static Provisioning settings(String yaml) {
        SettingsLayer layer = SettingsReader.readFile(
                SourceText.read("settings", yaml, "").getFirst().document());
        return new EffectiveSettings(layer, SettingsLayer.EMPTY).settings().provisioning();
    }

    private static ClusterObjects objects(String yaml) {
        ClusterObjectsReader reader = new ClusterObjectsReader("tenant");
        SourceText.read("objects", yaml, "").forEach(source -> reader.read(source.document()));
        return reader.objects();
    }

    @Test
    void takesTheDefaultsWhereNothingIsReferredTo() {
        RenderInput.References resolved =
                SettingsReferences.resolve(settings("{}"), "tenant", ClusterObjects.NONE, "default CA");

        assertThat(resolved.kubernetesCa()).isEqualTo("default CA");
        assertThat(resolved.hostCa()).isEmpty();
        assertThat(resolved.secretHttpProxy()).isNull();
        assertThat(resolved.cloudEnvironment()).isEmpty();
    }

    @Test
    void looksUpProxyRegistriesAndCloudCredentialsInTheTenantsNamespace() {
        RenderInput.References resolved = SettingsReferences.resolve(settings("""
                        provisioning:
                          registries: {credentialsSecretRef: {name: registries}}
                          proxy: {httpProxySecretRef: {name: proxy, key: url}}
                          cloudCredentialsSecretRef: {name: cloud}
                        """), "tenant", objects("""
                        kind: Secret
                        metadata: {name: registries}
                        stringData: {registry.example.org: '{"username": "u"}'}
                        ---
                        {kind: Secret, metadata: {name: proxy}, stringData: {url: "http://u:p@proxy"}}
                        ---
                        {kind: Secret, metadata: {name: cloud}, stringData: {OS_REGION: eu}}
                        """), "");

        assertThat(resolved.registryCredentials().byRegistry()).containsOnlyKeys("registry.example.org");
        assertThat(resolved.secretHttpProxy()).isEqualTo(new Sensitive("http://u:p@proxy"));
        assertThat(resolved.cloudEnvironment()).containsEntry("OS_REGION", "eu");
    }

    @Test
    void namesEverythingThatIsMissingAtOnce() {
        TenantMistake mistake = catchThrowableOfType(
                TenantMistake.class,
                () -> SettingsReferences.resolve(settings(ALL), "tenant", ClusterObjects.NONE, ""));

        assertThat(mistake.findings())
                .extracting(Finding::field)
                .containsExactly(
                        "provisioning.kubernetesCA.configMapKeyRef",
                        "provisioning.hostCA.secretKeyRef",
                        "provisioning.registries.credentialsSecretRef",
                        "provisioning.proxy.httpProxySecretRef",
                        "provisioning.cloudCredentialsSecretRef");
        assertThat(mistake.findings()).allMatch(finding -> finding.reason().equals("SettingsReferenceNotFound"));
    }

    @Test
    void refusesAProxyWithALineBreakAndACaWithoutACertificate() {
        TenantMistake mistake = catchThrowableOfType(
                TenantMistake.class, () -> SettingsReferences.resolve(settings("""
                                provisioning:
                                  kubernetesCA: {configMapKeyRef: {name: ca, key: ca.crt}}
                                  proxy: {httpProxySecretRef: {name: proxy, key: url}}
                                """), "tenant", objects("""
                                {kind: ConfigMap, metadata: {name: ca}, data: {ca.crt: "no PEM"}}
                                ---
                                {kind: Secret, metadata: {name: proxy}, stringData: {url: "http://hush\\nhttp://b"}}
                                """), ""));

        assertThat(mistake.findings())
                .extracting(Finding::what)
                .containsExactly("holds no certificate that parses", "key url of Secret proxy is not one line");
        assertThat(mistake).hasMessageNotContaining("hush");
    }
}

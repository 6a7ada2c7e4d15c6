package io.osmhub.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.document.SourceText;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import org.junit.jupiter.api.Test;

final class ClusterManifestReaderTest {
    private static ClusterSnapshot read(String yaml) {
        ClusterManifestReader reader = new ClusterManifestReader("tenant");
        SourceText.read("objects.yaml", yaml, "").forEach(source -> reader.read(source.document()));
        return reader.objects();
    }

    @Test
    void readsDataAndStringDataOfSecrets() {
        ClusterSnapshot objects = read("""
                kind: Secret
                metadata: {name: a, namespace: one}
                type: Opaque
                data: {x: "aHVz\\naA=="}
                stringData: {y: plain}
                """);

        ObjectLookup.Secret secret = objects.secret("one", "a");

        assertThat(secret).isNotNull();
        assertThat(secret.data()).containsEntry("x", "hush").containsEntry("y", "plain");
        assertThat(secret).asString().doesNotContain("plain");
        assertThat(objects.secret("two", "a")).isNull();
    }

    @Test
    void putsAnObjectWithoutNamespaceIntoTheTenants() {
        ClusterSnapshot objects = read("{kind: ConfigMap, metadata: {name: ca}, data: {ca.crt: pem}}");

        assertThat(objects.configMap("tenant", "ca")).containsEntry("ca.crt", "pem");
    }

    @Test
    void passesOverOtherKindsAndTakesLists() {
        ClusterSnapshot objects = read("""
                kind: List
                items:
                - {kind: Pod, metadata: {name: p}}
                - {kind: ConfigMap, metadata: {name: a}, data: {k: v}}
                """);

        assertThat(objects.configMap("tenant", "a")).containsEntry("k", "v");
    }

    @Test
    void findsTokensWhereTheClusterKeepsThem() {
        ClusterSnapshot objects = read("""
                kind: Secret
                metadata: {name: cloud-init-getter-token, namespace: cloud-init-settings}
                stringData: {token: fetch}
                ---
                kind: Secret
                metadata:
                  name: bootstrap-token-abc
                  namespace: kube-system
                  labels: {machinedeployment.k8s.io/name: kube-system-workers}
                stringData: {token-id: abc, token-secret: def}
                ---
                kind: ServiceAccount
                metadata: {name: joiner, namespace: kube-system}
                secrets: [{name: missing}, {name: joiner-token}]
                ---
                kind: Secret
                metadata: {name: joiner-token, namespace: kube-system}
                type: kubernetes.io/service-account-token
                stringData: {token: joins}
                """);

        assertThat(objects.fetchToken()).isEqualTo(new Sensitive("fetch"));
        assertThat(objects.bootstrapTokens(new ObjectNames("kube-system", "workers")))
                .containsExactly(new Sensitive("abc.def"));
        assertThat(objects.bootstrapTokens(new ObjectNames("kube-system", "other")))
                .isEmpty();
        assertThat(objects.serviceAccountToken(new ServiceAccountName("kube-system", "joiner")))
                .isEqualTo(new Sensitive("joins"));
        assertThat(objects.serviceAccountToken(new ServiceAccountName("kube-system", "nobody")))
                .isNull();
    }

    @Test
    void keepsOnlyTheSlicesOfTheApiServer() {
        ClusterSnapshot objects = read("""
                kind: EndpointSlice
                metadata: {name: kubernetes, namespace: default, labels: {kubernetes.io/service-name: kubernetes}}
                ports: [{name: https, port: 6443}]
                endpoints: [{addresses: [192.0.2.1], conditions: {ready: true}}]
                ---
                kind: EndpointSlice
                metadata: {name: web, namespace: default, labels: {kubernetes.io/service-name: web}}
                """);

        assertThat(objects.endpointSlices()).singleElement().satisfies(slice -> assertThat(
                        slice.endpoints().getFirst().addresses())
                .containsExactly("192.0.2.1"));
    }

    @Test
    void tellsAMissingKeyFromAMissingObject() {
        ClusterSnapshot objects = read("{kind: Secret, metadata: {name: a}, stringData: {k: v}}");
        ReferenceResolver.Kind kind = ReferenceResolver.Kind.SECRET;

        assertThat(objects.resolve(new ReferenceResolver.Reference(kind, "tenant", "a", "k")))
                .isEqualTo(new ReferenceResolver.ResolveResult.Found("v"));
        assertThat(objects.resolve(new ReferenceResolver.Reference(kind, "tenant", "a", "x")))
                .isEqualTo(new ReferenceResolver.ResolveResult.NoKey());
        assertThat(objects.resolve(new ReferenceResolver.Reference(kind, "tenant", "b", "k")))
                .isEqualTo(new ReferenceResolver.ResolveResult.NoObject());
    }

    @Test
    void refusesWhatIsNoBase64WithoutQuotingIt() {
        assertThatThrownBy(() -> read("{kind: Secret, metadata: {name: a}, data: {k: 'hush!'}}"))
                .isInstanceOf(TenantMistake.class)
                .hasMessageContaining("data[k]: is not valid base64")
                .hasMessageNotContaining("hush");
    }

    @Test
    void refusesTwoObjectsOfOneName() {
        String secret = "{kind: Secret, metadata: {name: a}}";

        assertThatThrownBy(() -> read(secret + "\n---\n" + secret))
                .isInstanceOf(TenantMistake.class)
                .hasMessageContaining("there is another Secret a");
    }
}

package io.osmhub.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterSnapshotTest {
    private static ClusterSnapshot read(String yaml) {
        ClusterSnapshot objects = new ClusterSnapshot("tenant");
        SourceDocument.readAll("objects.yaml", yaml, Reason.SettingsInvalid).forEach(objects::add);
        return objects;
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

        assertThat(objects.endpointSlices()).singleElement().isEqualTo(new EndpointSlice(6443, List.of("192.0.2.1")));
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

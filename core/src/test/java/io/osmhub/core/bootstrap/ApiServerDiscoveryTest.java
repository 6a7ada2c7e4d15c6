package io.osmhub.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.ApiServerDiscovery.Sources;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ApiServerDiscoveryTest {
    private static final Sensitive TOKEN = new Sensitive("123456.7890");

    private static EndpointSlice slice(String port, @Nullable Boolean ready, String... addresses) {
        return new EndpointSlice(
                port.equals("https") ? 6443 : null, Boolean.TRUE.equals(ready) ? List.of(addresses[0]) : List.of());
    }

    private static ApiServerEndpoint find(@Nullable String clusterInfo, String override, EndpointSlice... slices) {
        return ApiServerDiscovery.find(new Sources(clusterInfo, List.of(slices), "CA"), override);
    }

    @Test
    void takesTheClusterOfClusterInfoWithAllItsFields() {
        ApiServerEndpoint found = find("""
                clusters:
                - cluster:
                    server: https://api:6443
                    tls-server-name: kubernetes
                    insecure-skip-tls-verify: false
                    disable-compression: true
                    extensions: [{name: e, extension: {a: 1}}]
                    certificate-authority-data: Zm9v
                """, "", slice("https", true, "10.0.0.1"));

        assertThat(found.bootstrapKubeconfig(TOKEN)).isEqualTo("""
                apiVersion: v1
                clusters:
                - cluster:
                    certificate-authority-data: Zm9v
                    disable-compression: true
                    extensions:
                    - extension:
                        a: 1
                      name: e
                    server: https://api:6443
                    tls-server-name: kubernetes
                  name: c
                contexts:
                - context:
                    cluster: c
                    user: c
                  name: c
                current-context: c
                kind: Config
                users:
                - name: c
                  user:
                    token: "123456.7890"
                """);
    }

    @Test
    void takesTheFirstReadyEndpointWithoutClusterInfo() {
        assertThat(find(
                                null,
                                "",
                                slice("http", true, "10.0.0.1"),
                                slice("https", null, "10.0.0.2"),
                                slice("https", true, "no address"),
                                slice("https", true, "FD00:0::1", "10.0.0.3"))
                        .server())
                .isEqualTo("https://[fd00::1]:6443");
        assertThat(find(null, "", slice("https", true, "10.0.0.4")).certificateAuthority())
                .isEqualTo("CA");
    }

    @Test
    void aClusterInfoOfNoUseIsNoClusterInfo() {
        for (String useless : List.of("", "clusters: []", "clusters: [{cluster: {}}, {cluster: {}}]", "a: [")) {
            assertThat(find(useless, "", slice("https", true, "10.0.0.1")).server())
                    .isEqualTo("https://10.0.0.1:6443");
            assertThatThrownBy(() -> find(useless, ""))
                    .isInstanceOf(TenantMistake.class)
                    .hasMessageContaining("cluster-info");
        }
    }

    @Test
    void aGivenUrlReplacesTheServerAndKeepsTheRest() {
        ApiServerEndpoint found =
                find("clusters: [{cluster: {server: a, certificate-authority-data: Zm9v}}]", "https://b");

        assertThat(found.server()).isEqualTo("https://b");
        assertThat(found.certificateAuthority()).isEqualTo("foo");
        assertThat(find(null, "https://b").server()).isEqualTo("https://b");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> find(null, ""))
                .hasMessageContaining("no endpointslices found for kubernetes service")
                .hasMessageEndingWith("; set spec.provisioning.bootstrap.apiServerURL");
        assertThatThrownBy(() -> find(null, "", slice("https", false, "10.0.0.1")))
                .hasMessageContaining("no ready endpoint found in kubernetes endpointslices");
    }
}

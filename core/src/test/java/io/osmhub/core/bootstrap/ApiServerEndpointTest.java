package io.osmhub.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ApiServerEndpointTest {
    private static final String SERVER = "https://api.example.org:6443";

    @Test
    void holdsOneClusterAndOneUser() {
        TreeMap<String, String> fields = new TreeMap<>();
        fields.put("certificate-authority-data", JsonWriter.quote("LS0tLS1CRUdJTg=="));
        fields.put("tls-server-name", JsonWriter.quote("api"));

        String text =
                new ApiServerEndpoint(SERVER, fields).bootstrapKubeconfig(new Sensitive("abcdef.0123456789abcdef"));

        assertThat(text).isEqualTo("""
                        apiVersion: v1
                        clusters:
                        - cluster:
                            certificate-authority-data: LS0tLS1CRUdJTg==
                            server: https://api.example.org:6443
                            tls-server-name: api
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
                            token: abcdef.0123456789abcdef
                        """);
    }

    @Test
    void quotesATokenThatReadsAsANumber() {
        assertThat(textWith("123456.1234567890123456")).endsWith("    token: \"123456.1234567890123456\"\n");
    }

    @Test
    void foldsALongTokenWithBlanks() {
        String words = "word ".repeat(20).strip();

        assertThat(textWith(words))
                .endsWith("    token: " + "word ".repeat(14).strip() + " word\n      "
                        + "word ".repeat(5).strip() + "\n");
    }

    @Test
    void keepsCharactersOutsideOfAscii() {
        ApiServerEndpoint apiServer = new ApiServerEndpoint("https://näme.example.org", new TreeMap<>());

        assertThat(apiServer.bootstrapKubeconfig(new Sensitive("töken")))
                .contains("server: https://näme.example.org\n")
                .endsWith("token: töken\n");
    }

    @Test
    void refusesAServerThatYamlCannotCarry() {
        String clusterInfo = "{\"clusters\": [{\"name\": \"\", \"cluster\": {\"server\": \"https://a\\x7F\"}}]}";

        assertThatExceptionOfType(TenantMistake.class)
                .isThrownBy(
                        () -> ApiServerDiscovery.find(new ApiServerDiscovery.Sources(clusterInfo, List.of(), ""), ""))
                .withMessageContaining("clusters[0].cluster")
                .withMessageContaining("cannot be written as YAML");
    }

    @Test
    void refusesAnOverridingServerThatYamlCannotCarry() {
        String clusterInfo = "{\"clusters\": [{\"name\": \"\", \"cluster\": {\"server\": \"https://a\"}}]}";

        assertThatExceptionOfType(TenantMistake.class)
                .isThrownBy(() -> ApiServerDiscovery.find(
                        new ApiServerDiscovery.Sources(clusterInfo, List.of(), ""), "https://b\u007F"))
                .withMessageContaining("provisioning.bootstrap.apiServerURL")
                .withMessageContaining("cannot be written as YAML");
    }

    private static String textWith(String token) {
        return new ApiServerEndpoint(SERVER, new TreeMap<>()).bootstrapKubeconfig(new Sensitive(token));
    }
}

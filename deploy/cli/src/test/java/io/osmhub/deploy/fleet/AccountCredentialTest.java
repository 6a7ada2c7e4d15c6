package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The account of {@code hub login}. */
final class AccountCredentialTest {
    @Test
    void itsRoleIsTheViewerOfTheChart() throws IOException {
        ObjectMapper yaml = new ObjectMapper(new YAMLFactory());
        Path roles = Path.of(System.getProperty("osmhub.root", "../.."), "deploy/packaging/manifests/roles.yaml");
        JsonNode viewer = yaml.readTree(roles.toFile());

        assertThat(viewer.at("/metadata/name").asText()).isEqualTo("osmhub.io:viewer");
        assertThat(yaml.readTree(AccountCredential.ROLE).path("rules")).isEqualTo(viewer.path("rules"));
    }
}

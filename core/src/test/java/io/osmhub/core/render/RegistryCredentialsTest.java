package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.RegistryCredentials.Credential;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryCredentialsTest {
    private static final String DOCKER = "kubernetes.io/dockerconfigjson";

    private static RegistryCredentials read(@Nullable String type, Map<String, String> data) {
        return RegistryCredentials.read("ns/s", type, data);
    }

    @Test
    void readsADockerConfigurationByTheHostsOfItsNames() {
        RegistryCredentials read = read(
                DOCKER,
                Map.of(
                        ".dockerconfigjson",
                        "{\"auths\":{\"https://index.docker.io/v1/\":{\"username\":\"u\",\"Password\":\"p\"},\"reg:5000\":{\"auth\":\"a\"},\"x/y\":{\"identitytoken\":\"i\",\"email\":5}}}"));

        assertThat(read.byRegistry())
                .containsOnly(
                        Map.entry("index.docker.io", new Credential("u", "p", "", "")),
                        Map.entry("reg:5000", new Credential("", "", "a", "")),
                        Map.entry("x/y", new Credential("", "", "", "i")));
    }

    @Test
    void readsOneRegistryForEachKeyOfAnyOtherSecret() {
        assertThat(read("Opaque", Map.of("quay.io", "{\"username\":\"u\"}", "empty", "null"))
                        .byRegistry())
                .containsOnly(
                        Map.entry("quay.io", new Credential("u", "", "", "")),
                        Map.entry("empty", new Credential("", "", "", "")));
        assertThat(read(null, Map.of()).byRegistry()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[]", "{\"auths\":[]}", "{\"auths\":{\"r\":5}}", "{\"auths\":{\"r\":{\"username\":5}}}"
            })
    void refusesWhatIsNoConfiguration(String json) {
        assertThatThrownBy(() -> read(DOCKER, Map.of(".dockerconfigjson", json)))
                .isInstanceOf(TenantMistake.class)
                .hasMessageStartingWith("Secret ns/s, key .dockerconfigjson");
    }

    @Test
    void showsAndStoresNoValue() {
        RegistryCredentials read = read("Opaque", Map.of("r", "{\"username\":\"Hunter2\",\"auth\":\"Hunter2\"}"));

        assertThat(read.toString() + read.redacted().byRegistry()).doesNotContain("Hunter2");
        assertThat(read.redacted().byRegistry().get("r"))
                .isEqualTo(
                        new Credential("<redacted:registry-credentials>", "", "<redacted:registry-credentials>", ""));
    }
}

package io.osmhub.core.userdata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.corpus.UnsupportedCases;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pipeline cases, from the expected OSC on: both payloads byte for byte, or a refusal of the same cause. */
class UserDataCorpusTest {
    /** Cases whose payload is broken or holds other values than the OSC; CompatibilityTest says what is written instead. */
    private static final List<String> REPAIRED = List.of(
            "defect-cloud-init-control-characters",
            "defect-cloud-init-leading-spaces",
            "defect-cloud-init-line-separators",
            "defect-ignition-leading-space-lost",
            "defect-rhel-aws-subscription-password",
            "defect-ubuntu-hetzner-ssh-key-quote");

    static Stream<String> bootstrapCases() {
        return cases("bootstrap.txt");
    }

    static Stream<String> provisioningCases() {
        return cases("provisioning.txt");
    }

    static Stream<String> cloudInitCases() {
        return OscFixture.names().stream()
                .filter(name -> OscFixture.named(name).input(true).utility().equals("cloud-init"));
    }

    private static Stream<String> cases(String payload) {
        return OscFixture.names().stream()
                .filter(name -> OscFixture.named(name).has(payload))
                // The payloads of that case lay there before and are kept.
                .filter(name -> !name.equals("existing-secrets-without-osc") && !REPAIRED.contains(name));
    }

    @ParameterizedTest
    @MethodSource("bootstrapCases")
    void makesTheBootstrapDocument(String name) {
        OscFixture fixture = OscFixture.named(name);

        assertThat(UserDataGenerator.generateDocument(fixture.input(true))).isEqualTo(fixture.read("bootstrap.txt"));
    }

    @ParameterizedTest
    @MethodSource("provisioningCases")
    void makesTheProvisioningDocument(String name) {
        OscFixture fixture = OscFixture.named(name);

        assertThat(UserDataGenerator.generateDocument(fixture.input(false)))
                .isEqualTo(fixture.read("provisioning.txt"));
    }

    static Stream<String> refusedCases() {
        return OscFixture.names().stream()
                .filter(name -> UnsupportedCases.difference(name) == null)
                .filter(name -> OscFixture.named(name).has("error.txt")
                        && OscFixture.named(name).read("error.txt").contains("config secret"));
    }

    @ParameterizedTest
    @MethodSource("refusedCases")
    void refusesForTheSameCause(String name) {
        OscFixture fixture = OscFixture.named(name);
        String error = fixture.read("error.txt");
        String cause = error.substring(error.lastIndexOf('\n')).strip();

        assertThatThrownBy(() -> UserDataGenerator.generateDocument(fixture.input(error.contains("bootstrapping"))))
                .isInstanceOf(TenantMistake.class)
                .hasMessageContaining(cause);
    }
}

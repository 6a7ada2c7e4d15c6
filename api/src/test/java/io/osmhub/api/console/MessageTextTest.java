package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class MessageTextTest {
    private static ReplyTree problem(String headline, String field) {
        return new ReplyTree(Map.of("headline", headline, "field", field, "reason", "UserDataTooLarge"));
    }

    @Test
    void theEffectOnNewNodesIsExact() {
        assertThat(MessageText.effects(3, 0, 0, 0)).isEqualTo("All 3 MachineDeployments start nodes");
        assertThat(MessageText.effects(1, 0, 0, 1))
                .isEqualTo("The only MachineDeployment starts nodes, but is at risk");
        assertThat(MessageText.effects(3, 0, 2, 0)).isEqualTo("All 3 MachineDeployments start nodes, 2 outdated");
        assertThat(MessageText.effects(3, 0, 1, 1))
                .isEqualTo("All 3 MachineDeployments start nodes, 2 outdated or at risk");
    }

    @Test
    void theExactCauseNamesItsFieldOnce() {
        assertThat(MessageText.exact(
                        problem("Function \"toYamll\" not defined", "spec.bootstrapConfig.files[2] (/etc/x) line 1:4")))
                .isEqualTo("spec.bootstrapConfig.files[2] (/etc/x) line 1:4: Function \"toYamll\" not defined");
        assertThat(MessageText.exact(problem("spec.replicas: not set", "spec.replicas")))
                .isEqualTo("spec.replicas: not set");
        assertThat(MessageText.exact(problem("No connection", ""))).isEqualTo("No connection");
    }

    @Test
    void aProblemWithoutAHeadlineHasItsReason() {
        assertThat(MessageText.headline(problem("", ""))).isEqualTo("User data too large");
        assertThat(MessageText.exact(problem("", ""))).isEqualTo("User data too large");
    }

    @Test
    void aClauseBecomesASentenceOnce() {
        assertThat(MessageText.sentence("set it again")).isEqualTo("Set it again.");
        assertThat(MessageText.sentence("did you mean \"toYaml\"?")).isEqualTo("Did you mean \"toYaml\"?");
        assertThat(MessageText.sentence("")).isEmpty();
    }

    @Test
    void oneOfAThingIsNotToldAsMany() {
        assertThat(MessageText.start(1)).isEqualTo("The only MachineDeployment starts nodes");
        assertThat(MessageText.start(3_647)).isEqualTo("All 3,647 MachineDeployments start nodes");
        assertThat(MessageText.verb(1, "is", "are")).isEqualTo("1 is");
        assertThat(MessageText.verb(0, "is", "are")).isEqualTo("0 are");
    }

    @Test
    void aSmallShareIsNotNothing() {
        assertThat(NumberFormats.share(3_575, 1_048_576)).isEqualTo("< 1 %");
        assertThat(NumberFormats.share(0, 1_048_576)).isEqualTo("0 %");
        assertThat(NumberFormats.share(32_688, 16_384)).isEqualTo("200 %");
    }
}

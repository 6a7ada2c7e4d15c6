package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for the command line as a whole. */
final class HubCommandTest {
    @Test
    void aloneListsTheVerbs() {
        CommandRun run = CommandRun.of();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("Verbs:", "  render ", "  explain ", "  completion ")
                .doesNotContain("warm-up");
    }

    @Test
    void suggestsTheVerbThatWasMeant() {
        CommandRun run = CommandRun.of("rendr");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).isEqualTo("hub: unknown verb or argument rendr; did you mean render?\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completesVerbsAndOptionsInEveryShell(String shell) {
        CommandRun run = CommandRun.of("completion", shell);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("render", "machine-deployment", "explain");
    }

    @Test
    void theRunForTheStartUpCacheRendersTheExamples() {
        CommandRun run = CommandRun.of("warm-up");

        assertThat(run.exitCode()).as("the last rendering").isZero();
        assertThat(run.out()).isEmpty();
    }
}

package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigCommandTest {
    private static final String HEAD = "apiVersion: config.osmhub.io/v1alpha1\nkind: HubConfiguration\n";

    @TempDir
    private Path folder;

    private String file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("hub.yaml"), HEAD + yaml).toString();
    }

    @Test
    void saysThatNothingIsWrong() throws IOException {
        String file = file("log: {level: debug}\n");

        CommandRun run = CommandRun.of("config", "check", file);

        assertThat(run).isEqualTo(new CommandRun(ExitCode.OK, file + ": valid\n", ""));
    }

    @Test
    void saysAllThatIsWrongAndEndsWithTheCodeForUnusableInput() throws IOException {
        CommandRun run = CommandRun.of(
                "config", "check", "--config", file("log: {level: loud}\nmetric: {}\n"), "--set", "audit.log=perhaps");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().replace(folder + "/", "").lines().map(line -> line.replaceAll(" {2,}", "  ")))
                .containsExactly(
                        "hub: 3 errors in the configuration",
                        "  hub.yaml  log.level  \"loud\" is not supported; it must be one of error, warn, info, debug",
                        "  hub.yaml  metric  unknown key; did you mean metrics?",
                        "  --set  audit.log  must be true or false, not the text \"perhaps\"",
                        "For help: docs/reference/configuration.md, audit.log");
    }

    @Test
    void printsTheEffectiveConfigurationWithSources() throws IOException {
        CommandRun run = CommandRun.of(
                "config",
                "print",
                "--config",
                file("log: {level: debug}\n"),
                "--metrics-address",
                ":9090",
                "-n",
                "hub");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out().replace(folder + "/", "").lines().map(line -> line.replaceAll(" {2,}#", " #")))
                .contains(
                        "  level: debug # hub.yaml",
                        "  address: \":9090\" # --metrics-address",
                        "  namespace: hub # --namespace",
                        "  format: json # built-in");
    }
}

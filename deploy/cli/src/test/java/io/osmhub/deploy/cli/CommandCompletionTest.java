package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Completion without a hub; FleetVerbsTest has that of names. */
final class CommandCompletionTest {
    private static String complete(String... words) {
        String[] arguments = new String[words.length + 1];
        arguments[0] = "__complete";
        System.arraycopy(words, 0, arguments, 1, words.length);
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        return run.out();
    }

    @Test
    void verbsAreCompletedWithTheirDescriptionAndWithoutHiddenOnes() {
        assertThat(complete("des"))
                .isEqualTo("describe\tShow one object with its conditions, sizes, problems and recent events.\n:4\n");
        assertThat(complete("")).contains("\nget\t", "\ncluster\t").doesNotContain("warm-up", "__complete");
        assertThat(complete("cluster", "pau")).startsWith("pause\t").endsWith("\n:4\n");
        assertThat(complete("help", "wa")).startsWith("wait\t");
    }

    @Test
    void optionsAndTheirValuesAreCompleted() {
        assertThat(complete("get", "mds", "--sort").lines().map(line -> line.replaceFirst("\t.*", "")))
                .containsExactly("--sort", "--sort-by", ":4");
        assertThat(complete("get", "-o", "js")).isEqualTo("json\njsonpath=\n:6\n");
        assertThat(complete("get", "--output=na")).isEqualTo("--output=name\n:4\n");
        assertThat(complete("lint", "--fail-on", "")).isEqualTo("warning\nerror\n:4\n");
        assertThat(complete("get", "")).isEqualTo("clusters\nosps\noscs\nmds\nproblems\n:4\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "get mds --field-selector|p|profile= :6",
                "get md/kube-system/a --field-selector|newNodes=Out|newNodes=Outdated :4",
                "cluster list|--field-selector=state=Synced,st|--field-selector=state=Synced,state= :6",
                "get clusters --field-selector|state=Synced,state=Un|state=Synced,state=Unreachable state=Synced,state=Unauthorized :4",
                "get problems --field-selector|state=|state=Open state=Resolved :4",
                "get osps --field-selector|valid=|valid=True valid=False valid=Unknown :4",
                "get --field-selector|st|:4",
                "get no-such-kind --field-selector|st|:4",
                "wait mds|--for=|--for=condition= --for=jsonpath= :6",
                "wait --for|condition=Ready=F|condition=Ready=False :4",
                "wait mds --for|jsonpath={.newNodes}=B|jsonpath={.newNodes}=Blocked :4",
                "wait mds --for|jsonpath=.newNodes=B|jsonpath=.newNodes=Blocked :4",
            })
    void fieldsAndConditionsAreCompletedWithTheirValues(String words, String last, String candidates) {
        assertThat(complete((words + " " + last).split(" "))).isEqualTo(candidates.replace(' ', '\n') + "\n");
    }

    @Test
    void contextsAreCompletedFromTheKubeconfig(@TempDir Path folder) throws IOException {
        String file = Files.writeString(
                        folder.resolve("kubeconfig"), "contexts: [{name: one, context: {}}, {name: two, context: {}}]")
                .toString();

        assertThat(complete("get", "mds", "--kubeconfig", file, "--context", ""))
                .isEqualTo("one\ntwo\n:4\n");
        assertThat(complete("cluster", "add", "--management-kubeconfig", file, "--kubeconfig", "w.yaml", "--context=t"))
                .isEqualTo("--context=two\n:4\n");
        assertThat(complete("install", "crds", "--kubeconfig", file + ".missing", "--context", ""))
                .isEqualTo(":4\n");
    }

    @ParameterizedTest
    @CsvSource({
        "get --kubeconfig, :0", "render --osp, :0", "lint, :0",
        "get --as, :4", "cluster pause, :4", "no-such-verb, :4"
    })
    void filesAreOnlyOfferedWhereAFileIsExpected(String words, String directives) {
        assertThat(complete((words + " ").split(" ", -1))).isEqualTo(directives + "\n");
    }

    @Test
    void theVerbsOfThePluginAreCompletedForKubectl() {
        CommandRun run = CommandRun.of("kubectl-osmhub", "__complete", "");

        assertThat(run.out())
                .contains("get\t", "why\t")
                .doesNotContain("doctor", "install")
                .endsWith("\n:4\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void thereIsAScriptForEachShell(String shell) {
        CommandRun run = CommandRun.of("completion", shell);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("__complete").doesNotContain("\r");
    }

    /** Runs the script for bash with a program that prints {@code candidates}; returns what it offers, and the arguments. */
    private static String bash(Path folder, String line, String candidates) throws IOException, InterruptedException {
        Path hub = Files.writeString(
                folder.resolve("hub"),
                "#!/bin/sh\nprintf '[%s]' \"$@\" >'" + folder + "/arguments'\nprintf %b '" + candidates + "'\n");
        assertThat(hub.toFile().setExecutable(true)).isTrue();
        Path script = Files.writeString(
                folder.resolve("script"), CommandRun.of("completion", "bash").out() + """
                        compopt() { echo "$*"; }
                        COMP_LINE=$1 COMP_POINT=${#1}
                        _hub
                        printf '%s\\n' "${COMPREPLY[@]}"
                        cat "$2"
                        """);
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        script.toString(),
                        line,
                        folder.resolve("arguments").toString())
                .redirectErrorStream(true);
        builder.environment().merge("PATH", folder.toString(), (path, added) -> added + ":" + path);
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return printed;
    }

    @Test
    void bashOffersTheCandidatesOfTheProgram(@TempDir Path folder) throws Exception {
        assertThat(bash(folder, "hub get mds ", "kube-system/a\\tdescribed\\nkube-system/b\\n:4\\n"))
                .isEqualTo("kube-system/a\nkube-system/b\n[__complete][get][mds][]");
        assertThat(bash(folder, "hub get mds --output=js", "--output=json\\n--output=jsonpath=\\n:6\\n"))
                .as("bash replaces only the text after the equals sign")
                .isEqualTo("-o nospace\njson\njsonpath=\n[__complete][get][mds][--output=js]");
        assertThat(bash(
                        folder,
                        "hub wait mds --for=jsonpath={.newNodes}=",
                        "--for=jsonpath={.newNodes}=Current\\n--for=jsonpath={.newNodes}=Blocked\\n:4\\n"))
                .isEqualTo("Current\nBlocked\n[__complete][wait][mds][--for=jsonpath={.newNodes}=]");
        assertThat(bash(folder, "hub lint ", ":0\\n")).isEqualTo("-o default\n\n[__complete][lint][]");
    }
}

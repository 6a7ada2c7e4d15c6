package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.TenantMistake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the script with pretended curl, cloud-init, systemctl and sleep, each of which notes how it was called. */
class EdgeScriptTest {
    private static final String TOKEN = "fetch-\"q\\s{{x}}";
    private static final String CA = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    private static final String SECRET = "edge-workers-kube-system-bootstrap-config";
    private static final String DOCUMENT = "#cloud-config\nhostname: edge\n";
    private static final EdgeScript SCRIPT =
            new EdgeScript("https://api.example.org:6443/", new Sensitive(TOKEN), SECRET, CA);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    private record Run(int status, String output, List<String> calls) {}

    @BeforeEach
    void pretendTools() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "skipped: no /bin/sh");
        tool("curl", """
                left=$(cat "$NOTES/failures" 2>/dev/null || echo 0)
                cp curl.conf "$NOTES/curl.conf"
                cp ca.crt "$NOTES/ca.crt" 2>/dev/null
                if [ "$left" -gt 0 ]; then echo $((left - 1)) >"$NOTES/failures"; echo "curl: (22) 404" >&2; exit 22; fi
                cat "$NOTES/answer"
                """);
        tool("cloud-init", """
                case $1 in --version) cat "$NOTES/version"; exit 0 ;; esac
                case $2 in --help) cat "$NOTES/help"; exit 0 ;; esac
                exit $(cat "$NOTES/cloud-init-status" 2>/dev/null || echo 0)
                """);
        tool("systemctl", "");
        tool("sleep", "");
        answer(DOCUMENT);
        note("version", "/usr/bin/cloud-init 24.1.3-0ubuntu1\n");
    }

    private void tool(String name, String body) throws IOException {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Path tool = tools.resolve(name);
        Files.writeString(tool, "#!/bin/sh\necho \"" + name + " $*\" >>\"$NOTES/calls\"\n" + body);
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void note(String name, String text) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("notes")).resolve(name), text);
    }

    private void answer(String document) throws IOException {
        String value = Base64.getEncoder().encodeToString(document.getBytes(UTF_8));
        note("answer", """
                {
                  "kind": "Secret",
                  "metadata": {
                    "annotations": {"last": "{\\"data\\":{\\"cloud-config\\":\\"AAAA\\"}}"},
                    "managedFields": [{"fieldsV1": {"f:data": {"f:cloud-config": {}}}}]
                  },
                  "data": {
                    "cloud-config": "%s"
                  },
                  "type": "Opaque"
                }
                """.formatted(value));
    }

    private Run run(String shell, EdgeScript script) throws IOException, InterruptedException {
        Path file = folder.resolve("script");
        Files.writeString(file, script.text());
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(shell, file.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("PATH", folder.resolve("tools") + ":/usr/bin:/bin");
        builder.environment().put("NOTES", folder.resolve("notes").toString());
        builder.environment().put("OSM_HUB_ROOT", folder.resolve("root").toString());
        builder.environment().put("OSM_HUB_ATTEMPTS", "5");
        builder.environment()
                .put("TMPDIR", Files.createDirectories(folder.resolve("tmp")).toString());
        Process process = builder.start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        Path calls = folder.resolve("notes/calls");
        List<String> called = Files.exists(calls) ? Files.readAllLines(calls) : List.of();
        return new Run(process.exitValue(), Files.readString(output), new ArrayList<>(called));
    }

    private Path target() {
        return folder.resolve("root/etc/cloud/cloud.cfg.d/" + SECRET + ".cfg");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/bash"})
    void bringsTheDocumentToCloudInitAndStartsTheBootstrapService(String shell) throws Exception {
        assumeTrue(Files.isExecutable(Path.of(shell)), "skipped: no " + shell);

        Run run = run(shell, SCRIPT);

        assertThat(run.output()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(target()).hasContent(DOCUMENT);
        assertThat(run.calls().get(0))
                .startsWith("curl ")
                .endsWith("https://api.example.org:6443/api/v1/namespaces/cloud-init-settings/secrets/" + SECRET)
                .doesNotContain("--insecure", " -k");
        assertThat(run.calls().subList(1, run.calls().size()))
                .containsExactly(
                        "cloud-init --version",
                        "cloud-init init --file " + target(),
                        "systemctl daemon-reload",
                        "systemctl enable bootstrap.service",
                        "systemctl restart bootstrap.service");
    }

    @Test
    void verifiesTheServerByTheClustersCa() throws Exception {
        run("/bin/sh", SCRIPT);

        assertThat(folder.resolve("notes/curl.conf")).content().contains("cacert = \"ca.crt\"");
        assertThat(folder.resolve("notes/ca.crt")).hasContent(CA);
    }

    @Test
    void keepsTheTokenToItself() throws Exception {
        note("failures", "2");

        Run run = run("/bin/sh", SCRIPT);

        assertThat(folder.resolve("notes/curl.conf"))
                .content()
                .contains("header = \"Authorization: Bearer fetch-\\\"q\\\\s{{x}}\"");
        assertThat(run.output() + run.calls()).doesNotContain("fetch-");
        assertThat(folder.resolve("tmp")).isEmptyDirectory();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target())))
                .isEqualTo("rw-------");
    }

    @Test
    void triesAgainWithGrowingPauses() throws Exception {
        note("failures", "3");

        Run run = run("/bin/sh", SCRIPT);

        assertThat(run.status()).isZero();
        List<Integer> pauses = run.calls().stream()
                .filter(call -> call.startsWith("sleep "))
                .map(call -> Integer.valueOf(call.substring(6)))
                .toList();
        assertThat(pauses).hasSize(3);
        assertThat(pauses.get(0)).isBetween(1, 2);
        assertThat(pauses.get(1)).isBetween(2, 4);
        assertThat(pauses.get(2)).isBetween(4, 8);
    }

    @Test
    void givesUpInTheEndAndSaysWhatToLookAt() throws Exception {
        note("failures", "99");

        Run run = run("/bin/sh", SCRIPT);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output())
                .contains(
                        "curl: (22) 404",
                        "no configuration after 5 attempts; is https://api.example.org:6443 reachable");
        assertThat(target()).doesNotExist();
        assertThat(run.calls()).noneMatch(call -> call.startsWith("cloud-init") || call.startsWith("systemctl"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"data\":{\"cloud-config\":\"\"}}",
                "{\"data\":{\"cloud-config\":\"b29wcw==\"}}",
                "<html>",
                ""
            })
    void usesNoAnswerWithoutADocument(String answer) throws Exception {
        note("answer", answer);

        Run run = run("/bin/sh", SCRIPT);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output()).contains("the secret has no cloud-config document");
        assertThat(target()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "/usr/bin/cloud-init 23.4.4-0ubuntu0~22.04.1, false",
        "/usr/bin/cloud-init 24.0, false",
        "cloud-init 24.1, true",
        "/usr/bin/cloud-init 25.1.4-0ubuntu0~24.04.1, true",
        "/usr/bin/cloud-init 9.1, false",
        "unknown --file, true",
        "unknown, false"
    })
    void knowsBothOrdersOfCloudInitsArguments(String version, boolean fileFollows) throws Exception {
        note("version", version.startsWith("unknown") ? "none\n" : version + "\n");
        note("help", version + "\n");

        Run run = run("/bin/sh", SCRIPT);

        assertThat(run.calls())
                .contains(
                        fileFollows ? "cloud-init init --file " + target() : "cloud-init --file " + target() + " init");
    }

    @Test
    void mayBeRunAgain() throws Exception {
        run("/bin/sh", SCRIPT);
        answer(DOCUMENT + "# newer\n");

        Run again = run("/bin/sh", SCRIPT);

        assertThat(again.status()).isZero();
        assertThat(target()).hasContent(DOCUMENT + "# newer\n");
        assertThat(target().resolveSibling(SECRET + ".cfg.new")).doesNotExist();
    }

    @Test
    void startsTheServiceEvenIfAModuleOfCloudInitFails() throws Exception {
        note("cloud-init-status", "1");

        Run run = run("/bin/sh", SCRIPT);

        assertThat(run.status()).isZero();
        assertThat(run.output()).contains("cloud-init ended with status 1");
        assertThat(run.calls()).contains("systemctl restart bootstrap.service");
    }

    @Test
    void trustsWhatTheMachineTrustsWhenThereIsNoCa() throws Exception {
        Run run = run("/bin/sh", new EdgeScript("https://api.example.org", new Sensitive("t"), SECRET, " \n"));

        assertThat(run.status()).isZero();
        assertThat(folder.resolve("notes/curl.conf")).content().doesNotContain("cacert =");
    }

    @Test
    void refusesWhatCannotStandInAScript() {
        assertThatThrownBy(() -> new EdgeScript("http://api", new Sensitive("t"), SECRET, CA).text())
                .isInstanceOf(TenantMistake.class);
        assertThatThrownBy(() -> new EdgeScript("https://a'b", new Sensitive("t"), SECRET, CA).text())
                .isInstanceOf(TenantMistake.class);
        assertThatThrownBy(() -> new EdgeScript("https://a", new Sensitive("t\nu"), SECRET, CA).text())
                .isInstanceOf(TenantMistake.class);
        assertThatThrownBy(() -> new EdgeScript("https://a", new Sensitive("t"), SECRET, "rubbish").text())
                .isInstanceOf(TenantMistake.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh -n", "/bin/bash -n", "/usr/bin/shellcheck"})
    void pleasesTheCheckers(String checker) throws Exception {
        List<String> command = new ArrayList<>(List.of(checker.split(" ", -1)));
        assumeTrue(Files.isExecutable(Path.of(command.get(0))), "skipped: no " + command.get(0));
        Path file = folder.resolve("script");
        Files.writeString(file, SCRIPT.text());
        command.add(file.toString());

        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEmpty();
        assertThat(process.waitFor()).isZero();
    }
}

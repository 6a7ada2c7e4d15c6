package io.osmhub.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GoldenCommandTest {
    private static final String MACHINE_DEPLOYMENT = """
            apiVersion: cluster.k8s.io/v1alpha1
            kind: MachineDeployment
            metadata: {name: workers, namespace: kube-system}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    private Path cases() {
        return folder.resolve("cases");
    }

    @BeforeEach
    void writeCases() throws IOException {
        write("right/case.yaml", "flags: {cluster-dns: 10.0.0.300}\n");
        write("right/machinedeployment.yaml", MACHINE_DEPLOYMENT);
        write("right/error.txt", "invalid cluster dns specified: unable to parse ip 10.0.0.300");
        write("wrong/case.yaml", "flags: {container-runtime: docker}\n");
        write("wrong/machinedeployment.yaml", MACHINE_DEPLOYMENT);
        write("wrong/error.txt", "invalid cluster dns specified: unable to parse ip docker");
        write("defect-wrong/case.yaml", "flags: {container-runtime: docker}\n");
        write("defect-wrong/machinedeployment.yaml", MACHINE_DEPLOYMENT);
        write("defect-wrong/error.txt", "invalid cluster dns specified: unable to parse ip docker");
        write("strange/case.yaml", "colour: green\n");
        write("strange/machinedeployment.yaml", MACHINE_DEPLOYMENT);
        write("half/machinedeployment.yaml", MACHINE_DEPLOYMENT);
        write("osps/unused.yaml", "{}\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = cases().resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private record Run(int exitCode, String output, String complaint) {}

    private static Run golden(Object... arguments) {
        List<String> words = new ArrayList<>(List.of("golden"));
        for (Object argument : arguments) {
            words.add(argument.toString());
        }
        PrintStream before = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        StringWriter complaint = new StringWriter();
        System.setOut(new PrintStream(output, true, UTF_8));
        try {
            int exitCode =
                    Workbench.commandLine().setErr(new PrintWriter(complaint)).execute(words.toArray(String[]::new));
            return new Run(exitCode, output.toString(UTF_8), complaint.toString());
        } finally {
            System.setOut(before);
        }
    }

    @Test
    void saysForEachCaseWhatIsNotAsWantedAndCounts() {
        Run run = golden("--cases", cases());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output())
                .contains("FAILED  wrong", "differs defect-wrong", "FAILED  half", "case.yaml: no such file")
                .contains("FAILED  strange", "case.yaml: unknown field colour")
                .endsWith("1 passed, 3 failed\n")
                .doesNotContain("osps");
    }

    @Test
    void runsASingleCase() {
        Run run = golden("--cases", cases().resolve("right"));

        assertThat(run.output()).isEqualTo("1 passed, 0 failed\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void writesTheResultsOfWhatItUnderstands() throws IOException {
        Path out = folder.resolve("out");
        Files.createDirectories(out.resolve("right"));
        Files.writeString(out.resolve("right/osc.yaml"), "of an earlier run");

        Run run = golden("--cases", cases(), "--out", out);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("0 rendered, 3 refused, 2 failed");
        assertThat(out.resolve("right/error.txt"))
                .content()
                .contains("10.0.0.300")
                .doesNotEndWith("\n");
        assertThat(out.resolve("right/osc.yaml")).doesNotExist();
        assertThat(out.resolve("strange")).doesNotExist();
    }

    @Test
    void doesNotOverwriteTheCases() {
        Run run = golden("--cases", cases(), "--out", cases());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.complaint()).contains("would overwrite the cases");
        assertThat(cases().resolve("right/error.txt")).exists();
    }

    @Test
    void runsEachLineForItself() throws IOException {
        write("templates.jsonl", """
                {"id":"a","template":"{{ add 1 2 }}","data":null,"want":"3"}
                {"id":"b","template":"{{ add 1 2 }}","data":null,"want":"4"}
                not a case
                {"id":"d","template":"{{ nope }}","data":null,"error":{"class":"parse","text":"another wording"}}
                {"id":"e","template":"{{ . }}","data":{"$new":1},"want":""}
                """);

        Run run = golden("--gotemplate", cases().resolve("templates.jsonl"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output())
                .contains("FAILED  b", "FAILED  line 3", "unknown form $new")
                .endsWith("2 passed, 3 failed\n");
    }

    @Test
    void writesLinesWithOurResultsAndTheRestAsItWas() throws IOException {
        write("yaml.jsonl", """
                {"id":"a","value":{"b":1e3,"a":"<x>"},"yaml_v3":"wrong","sigs_yaml":{"error":"wrong"}}
                {"id":"b","value":{"$int":7}}
                """);
        Path out = folder.resolve("out/yaml.jsonl");

        Run run = golden("--goyaml", cases().resolve("yaml.jsonl"), "--out", out);

        assertThat(run.exitCode()).isZero();
        assertThat(out).hasContent("""
                {"id":"a","value":{"b":1e3,"a":"<x>"},"yaml_v3":"a: <x>\\nb: 1000\\n","sigs_yaml":"a: <x>\\nb: 1000\\n"}
                {"id":"b","value":{"$int":7},"yaml_v3":"7\\n"}
                """);
    }
}

package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of the demo with the real hub: what a key prints is what its users find. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DemoActionsTest {
    @TempDir
    private static Path folder;

    private LiveDemo demo;

    @BeforeAll
    void start() throws Exception {
        demo = LiveDemo.start(folder);
    }

    @AfterAll
    void stop() {
        demo.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "m | ProfileNotFound              | k8c.io/operating-system-profile=osp-ubuntu",
                "t | TemplateSyntaxError          | did you mean \"upper\"",
                "p | ProfileCloudProviderMismatch | openstack",
                "c | CredentialsRejected          | hub cluster rotate",
                "b | WorkerClusterUnreachable     | 127.0.0.1"
            })
    void aKeyPrintsWhereItsFaultIsExplainedAndHealsIt(char key, String reason, String fix) throws Exception {
        List<String> printed = demo.pressKey(key);

        String command = after("run ", printed).replace("./hub ", "");
        String page = after("open ", printed);
        assertThat(after("Both show ", printed)).startsWith(reason);
        assertThat(printed)
                .filteredOn(line -> !line.startsWith("open "))
                .allSatisfy(line -> assertThat("100.0 s  " + line).hasSizeLessThanOrEqualTo(80));
        LiveApi.awaitTrue(() -> demo.runHub(command).contains(reason));
        assertThat(demo.runHub(command)).contains(fix);
        LiveApi.awaitTrue(() -> readBy(page).contains(reason));

        assertThat(demo.pressKey(key)).hasSize(1);
        LiveApi.awaitTrue(() -> demo.runHub(command).startsWith("Current:"));
    }

    private static String after(String label, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line \"" + label + "\": " + lines));
    }

    /** What the page of a MachineDeployment or worker cluster reads of its problem. */
    private String readBy(String page) throws Exception {
        String[] path = URI.create(page).getPath().split("/");
        String read = path[1].equals("tenants")
                ? "/namespaces/%s/machine-deployments/%s/%s/why".formatted(path[2], path[4], path[5])
                : "/problems?state=Open&namespace=" + path[2];
        return demo.api().get(read, demo.api().admin()).body();
    }
}

package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/hub} of the distribution, with a program in place of Java that logs its arguments. */
final class LauncherTest {
    private static final String JAVA = """
            #!/bin/sh
            for argument; do case $argument in -XX:AOTCacheOutput=*)
                i=0; while [ -e "${HOLD:-}" ] && [ $i != 600 ]; do i=$((i + 1)); sleep 0.05; done
                : >"${argument#*=}" ;;
            esac; done
            printf '%s\\n' "${MALLOC_ARENA_MAX:+$MALLOC_ARENA_MAX arenas }$*" >>"$LOG"
            """;

    @TempDir
    private Path folder;

    private Path caches = Path.of("");
    private Path log = Path.of("");

    @BeforeEach
    void install() throws IOException {
        caches = folder.resolve("the caches");
        log = folder.resolve("log");
        Path home = folder.resolve("home");
        Files.createDirectories(home.resolve("lib"));
        Files.createFile(home.resolve("lib/cli-1.0.0.jar"));
        Files.createDirectories(home.resolve("runtime/bin"));
        Files.writeString(home.resolve("runtime/release"), "JAVA_VERSION=\"25\"\n");
        program(home.resolve("runtime/bin/java"), JAVA);
        Path launcher = Path.of(System.getProperty("osmhub.root"), "deploy/packaging/image/bin/hub");
        Files.createDirectories(home.resolve("bin"));
        program(home.resolve("bin/hub"), Files.readString(launcher));
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Runs the hub, and returns its arguments of Java. Asserts that it prints nothing. */
    private String hub(String arguments, Map<String, String> environment) throws Exception {
        Files.deleteIfExists(log);
        run(folder.resolve("home/bin/hub") + " " + arguments, environment);
        return lines().filter(line -> !line.contains("warm-up")).findFirst().orElseThrow();
    }

    private void run(String script, Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true);
        builder.environment().putAll(Map.of("LOG", log.toString(), "OSM_HUB_CACHE_DIR", caches.toString()));
        builder.environment().keySet().removeAll(List.of("JAVA_OPTS", "MALLOC_ARENA_MAX"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(printed).isEmpty();
        assertThat(process.exitValue()).isZero();
    }

    private Stream<String> lines() throws IOException {
        return Files.readAllLines(log).stream();
    }

    private void awaitCache() throws Exception {
        run(
                "i=0; until ls '" + caches
                        + "'/*.aot >/dev/null 2>&1 || [ $i = 600 ]; do i=$((i + 1)); sleep 0.05; done",
                Map.of());
        awaitEndOfRecordings();
    }

    /** Recordings go on in the background, and would write to a folder that is being deleted. Some tests leave a folder that none ends. */
    @AfterEach
    void awaitEndOfRecordings() throws Exception {
        run(
                "i=0; while ls -d '" + caches
                        + "'/*.new >/dev/null 2>&1 && [ $i != 100 ]; do i=$((i + 1)); sleep 0.05; done",
                Map.of());
    }

    private List<String> recordings() throws IOException {
        try (Stream<Path> files = Files.exists(caches) ? Files.list(caches) : Stream.empty()) {
            return new ArrayList<>(
                    files.map(file -> file.getFileName().toString()).toList());
        }
    }

    @Test
    void theFirstCommandRecordsTheCacheOfTheNextOnes() throws Exception {
        assertThat(hub("get clusters", Map.of()))
                .doesNotContain("AOTCache")
                .endsWith("io.osmhub.deploy.Main get clusters");

        awaitCache();

        assertThat(lines().filter(line -> line.endsWith("io.osmhub.deploy.Main warm-up --read-only")))
                .hasSize(1);
        assertThat(hub("get clusters", Map.of())).containsPattern("-XX:AOTCache=" + caches + "/read-[0-9-]+\\.aot ");
        assertThat(lines()).as("not recorded again").hasSize(1);
    }

    @Test
    void aCommandWhoseOutputIsReadDoesNotWaitForTheRecording() throws Exception {
        Path hold = Files.createFile(folder.resolve("hold"));

        hub("get clusters", Map.of("HOLD", hold.toString()));

        assertThat(recordings()).allMatch(name -> name.endsWith(".aot.new"));
        Files.delete(hold);
        awaitCache();
    }

    @Test
    void usesARecentJavaAlthoughJavaHomeNamesAnOlderOne() throws Exception {
        Path home = folder.resolve("home");
        Files.move(home.resolve("runtime"), folder.resolve("java-25"));
        Files.createDirectories(folder.resolve("java-17/bin"));
        Files.writeString(folder.resolve("java-17/release"), "JAVA_VERSION=\"17.0.15\"\n");
        program(folder.resolve("java-17/bin/java"), "#!/bin/sh\necho too old\nexit 1\n");

        String arguments = hub(
                "render",
                Map.of(
                        "JAVA_HOME",
                        folder.resolve("java-17").toString(),
                        "PATH",
                        folder.resolve("java-25/bin") + ":" + System.getenv("PATH")));

        assertThat(arguments).endsWith("io.osmhub.deploy.Main render");
    }

    @Test
    void onlyCommandsThatReadFromAServerCompileLess() throws Exception {
        assertThat(hub("why workers", Map.of())).contains("-XX:CompileThresholdScaling=4");
        assertThat(hub("render", Map.of())).doesNotContain("CompileThresholdScaling");
    }

    @Test
    void theLauncherKnowsTheReadOnlyVerbs() throws Exception {
        String launcher = Files.readString(folder.resolve("home/bin/hub"));

        String verbs = launcher.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("get |"))
                .findFirst()
                .orElseThrow();
        assertThat(verbs.substring(0, verbs.length() - 1).split(" \\| "))
                .containsExactlyInAnyOrderElementsOf(HubCommand.READ_ONLY_VERBS);
    }

    @Test
    void anotherJavaHasAnotherCache() throws Exception {
        hub("version", Map.of());
        awaitCache();
        Files.writeString(folder.resolve("home/runtime/release"), "JAVA_VERSION=\"25.0.1\"\n");

        assertThat(hub("version", Map.of())).doesNotContain("AOTCache");
    }

    @Test
    void oneCommandAtATimeRecords() throws Exception {
        hub("version", Map.of());
        awaitCache();
        Path cache = caches.resolve(recordings().getFirst());
        Files.delete(cache);
        Files.createDirectory(caches.resolve(cache.getFileName() + ".new"));

        assertThat(hub("version", Map.of())).doesNotContain("AOTCache");

        assertThat(lines()).hasSize(1);
    }

    @Test
    void withoutAWritableFolderCommandsRunWithoutACache() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        for (String unusable : List.of("", "relative", file + "/caches", "/proc/none")) {
            assertThat(hub("version", Map.of("OSM_HUB_CACHE_DIR", unusable))).doesNotContain("AOTCache");
            assertThat(lines()).hasSize(1);
        }
    }

    @Test
    void servicesRecordNothing() throws Exception {
        assertThat(hub("run", Map.of())).doesNotContain("AOTCache");

        assertThat(lines()).hasSize(1);
        assertThat(recordings()).isEmpty();
    }

    @Test
    void aServiceOfOneClusterHasACacheAndAHeapOfItsOwn() throws Exception {
        Path libraries = folder.resolve("home/lib");
        String fleet = "-XX:AOTCache=" + Files.createFile(libraries.resolve("hub.aot"));
        String oneCluster = "-XX:AOTCache=" + Files.createFile(libraries.resolve("cluster.aot"));

        for (String service : List.of("run", "run --config hub.yaml")) {
            assertThat(hub(service, Map.of()))
                    .contains(fleet, "-XX:MaxNewSize=40m")
                    .doesNotContain("-Xmn");
        }
        for (String service : List.of(
                "run --config hub.yaml --single", "run --single", "run --single=true", "controller", "webhook")) {
            assertThat(hub(service, Map.of()))
                    .startsWith("1 arenas ")
                    .contains(oneCluster, "-Xmn")
                    .doesNotContain("-XX:MaxNewSize");
        }
        assertThat(hub("controller", Map.of("MALLOC_ARENA_MAX", "3"))).startsWith("3 arenas ");
    }
}

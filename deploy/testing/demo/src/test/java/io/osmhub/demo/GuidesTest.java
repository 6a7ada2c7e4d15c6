package io.osmhub.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands of the guides. The words after the language of a code block, which no viewer shows, state who runs it:
 *
 * <pre>
 * sh                     GuidesE2E, on real API servers
 * sh simulator           this class, next to the clusters of ./hub demo
 * sh not run: REASON     not run
 * console                this class; it compares the output, and UPDATE=true writes it
 * console key m          the same, after the key m of the demo
 * yaml file NAME         not a command: this class writes the file for the commands
 * </pre>
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GuidesTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../../.."))
            .toAbsolutePath()
            .normalize();
    private static final Pattern BLOCK =
            Pattern.compile("(?ms)^(?<indent> *)```(?<language>\\w*) *(?<info>[^\n]*)\n(?<text>.*?)^\\k<indent>```$");
    private static final Pattern NOT_RUN = Pattern.compile("not run: \\S.{14,}");
    private static final Pattern COMMAND = Pattern.compile(
            "(?m)^ *(\\$ |(\\./)?hub |kubectl|helm |kind |curl |bash |openssl |sha256sum |base64 |skopeo |"
                    + "cosign |etcdutl |git |\\w+=\\$\\()");
    private static final Pattern INDENTED =
            Pattern.compile("(?m)^    " + COMMAND.pattern().substring("(?m)^ *".length()));
    private static final Pattern PROMPT = Pattern.compile("(?m)^\\$ (.*)\n");
    private static final int LIMIT_MINUTES = 5;

    @TempDir
    private static Path folder;

    private LiveDemo demo;

    private record CodeBlock(String language, String info, String text, int start, int end) {
        boolean hasCommands() {
            return language.equals("sh") || COMMAND.matcher(text).find();
        }

        boolean isRunOrExcused() {
            return switch (language) {
                case "sh" ->
                    info.isEmpty()
                            || info.equals("simulator")
                            || NOT_RUN.matcher(info).matches();
                case "console" -> info.isEmpty() || info.matches("key [a-z]");
                default -> false;
            };
        }

        boolean hasPrompt() {
            return language.equals("console") && PROMPT.matcher(text).find();
        }

        String firstLine() {
            return text.lines().findFirst().orElse("").strip();
        }
    }

    private static List<CodeBlock> blocks(String markdown) {
        List<CodeBlock> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(markdown);
        while (block.find()) {
            blocks.add(new CodeBlock(
                    block.group("language"), block.group("info"), block.group("text"), block.start(), block.end()));
        }
        return blocks;
    }

    private static Path page(String name) {
        return ROOT.resolve("docs/" + name + ".md");
    }

    @BeforeAll
    void start() throws Exception {
        demo = LiveDemo.start(folder);
        Path java = Path.of(System.getProperty("java.home"), "bin/java");
        Path program = Files.writeString(
                Files.createDirectories(folder.resolve("bin")).resolve("hub"),
                "#!/bin/sh\nexec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss4m -cp '%s' io.osmhub.deploy.Main \"$@\"\n"
                        .formatted(java, absolute(System.getProperty("java.class.path"))));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        for (String name : List.of("docs", "deploy")) {
            Files.createSymbolicLink(folder.resolve(name), ROOT.resolve(name));
        }
        Files.createSymbolicLink(folder.resolve("hub"), program);
    }

    private static String absolute(String classpath) {
        return String.join(
                ":",
                Stream.of(classpath.split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }

    @AfterAll
    void stop() {
        demo.close();
    }

    @Test
    void everyCommandIsRunOrHasAReasonWhyNot() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path page :
                Stream.concat(Stream.of(page("quick-start")), guides().stream()).toList()) {
            String text = Files.readString(page, UTF_8);
            blocks(text).stream()
                    .filter(block -> block.hasCommands() && !block.isRunOrExcused())
                    .forEach(block -> wrong.add(page.getFileName() + ": " + block.firstLine()));
            Matcher indented = INDENTED.matcher(BLOCK.matcher(text).replaceAll(""));
            while (indented.find()) {
                wrong.add(page.getFileName() + ": not in a fenced block: " + indented.group());
            }
        }

        assertThat(wrong).isEmpty();
    }

    static Stream<String> pagesForTheSimulator() throws IOException {
        return pagesWith(block -> block.info().equals("simulator"));
    }

    static Stream<String> pagesWithOutput() throws IOException {
        return pagesWith(CodeBlock::hasPrompt);
    }

    private static Stream<String> pagesWith(Predicate<CodeBlock> wanted) throws IOException {
        List<String> names = new ArrayList<>();
        for (Path page : guides()) {
            if (blocks(Files.readString(page, UTF_8)).stream().anyMatch(wanted)) {
                names.add("how-to/" + page.getFileName().toString().replace(".md", ""));
            }
        }
        return names.stream();
    }

    private static List<Path> guides() throws IOException {
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs/how-to"))) {
            return pages.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pagesForTheSimulator")
    void commandsWithoutAClusterSucceed(String name) throws Exception {
        List<CodeBlock> all = blocks(Files.readString(page(name), UTF_8));
        StringBuilder commands = new StringBuilder("set -euo pipefail\n");
        for (CodeBlock block : all) {
            if (block.info().startsWith("file ")) {
                Files.writeString(folder.resolve(block.info().substring("file ".length())), block.text());
            } else if (block.info().equals("simulator")) {
                commands.append(block.text());
            }
        }

        ShellResult result = runShell(commands.toString());

        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @ParameterizedTest
    @MethodSource("pagesWithOutput")
    void outputIsWhatTheCommandsPrint(String name) throws Exception {
        String written = Files.readString(page(name), UTF_8);
        StringBuilder actual = new StringBuilder();
        int copied = 0;
        for (CodeBlock block : blocks(written)) {
            if (!block.hasPrompt()) {
                continue;
            }
            char key = block.info().isEmpty()
                    ? 0
                    : block.info().charAt(block.info().length() - 1);
            if (key != 0) {
                String reason = demo.pressKey(key).getLast().split(" ")[2];
                LiveApi.awaitTrue(() -> demo.runHub("get problems -A").contains(reason));
            }
            int text = written.indexOf('\n', block.start()) + 1;
            actual.append(written, copied, text);
            copied = text + block.text().length();
            List<String> transcripts = new ArrayList<>();
            Matcher prompt = PROMPT.matcher(block.text());
            while (prompt.find()) {
                transcripts.add(prompt.group() + runShell(prompt.group(1)).output());
            }
            actual.append(String.join("\n", transcripts));
            if (key != 0) {
                demo.pressKey(key);
                LiveApi.awaitTrue(() -> demo.runHub("get problems -A").contains("no open problems"));
            }
        }
        actual.append(written.substring(copied));

        if (Boolean.getBoolean("osmhub.update")) {
            Files.writeString(page(name), actual, UTF_8);
        } else {
            assertThat(withoutTimes(actual.toString()))
                    .as("update with UPDATE=true ./hub test deploy/testing/demo GuidesTest")
                    .isEqualTo(withoutTimes(written));
        }
    }

    /** Ages, hashes, ports, sizes and column widths differ in each run. */
    private static String withoutTimes(String page) {
        return page.replaceAll("\\b(\\d+ ?(ms|s|min|m|h|d))+\\b", "TIME")
                .replaceAll("\\b[0-9a-f]{8}\\b", "HASH")
                .replaceAll("127\\.0\\.0\\.1:\\d+", "ADDRESS")
                .replaceAll("[0-9,]+ B\\b", "SIZE")
                .replaceAll(" +", " ");
    }

    private record ShellResult(int exitCode, String output) {}

    private ShellResult runShell(String commands) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", commands)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile());
        shell.environment().clear();
        shell.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        shell.environment().put("HOME", folder.toString());
        demo.environment().forEach(variable -> shell.environment()
                .put(variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1)));
        Process process = shell.start();
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return new ShellResult(process.exitValue(), Files.readString(output, UTF_8));
    }
}

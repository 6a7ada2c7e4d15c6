package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Commands of hub that a page names, in a sentence or a code block, exist with their options. */
final class DocumentedCommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../.."));
    private static final String ARGUMENTS = "hub ((?:[^`|>;#\\n]|\\\\\\n)+)";
    private static final Pattern IN_SENTENCE = Pattern.compile("`" + ARGUMENTS);
    private static final Pattern IN_BLOCK = Pattern.compile("(?m)^ *(?:\\$ )?" + ARGUMENTS);
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");

    @Test
    void everyCommandOfAPageExistsWithItsOptions() throws IOException {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
        CommandLine hub = HubCommand.commandLine(new Terminal(InputStream.nullInputStream(), nowhere, nowhere));
        List<String> wrong = new ArrayList<>();
        int count = 0;
        for (Path page : pages()) {
            for (String command : commands(Files.readString(page, UTF_8))) {
                count++;
                String mistake =
                        mistake(hub, command.replace("\\\n", " ").strip().split("\\s+"));
                if (!mistake.isEmpty()) {
                    wrong.add(page.getFileName() + ": hub " + command + ": " + mistake);
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(count).isGreaterThan(80);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(files, Stream.of(ROOT.resolve("README.md")))
                    .filter(file -> file.toString().endsWith(".md") && !file.endsWith("reference/cli.md"))
                    .toList();
        }
    }

    private static List<String> commands(String page) {
        Stream<String> inBlocks = BLOCK.matcher(page)
                .results()
                .flatMap(block -> IN_BLOCK.matcher(block.group()).results())
                .map(command -> command.group(1));
        Stream<String> inSentences = IN_SENTENCE
                .matcher(BLOCK.matcher(page).replaceAll(""))
                .results()
                .map(command -> command.group(1));
        return Stream.concat(inBlocks, inSentences).toList();
    }

    private static String mistake(CommandLine hub, String[] words) {
        CommandLine command = hub;
        int next = 0;
        for (CommandLine found = hub; found != null; next++) {
            command = found;
            found = next < words.length ? found.getSubcommands().get(words[next]) : null;
        }
        if (command == hub && !words[0].startsWith("-")) {
            return "unknown verb";
        }
        for (String word : List.of(words).subList(next - 1, words.length)) {
            String option = word.replaceAll("[\\[\\],.)=].*", "");
            if (option.length() > 1
                    && option.startsWith("-")
                    && command.getCommandSpec().findOption(option) == null) {
                return "unknown option " + word;
            }
        }
        return "";
    }
}

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
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** docs/reference/cli.md is what {@code --help} prints, command by command. */
final class CommandReferenceTest {
    private static final Path PAGE = Path.of(System.getProperty("osmhub.root", "../.."), "docs", "reference", "cli.md");

    /** With UPDATE=true the page is rewritten first. */
    @Test
    void thePageHasTheHelpOfEveryCommand() throws IOException {
        List<String> sections = new ArrayList<>();
        addSections(sections, HubCommand.commandLine(silentTerminal()));
        String page = """
                # Commands of hub

                This page is generated from the command line and checked by a test. `hub help VERB` prints a section of it.

                An installed `hub` starts faster with an AOT cache, which the first command records in the background in
                `$XDG_CACHE_HOME/osm-hub` or `~/.cache/osm-hub`. `OSM_HUB_CACHE_DIR` names another folder, which only its
                owner may write to; an empty value disables the cache.

                """ + String.join("\n", sections);
        if (Boolean.getBoolean("osmhub.update")) {
            Files.writeString(PAGE, page, UTF_8);
        }

        assertThat(Files.readString(PAGE, UTF_8))
                .as("run: UPDATE=true ./hub test deploy/cli CommandReferenceTest")
                .isEqualTo(page);
    }

    private static Terminal silentTerminal() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
        return new Terminal(InputStream.nullInputStream(), nowhere, nowhere);
    }

    private static void addSections(List<String> sections, CommandLine command) {
        String help =
                command.getUsageMessage(Ansi.OFF).replaceAll("(?m) +$", "").strip();
        sections.add("## " + command.getCommandSpec().qualifiedName() + "\n\n```\n" + help + "\n```\n");
        new LinkedHashSet<>(command.getSubcommands().values())
                .stream()
                        .filter(each -> !each.getCommandSpec().usageMessage().hidden())
                        .forEach(each -> addSections(sections, each));
    }
}

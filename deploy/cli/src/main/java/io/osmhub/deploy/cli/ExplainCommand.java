package io.osmhub.deploy.cli;

import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.explain.ExplainTopic;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub explain}: prints the reference, generated from code. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Explain a setting, a reason or a template function.",
        footer = {
            "",
            "Examples:",
            "  hub explain settings                 all settings, one line each",
            "  hub explain settings clusterDNS      one setting, by name or flag (cluster-dns)",
            "  hub explain reason UserDataTooLarge  the meaning of a condition reason",
            "  hub explain function indent          a template function",
            "",
            "Exit codes: 0 explained, 2 unknown."
        })
final class ExplainCommand implements Runnable {
    private final Terminal terminal;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TOPIC",
            completionCandidates = TopicCandidates.class,
            description = "One of ${COMPLETION-CANDIDATES}, or settings.PATH. Omit to list the topics.")
    private @Nullable String topic;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "Name to explain. Omit to list all names.")
    private @Nullable String name;

    ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Completes the topic. */
    static final class TopicCandidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return words().iterator();
        }
    }

    private static List<String> words() {
        return Arrays.stream(ExplainTopic.values()).map(ExplainTopic::topic).toList();
    }

    @Override
    public void run() {
        if (topic == null) {
            Arrays.stream(ExplainTopic.values()).forEach(each -> terminal.out()
                    .println("hub explain " + each.topic()
                            + " ".repeat(10 - each.topic().length()) + each.summary()));
            return;
        }
        int dot = topic.indexOf('.');
        String word = dot < 0 ? topic : topic.substring(0, dot);
        String wanted = dot < 0 ? name : topic.substring(dot + 1);
        ExplainTopic found = find(word);
        if (wanted == null) {
            print(found.listEntries());
            return;
        }
        List<String> lines = found.explain(wanted);
        if (lines.isEmpty()) {
            throw unknown(
                    found.topic() + " " + wanted,
                    found.suggestion(wanted),
                    "list all with hub explain " + found.topic());
        }
        print(lines);
    }

    /** A topic in the singular or plural. */
    private static ExplainTopic find(String word) {
        return Arrays.stream(ExplainTopic.values())
                .filter(each -> each.topic().equals(word)
                        || each.topic().equals(word + "s")
                        || (word.equals(each.topic() + "s") && !each.topic().endsWith("s")))
                .findFirst()
                .orElseThrow(() -> unknown(
                        "topic " + word,
                        SpellingSuggestion.findClosest(word, words()),
                        "topics are " + String.join(", ", words())));
    }

    private static CommandException unknown(String what, Optional<String> suggestion, String otherwise) {
        return new CommandException(
                ExitCode.UNUSABLE_INPUT,
                "unknown " + what + "; "
                        + suggestion.map(near -> "did you mean " + near + "?").orElse(otherwise));
    }

    private void print(List<String> lines) {
        lines.forEach(terminal.out()::println);
    }
}

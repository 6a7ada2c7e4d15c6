package io.osmhub.deploy.cli;

import io.osmhub.core.problem.Suggestion;
import io.osmhub.deploy.explain.Topic;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub explain}: the reference, printed from code. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Explain a setting, a reason or a template function.",
        footer = {
            "",
            "Examples:",
            "  hub explain settings                 all settings, one line each",
            "  hub explain settings clusterDNS      one setting, also by its flag: cluster-dns",
            "  hub explain reason UserDataTooLarge  what the reason of a condition means",
            "  hub explain function indent          a function of templates",
            "",
            "Exit codes: 0 explained, 2 unknown."
        })
final class ExplainCommand implements Runnable {
    private final Terminal terminal;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TOPIC",
            completionCandidates = Words.class,
            description =
                    "One of ${COMPLETION-CANDIDATES}; settings.PATH does too. Without one, the topics are listed.")
    private @Nullable String topic;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "What to explain. Without one, all names are listed.")
    private @Nullable String name;

    ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Completes the topic. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return words().iterator();
        }
    }

    private static List<String> words() {
        return Topic.ALL.stream().map(Topic::word).toList();
    }

    @Override
    public void run() {
        if (topic == null) {
            Topic.ALL.forEach(each -> terminal.out()
                    .println("hub explain " + each.word()
                            + " ".repeat(10 - each.word().length()) + each.summary()));
            return;
        }
        int dot = topic.indexOf('.');
        String word = dot < 0 ? topic : topic.substring(0, dot);
        String wanted = dot < 0 ? name : topic.substring(dot + 1);
        Topic found = find(word);
        if (wanted == null) {
            print(found.overview());
            return;
        }
        List<String> lines = found.explain(wanted);
        if (lines.isEmpty()) {
            throw unknown(
                    found.word() + " " + wanted,
                    found.suggestion(wanted),
                    "hub explain " + found.word() + " lists all");
        }
        print(lines);
    }

    /** A topic in the singular or plural. */
    private static Topic find(String word) {
        return Topic.ALL.stream()
                .filter(each -> each.word().equals(word)
                        || each.word().equals(word + "s")
                        || (word.equals(each.word() + "s") && !each.word().endsWith("s")))
                .findFirst()
                .orElseThrow(() -> unknown(
                        "topic " + word,
                        Suggestion.closest(word, words()),
                        "topics are " + String.join(", ", words())));
    }

    private static Refusal unknown(String what, Optional<String> suggestion, String otherwise) {
        return new Refusal(
                ExitCode.UNUSABLE_INPUT,
                "there is no " + what + "; "
                        + suggestion.map(near -> "did you mean " + near + "?").orElse(otherwise));
    }

    private void print(List<String> lines) {
        lines.forEach(terminal.out()::println);
    }
}

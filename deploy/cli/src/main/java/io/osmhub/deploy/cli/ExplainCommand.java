package io.osmhub.deploy.cli;

import io.osmhub.core.kkp.KkpSettings;
import io.osmhub.core.kkp.KkpSettings.Argument;
import io.osmhub.core.settings.SettingsCatalog;
import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.explain.ExplainTopic;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.render.KkpFiles;
import io.osmhub.deploy.render.KkpFiles.KkpResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
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
            "  hub explain settings --from-kkp cluster.yaml seed.yaml",
            "                                       a KKP cluster's settings and the fields they come from",
            "",
            "Exit codes: 0 explained, 2 unknown or invalid."
        })
final class ExplainCommand implements Callable<Integer> {
    /** Formats of the settings of a tenant. */
    enum SettingsFormat {
        /** OSM's command line, one word a line. */
        args,
        table,
        json,
        yaml
    }

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

    @Option(
            names = "--from-kkp",
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "Show the settings of a KKP user cluster: files with its Cluster, the Seed of its datacenter and"
                            + " optionally the KubermaticConfiguration; - is standard input.")
    private List<String> kkpFiles = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description =
                    "With --from-kkp: ${COMPLETION-CANDIDATES} (default: table). args prints the arguments that KKP"
                            + " gives to Operating System Manager.")
    private SettingsFormat format = SettingsFormat.table;

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
    public Integer call() {
        if (kkpFiles.isEmpty()) {
            explain();
            return ExitCode.OK;
        }
        if (topic != null && find(topic.replaceFirst("\\..*", "")) != ExplainTopic.SETTINGS) {
            throw new CommandException(ExitCode.UNUSABLE_INPUT, "--from-kkp: shows settings, not " + topic);
        }
        return switch (KkpFiles.read(kkpFiles, format != SettingsFormat.args, terminal.in())) {
            case KkpResult.Refused(List<InputError> mistakes) -> {
                terminal.printRefusal(mistakes.size() + (mistakes.size() == 1 ? " error" : " errors"));
                InputError.formatLines(mistakes).forEach(terminal.err()::println);
                yield ExitCode.UNUSABLE_INPUT;
            }
            case KkpResult.Read(KkpSettings settings) -> {
                print(format == SettingsFormat.args ? settings.words() : lines(settings));
                yield ExitCode.OK;
            }
        };
    }

    /** One setting in JSON and YAML. */
    record KkpSetting(String setting, String flag, String value, List<Origin> sources) {
        static KkpSetting of(Argument argument) {
            return new KkpSetting(argument.setting(), argument.flag(), argument.value(), argument.origins());
        }

        String source() {
            return sources.stream().map(Origin::toString).collect(Collectors.joining(", "));
        }
    }

    private List<String> lines(KkpSettings settings) {
        String wanted = name != null ? name : topic == null ? null : afterDot(topic);
        List<String> fields = wanted == null ? List.of() : fieldsOf(wanted);
        List<KkpSetting> shown = settings.arguments().stream()
                .map(KkpSetting::of)
                .filter(setting ->
                        !setting.setting().isEmpty() && (wanted == null || fields.contains(setting.setting())))
                .toList();
        return switch (format) {
            case json -> List.of(ObjectPrinter.json(ObjectPrinter.list(shown)));
            case yaml -> List.of(ObjectPrinter.yaml(ObjectPrinter.list(shown)));
            case args, table ->
                new TextTable<>(shown)
                        .text("SETTING", KkpSetting::setting)
                        .text("FLAG", KkpSetting::flag)
                        .text("VALUE", KkpSetting::value)
                        .text("SOURCE", KkpSetting::source)
                        .lines(true, false, terminal.width());
        };
    }

    private static @Nullable String afterDot(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? null : text.substring(dot + 1);
    }

    /** Paths of the settings with a name. */
    private static List<String> fieldsOf(String wanted) {
        List<String> fields = ExplainTopic.settings(wanted).stream()
                .map(SettingsCatalog.Entry::field)
                .toList();
        if (fields.isEmpty()) {
            throw unknown(
                    "settings " + wanted,
                    ExplainTopic.SETTINGS.suggestion(wanted),
                    "list all with hub explain settings");
        }
        return fields;
    }

    private void explain() {
        if (topic == null) {
            Arrays.stream(ExplainTopic.values()).forEach(each -> terminal.out()
                    .println("hub explain " + each.topic()
                            + " ".repeat(10 - each.topic().length()) + each.summary()));
            return;
        }
        int dot = topic.indexOf('.');
        String word = dot < 0 ? topic : topic.substring(0, dot);
        String wanted = dot < 0 ? name : afterDot(topic);
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

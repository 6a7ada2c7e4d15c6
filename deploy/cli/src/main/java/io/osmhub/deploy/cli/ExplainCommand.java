package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.EffectiveSettings;
import io.osmhub.api.schema.EffectiveSettings.Item;
import io.osmhub.core.kkp.KkpSettings;
import io.osmhub.core.kkp.KkpSettings.Argument;
import io.osmhub.core.settings.SettingsCatalog;
import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.explain.ExplainTopic;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.render.KkpFiles;
import io.osmhub.deploy.render.KkpFiles.KkpResult;
import io.osmhub.deploy.view.ValueFormatter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
            "  hub explain setting pauseImage --tenant cluster-7xk2m9",
            "                                       a tenant's value and where it comes from",
            "",
            "Exit codes: 0 explained, 2 unknown or invalid; with --tenant also 3 not found, 4 not allowed, 5 not reachable."
        })
final class ExplainCommand implements Callable<Integer>, OptionalConnection {
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
            names = "--tenant",
            paramLabel = "NAMESPACE",
            description = "Show the settings of a tenant of the hub, with their sources.")
    private @Nullable String tenant;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Mixin
    private final FleetOptions options = new FleetOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description =
                    "With --from-kkp or --tenant: ${COMPLETION-CANDIDATES} (default: table). args, only with --from-kkp,"
                            + " prints the arguments that KKP gives to Operating System Manager.")
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

    private String tenant() {
        return tenant != null ? tenant : options.namedTenant();
    }

    @Override
    public @Nullable String whyNotConnected() {
        return tenant().isEmpty() ? "without --tenant NAMESPACE" : null;
    }

    @Override
    public Integer call() throws FleetFailure {
        String namespace = tenant();
        if (kkpFiles.isEmpty() && namespace.isEmpty()) {
            explain();
            return ExitCode.OK;
        }
        String option = kkpFiles.isEmpty() ? "--tenant" : "--from-kkp";
        if (topic != null && find(topic.replaceFirst("\\..*", "")) != ExplainTopic.SETTINGS) {
            throw new CommandException(ExitCode.UNUSABLE_INPUT, option + ": shows settings, not " + topic);
        }
        if (kkpFiles.isEmpty()) {
            print(tenantLines(namespace));
            return ExitCode.OK;
        }
        if (!namespace.isEmpty()) {
            throw new CommandException(
                    ExitCode.UNUSABLE_INPUT, "--from-kkp reads files and --tenant asks the hub; use only one");
        }
        return switch (KkpFiles.read(kkpFiles, format != SettingsFormat.args, terminal.in())) {
            case KkpResult.Refused(List<InputError> mistakes) -> {
                terminal.printRefusal(ValueFormatter.countOf(mistakes.size(), "error"));
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
        List<KkpSetting> shown = wanted(
                settings.arguments().stream()
                        .map(KkpSetting::of)
                        .filter(setting -> !setting.setting().isEmpty())
                        .toList(),
                KkpSetting::setting);
        return formatted(
                shown,
                new TextTable<>(shown)
                        .text("SETTING", KkpSetting::setting)
                        .text("FLAG", KkpSetting::flag)
                        .text("VALUE", KkpSetting::value)
                        .text("SOURCE", KkpSetting::source));
    }

    private List<String> tenantLines(String namespace) throws FleetFailure {
        if (format == SettingsFormat.args) {
            throw new CommandException(ExitCode.UNUSABLE_INPUT, "-o args: only with --from-kkp");
        }
        FleetEndpoint remote = options.endpoint(kubeconfig, KubectlPlugin.environment(spec), line -> terminal.err()
                .println(TerminalSanitizer.sanitizeLine(line)));
        try (HubClient hub = remote.openHub()) {
            String workerCluster = ListableKind.CLUSTERS.existingNames(hub, namespace).stream()
                    .findFirst()
                    .orElseThrow(() -> FleetFailure.notFound("no WorkerCluster in namespace " + namespace
                            + "; list the tenants with hub get clusters -A"));
            List<Item> shown = wanted(
                    hub.get(
                                    EffectiveSettings.class,
                                    "/namespaces/{}/worker-clusters/{}/settings",
                                    namespace,
                                    workerCluster)
                            .items(),
                    Item::field);
            return formatted(
                    shown,
                    new TextTable<>(shown)
                            .text("SETTING", Item::field)
                            .text("VALUE", item -> value(item.value()))
                            .text("SOURCE", ExplainCommand::source));
        }
    }

    private static String value(@Nullable JsonNode value) {
        return value == null || value.isNull() ? "" : value.isTextual() ? value.textValue() : value.toString();
    }

    private static String source(Item item) {
        List<String> origins = item.origins();
        return origins != null
                ? String.join(", ", origins)
                : switch (item.source()) {
                    case TENANT -> "WorkerCluster spec." + item.field();
                    case PLATFORM -> "platform";
                    case HUB -> "hub configuration defaults." + item.field();
                    case BUILT_IN -> "built-in default";
                };
    }

    /** The rows of the named settings; all without a name. */
    private <T> List<T> wanted(List<T> rows, Function<T, String> field) {
        String wanted = name != null ? name : topic == null ? null : afterDot(topic);
        if (wanted == null) {
            return rows;
        }
        List<String> fields = fieldsOf(wanted);
        return rows.stream().filter(row -> fields.contains(field.apply(row))).toList();
    }

    private <T> List<String> formatted(List<T> rows, TextTable<T> table) {
        return switch (format) {
            case json -> List.of(ObjectPrinter.json(ObjectPrinter.list(rows)));
            case yaml -> List.of(ObjectPrinter.yaml(ObjectPrinter.list(rows)));
            case args, table -> table.lines(true, false, terminal.width());
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

package io.osmhub.deploy.explain;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.ConditionTarget;
import io.osmhub.core.problem.Reason.NodeEffect;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.settings.SettingsCatalog;
import io.osmhub.core.settings.SettingsCatalog.AffectedObject;
import io.osmhub.core.settings.SettingsCatalog.Entry;
import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.template.functions.RefusedFunction;
import io.osmhub.deploy.config.ConfigurationKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A topic of the reference. */
public enum ExplainTopic {
    /** The settings of a tenant. */
    SETTINGS("settings", "a tenant's settings: meaning, default, the OSM flag each replaces") {
        @Override
        public List<String> listEntries() {
            return table(SettingsCatalog.all());
        }

        private static List<String> table(List<Entry> entries) {
            return new TextLayout()
                    .table(entries.stream()
                            .map(entry -> Map.entry(entry.field(), entry.summary()))
                            .toList())
                    .all();
        }

        @Override
        public List<String> explain(String name) {
            List<Entry> entries = settings(name);
            return switch (entries.size()) {
                case 0 -> List.of();
                case 1 -> one(entries.getFirst());
                default -> table(entries);
            };
        }

        private static List<String> one(Entry entry) {
            String rolled = entry.affectedObjects().stream()
                    .map(AffectedObject::displayName)
                    .collect(Collectors.joining(", "));
            return new TextLayout()
                    .title("spec." + entry.field() + " of a WorkerCluster (" + entry.type() + ")")
                    .blank()
                    .paragraph(entry.description())
                    .blank()
                    .field("values", entry.values())
                    .field("default", entry.builtInDefault())
                    .field(
                            "hub-wide",
                            entry.hubWide() ? "defaults." + entry.field() : "none, applies to one tenant only")
                    .field("peer", entry.peer())
                    .field(
                            "changes",
                            (rolled.isEmpty() ? "nothing published" : rolled)
                                    + (entry.note().isEmpty() ? "" : " (" + entry.note() + ")"))
                    .all();
        }

        @Override
        public Optional<String> suggestion(String unknown) {
            Map<String, String> byLastName = SettingsCatalog.all().stream()
                    .collect(Collectors.toMap(
                            entry -> entry.field().substring(entry.field().lastIndexOf('.') + 1),
                            Entry::field,
                            (first, second) -> first));
            return SettingsCatalog.suggestion(unknown)
                    .or(() -> SpellingSuggestion.findClosest(unknown, new TreeSet<>(byLastName.keySet()))
                            .map(byLastName::get));
        }
    },

    /** The keys of the hub's own configuration. */
    CONFIG("config", "the hub's own configuration: file, environment and command line") {
        private static final String DEFAULTS = "defaults.";

        @Override
        public List<String> listEntries() {
            return table(ConfigurationKey.all());
        }

        private static List<String> table(List<ConfigurationKey> keys) {
            return new TextLayout()
                    .table(keys.stream()
                            .map(key -> Map.entry(key.path(), key.description()))
                            .toList())
                    .all();
        }

        @Override
        public List<String> explain(String name) {
            List<ConfigurationKey> keys = ConfigurationKey.find(name);
            if (keys.isEmpty() && name.startsWith(DEFAULTS)) {
                return SETTINGS.explain(name.substring(DEFAULTS.length()));
            }
            return switch (keys.size()) {
                case 0 -> List.of();
                case 1 -> one(keys.getFirst());
                default -> table(keys);
            };
        }

        private static List<String> one(ConfigurationKey key) {
            return new TextLayout()
                    .title(key.path() + " of the hub's configuration (" + key.type() + ")")
                    .blank()
                    .paragraph(key.description())
                    .blank()
                    .field("values", key.values())
                    .field("default", key.builtIn())
                    .field("variable", key.variable().isEmpty() ? "none, file only" : key.variable())
                    .field(
                            "option",
                            (key.flag().isEmpty() ? "" : key.flag() + ", or ") + "--set " + key.path() + "=VALUE")
                    .field("changes", key.inPlace() ? "reloaded from the file by a running hub" : "require a restart")
                    .all();
        }

        @Override
        public Optional<String> suggestion(String unknown) {
            return ConfigurationKey.suggestion(unknown);
        }
    },

    /** The reasons of conditions, Events and errors. */
    REASON("reason", "the reasons of conditions and Events: when set, when cleared, who must act") {
        @Override
        public List<String> listEntries() {
            return new TextLayout()
                    .table(Arrays.stream(Reason.values())
                            .map(reason -> Map.entry(reason.wireName(), reason.setWhen()))
                            .toList())
                    .all();
        }

        @Override
        public List<String> explain(String name) {
            return Arrays.stream(Reason.values())
                    .filter(reason -> reason.wireName().equalsIgnoreCase(name))
                    .findFirst()
                    .map(reason -> lines(reason))
                    .orElse(List.of());
        }

        private static List<String> lines(Reason reason) {
            return new TextLayout()
                    .title(reason.wireName() + " (" + reason.severity().wireName() + ", "
                            + reason.category().wireName() + ")")
                    .blank()
                    .field("new nodes", NodeEffect.of(reason))
                    .field("set when", reason.setWhen())
                    .field("cleared", reason.clearedWhen())
                    .field("acts", reason.actor().wireName())
                    .field(
                            "reported at",
                            reason.conditionTargets().stream()
                                    .map(target -> describe(target))
                                    .collect(Collectors.joining(", ")))
                    .field(
                            "Event",
                            reason.eventSubjects().isEmpty()
                                    ? ""
                                    : reason.eventReason() + " at "
                                            + reason.eventSubjects().stream()
                                                    .map(SubjectKind::kind)
                                                    .collect(Collectors.joining(", ")))
                    .field("message", reason.template())
                    .all();
        }

        private static String describe(ConditionTarget place) {
            String kind = place.subject().kind();
            return place.condition().isEmpty() ? kind : kind + " " + place.condition() + "=" + place.status();
        }

        @Override
        public Optional<String> suggestion(String unknown) {
            return SpellingSuggestion.findClosest(
                    unknown,
                    Arrays.stream(Reason.values()).map(Reason::wireName).toList());
        }
    },

    /** The template functions. */
    FUNCTION("function", "the functions of Go templates and Handlebars, with examples") {
        @Override
        public List<String> listEntries() {
            TextLayout lines = new TextLayout();
            for (FunctionReference.Language language : FunctionReference.Language.values()) {
                lines.title(language.title()).blank();
                lines.table(FunctionCatalog.of(language).stream()
                        .map(function -> Map.entry("  " + function.signature(), function.description()))
                        .toList());
                lines.blank();
            }
            return lines.all();
        }

        @Override
        public List<String> explain(String name) {
            List<String> lines = new ArrayList<>();
            for (FunctionReference function : FunctionCatalog.findByName(name)) {
                lines.addAll(lines.isEmpty() ? List.of() : List.of(""));
                lines.addAll(one(function));
            }
            RefusedFunction refused = RefusedFunction.find(name);
            if (refused != null) {
                lines.addAll(new TextLayout()
                        .title(name + " (" + FunctionReference.Language.GO.title() + ", refused)")
                        .blank()
                        .paragraph("A profile that calls it is rejected: " + refused.reason() + ".")
                        .blank()
                        .field("instead", refused.alternative())
                        .all());
            }
            return lines;
        }

        private static List<String> one(FunctionReference function) {
            String title = function.name() + " (" + function.language().title() + ", "
                    + function.family().toLowerCase(Locale.ROOT) + ")";
            return new TextLayout()
                    .title(title)
                    .blank()
                    .paragraph(function.description())
                    .blank()
                    .field("call", function.signature())
                    .verbatim("example", function.example())
                    .verbatim("gives", function.result())
                    .field("from", function.origin().title())
                    .all();
        }

        @Override
        public Optional<String> suggestion(String unknown) {
            return FunctionCatalog.suggestClosest(unknown);
        }
    };

    private final String topic;
    private final String summary;

    ExplainTopic(String topic, String summary) {
        this.topic = topic;
        this.summary = summary;
    }

    /** The topic's name on the command line, for example {@code settings}. */
    public String topic() {
        return topic;
    }

    /** Its content, one clause. */
    public String summary() {
        return summary;
    }

    /** Lists all entries. */
    public abstract List<String> listEntries();

    /** Explains the entry of this name or unique part of a name; empty if there is none. */
    public abstract List<String> explain(String name);

    /** The closest name to an unknown one. */
    public abstract Optional<String> suggestion(String unknown);

    /** The settings at or below a path, with the end of a path, or with a flag of OSM. */
    public static List<Entry> settings(String name) {
        List<Entry> entries = SettingsCatalog.below(name);
        if (!entries.isEmpty()) {
            return entries;
        }
        String end = "." + name.toLowerCase(Locale.ROOT);
        String flag = name.replaceFirst("^-*", "-");
        return SettingsCatalog.all().stream()
                .filter(entry -> entry.field().toLowerCase(Locale.ROOT).endsWith(end)
                        || List.of(entry.peer().split("[, ]+")).contains(flag))
                .toList();
    }
}

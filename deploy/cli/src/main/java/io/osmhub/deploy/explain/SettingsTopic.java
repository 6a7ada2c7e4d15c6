package io.osmhub.deploy.explain;

import io.osmhub.core.settings.SettingsCatalog;
import io.osmhub.core.settings.SettingsCatalog.AffectedObject;
import io.osmhub.core.settings.SettingsCatalog.Entry;
import io.osmhub.core.template.SpellingSuggestion;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The settings of a tenant. */
final class SettingsTopic implements ExplainTopic {
    @Override
    public String name() {
        return "settings";
    }

    @Override
    public String summary() {
        return "a tenant's settings: meaning, default, the OSM flag each replaces";
    }

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
        List<Entry> entries = SettingsCatalog.below(name);
        if (entries.isEmpty()) {
            // Users search by the end of a path or by OSM's flag.
            String end = "." + name.toLowerCase(Locale.ROOT);
            String flag = name.replaceFirst("^-*", "-");
            entries = SettingsCatalog.all().stream()
                    .filter(entry -> entry.field().toLowerCase(Locale.ROOT).endsWith(end)
                            || List.of(entry.peer().split("[, ]+")).contains(flag))
                    .toList();
        }
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
                .field("hub-wide", entry.hubWide() ? "defaults." + entry.field() : "none, applies to one tenant only")
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
}

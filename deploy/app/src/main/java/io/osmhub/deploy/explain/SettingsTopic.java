package io.osmhub.deploy.explain;

import io.osmhub.core.problem.Suggestion;
import io.osmhub.core.settings.Rolls;
import io.osmhub.core.settings.SettingsReference;
import io.osmhub.core.settings.SettingsReference.Entry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Every setting of a tenant. */
final class SettingsTopic implements Topic {
    @Override
    public String word() {
        return "settings";
    }

    @Override
    public String summary() {
        return "what a tenant can set: meaning, default, the flag it replaces";
    }

    @Override
    public List<String> overview() {
        return table(SettingsReference.all());
    }

    private static List<String> table(List<Entry> entries) {
        return new Lines()
                .table(entries.stream()
                        .map(entry -> Map.entry(entry.field(), entry.summary()))
                        .toList())
                .all();
    }

    @Override
    public List<String> explain(String name) {
        List<Entry> entries = SettingsReference.below(name);
        if (entries.isEmpty()) {
            // The last names of a path are what people remember, and a flag is what they come with.
            String end = "." + name.toLowerCase(Locale.ROOT);
            String flag = name.replaceFirst("^-*", "-");
            entries = SettingsReference.all().stream()
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
        String rolled = entry.rolls().stream().map(Rolls::words).collect(Collectors.joining(", "));
        return new Lines()
                .title("spec." + entry.field() + " of a WorkerCluster (" + entry.type() + ")")
                .blank()
                .paragraph(entry.description())
                .blank()
                .field("values", entry.values())
                .field("default", entry.builtInDefault())
                .field("hub-wide", entry.hubWide() ? "defaults." + entry.field() : "none, it concerns one tenant only")
                .field("peer", entry.peer())
                .field(
                        "changes",
                        (rolled.isEmpty() ? "nothing that is published" : rolled)
                                + (entry.note().isEmpty() ? "" : " (" + entry.note() + ")"))
                .all();
    }

    @Override
    public Optional<String> suggestion(String unknown) {
        Map<String, String> byLastName = SettingsReference.all().stream()
                .collect(Collectors.toMap(
                        entry -> entry.field().substring(entry.field().lastIndexOf('.') + 1),
                        Entry::field,
                        (first, second) -> first));
        return SettingsReference.suggestion(unknown)
                .or(() -> Suggestion.closest(unknown, new TreeSet<>(byLastName.keySet()))
                        .map(byLastName::get));
    }
}

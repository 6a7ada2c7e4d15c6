package io.osmhub.core.template.reference;

import io.osmhub.core.problem.SpellingSuggestion;
import io.osmhub.core.template.FunctionReference;
import io.osmhub.core.template.FunctionReference.Language;
import io.osmhub.core.template.handlebars.HandlebarsHelpers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Every function of both template languages, by name. Loaded on first use. */
public final class FunctionCatalog {
    /** A holder, because rendering does not need it. */
    private static final class Entries {
        private static final List<FunctionReference> ALL = read();

        private static List<FunctionReference> read() {
            List<FunctionReference> all = new ArrayList<>(GoFunctionFile.read());
            all.addAll(HandlebarsHelpers.reference());
            all.sort(Comparator.comparing(FunctionReference::language)
                    .thenComparing(FunctionReference::name, String.CASE_INSENSITIVE_ORDER)
                    .thenComparing(FunctionReference::name));
            return List.copyOf(all);
        }
    }

    private FunctionCatalog() {}

    /** All functions: Go's, then those of Handlebars, each sorted by name. */
    public static List<FunctionReference> all() {
        return Entries.ALL;
    }

    /** The functions of one language, sorted by name. */
    public static List<FunctionReference> of(Language language) {
        return all().stream()
                .filter(function -> function.language() == language)
                .toList();
    }

    /** The functions of that name, one for each language that has it. */
    public static List<FunctionReference> findByName(String name) {
        return all().stream().filter(function -> function.name().equals(name)).toList();
    }

    /** The function of that name in one language. */
    public static Optional<FunctionReference> find(Language language, String name) {
        return findByName(name).stream()
                .filter(function -> function.language() == language)
                .findFirst();
    }

    /** The closest known name to an unknown one. */
    public static Optional<String> suggestClosest(String unknown) {
        Set<String> names = new TreeSet<>();
        all().forEach(function -> names.add(function.name()));
        return SpellingSuggestion.findClosest(unknown, names);
    }

    /** Names of the functions whose result may vary between renderings. */
    public static Set<String> nonDeterministicNames(Language language) {
        Set<String> names = new TreeSet<>();
        for (FunctionReference function : of(language)) {
            if (!function.deterministic()) {
                names.add(function.name());
            }
        }
        return names;
    }
}

package io.osmhub.api.inventory;

import io.osmhub.api.paging.SearchText;
import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Search texts of a row in lower case. Names, usually already in lower case, are not copied. */
final class SearchTerms {
    private static final Map<Reason, String> REASONS = reasons();

    private SearchTerms() {}

    static String[] of(String... texts) {
        return of(List.of(texts), List.of());
    }

    static String[] of(Collection<String> texts, Collection<String> more) {
        List<String> words = new ArrayList<>(texts.size() + more.size());
        texts.forEach(text -> words.add(text.toLowerCase(Locale.ROOT)));
        more.forEach(text -> words.add(text.toLowerCase(Locale.ROOT)));
        return words.toArray(String[]::new);
    }

    /** Joins all texts into one string, which saves memory if there are many rows. */
    static String joined(Collection<String> texts, Collection<String> more) {
        return String.join("\n", of(texts, more));
    }

    static boolean containsText(String[] words, SearchText text) {
        for (String word : words) {
            if (text.isIn(word)) {
                return true;
            }
        }
        return false;
    }

    static boolean containsReason(@Nullable Reason reason, SearchText text) {
        return reason != null && text.isIn(REASONS.getOrDefault(reason, ""));
    }

    private static Map<Reason, String> reasons() {
        Map<Reason, String> reasons = new EnumMap<>(Reason.class);
        for (Reason reason : Reason.values()) {
            reasons.put(reason, reason.wireName().toLowerCase(Locale.ROOT));
        }
        return reasons;
    }
}

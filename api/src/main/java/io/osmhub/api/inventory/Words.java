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

/** What a row is searched by: texts in lower case. A name that is in lower case anyway, as names are, is not copied. */
final class Words {
    private static final Map<Reason, String> REASONS = reasons();

    private Words() {}

    static String[] of(String... texts) {
        return of(List.of(texts), List.of());
    }

    static String[] of(Collection<String> texts, Collection<String> more) {
        List<String> words = new ArrayList<>(texts.size() + more.size());
        texts.forEach(text -> words.add(text.toLowerCase(Locale.ROOT)));
        more.forEach(text -> words.add(text.toLowerCase(Locale.ROOT)));
        return words.toArray(String[]::new);
    }

    /** The same as one text, for rows of which there are very many. */
    static String joined(Collection<String> texts, Collection<String> more) {
        return String.join("\n", of(texts, more));
    }

    static boolean mention(String[] words, SearchText text) {
        for (String word : words) {
            if (text.isIn(word)) {
                return true;
            }
        }
        return false;
    }

    static boolean mentions(@Nullable Reason reason, SearchText text) {
        return reason != null && text.isIn(REASONS.getOrDefault(reason, ""));
    }

    private static Map<Reason, String> reasons() {
        Map<Reason, String> reasons = new EnumMap<>(Reason.class);
        for (Reason reason : Reason.values()) {
            reasons.put(reason, reason.word().toLowerCase(Locale.ROOT));
        }
        return reasons;
    }
}

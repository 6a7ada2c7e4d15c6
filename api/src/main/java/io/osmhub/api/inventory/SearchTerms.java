package io.osmhub.api.inventory;

import io.osmhub.core.problem.Reason;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Search texts of a row, joined in lower case. */
final class SearchTerms {
    private static final Map<Reason, String> REASONS = new EnumMap<>(Reason.class);

    static {
        for (Reason reason : Reason.values()) {
            REASONS.put(reason, reason.wireName().toLowerCase(Locale.ROOT));
        }
    }

    private SearchTerms() {}

    static String of(List<String> texts, Collection<String> more) {
        String joined = String.join("\n", texts);
        return (more.isEmpty() ? joined : joined + "\n" + String.join("\n", more)).toLowerCase(Locale.ROOT);
    }

    static boolean containsReason(@Nullable Reason reason, String text) {
        return reason != null && REASONS.getOrDefault(reason, "").contains(text);
    }
}

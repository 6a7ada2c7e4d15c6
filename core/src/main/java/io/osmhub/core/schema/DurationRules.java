package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The two rules of a duration field: its format and its range. */
final class DurationRules {
    private static final String FORM = "self.matches('^([0-9]+(ms|s|m|h))+$')";

    private DurationRules() {}

    /** @param days whether days are a unit, which CEL does not know */
    static List<CelRule> rules(String shortest, String longest, boolean days) {
        return List.of(new IsDuration(days), new Between(shortest, longest));
    }

    record IsDuration(boolean days) implements CelRule {
        @Override
        public String expression() {
            return FORM;
        }

        @Override
        public String message() {
            return "must be a duration such as 30s, 10m or 1h30m";
        }

        @Override
        public boolean holds(JsonNode self, @Nullable JsonNode oldSelf) {
            String text = self.textValue();
            return (days ? DurationFormat.parseWithDays(text) : DurationFormat.parse(text)) != null;
        }
    }

    private record Between(String shortest, String longest) implements CelRule {
        @Override
        public String expression() {
            String upper = "duration(self) <= duration('" + longest + "')";
            // Without the format check duration() fails, and the response would be about the rule instead of the value.
            return "!" + FORM + " || "
                    + (shortest.equals("0s")
                            ? upper
                            : "(duration(self) >= duration('" + shortest + "') && " + upper + ")");
        }

        @Override
        public String message() {
            return "must be between " + shortest + " and " + longest;
        }

        @Override
        public boolean holds(JsonNode self, @Nullable JsonNode oldSelf) {
            Duration value = DurationFormat.parseWithDays(self.textValue());
            return value == null
                    || (value.compareTo(DurationFormat.parseOrThrow(shortest)) >= 0
                            && value.compareTo(DurationFormat.parseOrThrow(longest)) <= 0);
        }
    }
}

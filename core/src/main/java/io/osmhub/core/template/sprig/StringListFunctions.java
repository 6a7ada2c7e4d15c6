package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bytes;
import static io.osmhub.core.template.sprig.SprigArguments.integer;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Texts to lists of texts and back. */
final class StringListFunctions {
    private static final GoType STRING_MAP = GoType.mapOf(GoType.STRING, GoType.STRING);

    private StringListFunctions() {}

    static void addTo(FunctionRegistry registry) {
        registry.add("join", "func(string, interface {}) string", StringListFunctions::join);
        registry.add(
                "toStrings",
                "func(interface {}) []string",
                (environment, arguments) -> asStrings(environment, arguments.getFirst()));
        registry.add("sortAlpha", "func(interface {}) []string", StringListFunctions::sortAlpha);
        registry.add(
                "splitList",
                "func(string, string) []string",
                (environment, arguments) -> split(environment, bytes(arguments, 1), bytes(arguments, 0), -1));
        registry.add(
                "split",
                "func(string, string) map[string]string",
                (environment, arguments) ->
                        numbered(environment, split(environment, bytes(arguments, 1), bytes(arguments, 0), -1)));
        registry.add(
                "splitn",
                "func(string, int, string) map[string]string",
                (environment, arguments) -> numbered(
                        environment,
                        split(environment, bytes(arguments, 2), bytes(arguments, 0), integer(arguments, 1))));
    }

    private static GoValue join(ExecutionEnvironment environment, List<GoValue> arguments) {
        String separator = bytes(arguments, 0);
        List<String> texts = TextConversion.toTexts(environment, arguments.get(1));
        long length = (long) separator.length() * texts.size();
        for (String text : texts) {
            length += text.length();
        }
        SprigArguments.chargeText(environment, length);
        return GoString.ofBytes(String.join(separator, texts));
    }

    private static GoSlice asStrings(ExecutionEnvironment environment, GoValue value) {
        return value instanceof GoSlice list && list.type().equals(GoType.STRINGS)
                ? list
                : SprigArguments.strings(environment, TextConversion.toTexts(environment, value));
    }

    // As in Go a []string is sorted in place, and all who hold it see that. One that its owner made unmodifiable is
    // copied.
    private static GoValue sortAlpha(ExecutionEnvironment environment, List<GoValue> arguments) {
        GoValue value = arguments.getFirst();
        GoSlice list = value instanceof GoSlice
                ? asStrings(environment, value)
                : SprigArguments.strings(environment, List.of(TextConversion.toText(environment, value)));
        int length = list.length();
        environment.charge((long) length * (1 + Integer.numberOfTrailingZeros(Integer.highestOneBit(length + 1))), 0);
        Comparator<GoValue> byBytes = Comparator.comparing(element -> ((GoString) element).bytes());
        if (list.items() instanceof ArrayList<GoValue> items) {
            items.sort(byBytes);
            return list;
        }
        SprigArguments.chargeSlots(environment, length);
        List<GoValue> items = new ArrayList<>(list.elements());
        items.sort(byBytes);
        return new GoSlice(GoType.STRINGS, items);
    }

    /** At most {@code limit} parts, all when it is negative; an empty separator separates characters. */
    private static GoSlice split(ExecutionEnvironment environment, String subject, String separator, long limit) {
        SprigArguments.chargeSearch(environment, subject, separator);
        if (limit == 0) {
            return new GoSlice(GoType.STRINGS, null);
        }
        List<String> parts = new ArrayList<>();
        int position = 0;
        while (limit < 0 || parts.size() < limit - 1) {
            int end = separator.isEmpty() ? characterEnd(subject, position) : subject.indexOf(separator, position);
            if (end < 0 || (separator.isEmpty() && end == subject.length())) {
                break;
            }
            environment.charge(1, SprigArguments.SLOT_BYTES);
            parts.add(subject.substring(position, end));
            position = end + separator.length();
        }
        if (!separator.isEmpty() || position < subject.length()) {
            parts.add(subject.substring(position));
        }
        return SprigArguments.strings(environment, parts);
    }

    private static int characterEnd(String subject, int start) {
        return start == subject.length() ? -1 : start + Runes.sizeAt(subject, start);
    }

    /** The parts under the keys {@code _0}, {@code _1} and so on. */
    private static GoValue numbered(ExecutionEnvironment environment, GoSlice parts) {
        SprigArguments.chargeSlots(environment, 2L * parts.length());
        Map<GoValue, GoValue> map = HashMap.newHashMap(parts.length());
        int index = 0;
        for (GoValue part : parts.elements()) {
            map.put(GoString.ofBytes("_" + index), part);
            index++;
        }
        return new GoMap(STRING_MAP, map);
    }
}

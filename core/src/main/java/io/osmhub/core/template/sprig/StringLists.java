package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;
import static io.osmhub.core.template.sprig.Arguments.integer;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Texts to lists of texts and back. */
final class StringLists {
    private static final Type STRING_MAP = Type.mapOf(Type.STRING, Type.STRING);

    private StringLists() {}

    static void addTo(Registry registry) {
        registry.add("join", "func(string, interface {}) string", StringLists::join);
        registry.add(
                "toStrings",
                "func(interface {}) []string",
                (environment, arguments) -> asStrings(environment, arguments.getFirst()));
        registry.add("sortAlpha", "func(interface {}) []string", StringLists::sortAlpha);
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

    private static Value join(Environment environment, List<Value> arguments) {
        String separator = bytes(arguments, 0);
        List<String> texts = Texts.ofAll(environment, arguments.get(1));
        long length = (long) separator.length() * texts.size();
        for (String text : texts) {
            length += text.length();
        }
        Arguments.chargeText(environment, length);
        return Str.ofBytes(String.join(separator, texts));
    }

    private static Slice asStrings(Environment environment, Value value) {
        return value instanceof Slice list && list.type().equals(Type.STRINGS)
                ? list
                : Arguments.strings(environment, Texts.ofAll(environment, value));
    }

    // As in Go a []string is sorted in place, and all who hold it see that. One that its owner made unmodifiable is
    // copied.
    private static Value sortAlpha(Environment environment, List<Value> arguments) {
        Value value = arguments.getFirst();
        Slice list = value instanceof Slice
                ? asStrings(environment, value)
                : Arguments.strings(environment, List.of(Texts.of(environment, value)));
        int length = list.length();
        environment.charge((long) length * (1 + Integer.numberOfTrailingZeros(Integer.highestOneBit(length + 1))), 0);
        Comparator<Value> byBytes = Comparator.comparing(element -> ((Str) element).bytes());
        if (list.items() instanceof ArrayList<Value> items) {
            items.sort(byBytes);
            return list;
        }
        Arguments.chargeSlots(environment, length);
        List<Value> items = new ArrayList<>(list.elements());
        items.sort(byBytes);
        return new Slice(Type.STRINGS, items);
    }

    /** At most {@code limit} parts, all when it is negative; an empty separator separates characters. */
    private static Slice split(Environment environment, String subject, String separator, long limit) {
        Arguments.chargeSearch(environment, subject, separator);
        if (limit == 0) {
            return new Slice(Type.STRINGS, null);
        }
        List<String> parts = new ArrayList<>();
        int position = 0;
        while (limit < 0 || parts.size() < limit - 1) {
            int end = separator.isEmpty() ? characterEnd(subject, position) : subject.indexOf(separator, position);
            if (end < 0 || (separator.isEmpty() && end == subject.length())) {
                break;
            }
            environment.charge(1, Arguments.SLOT_BYTES);
            parts.add(subject.substring(position, end));
            position = end + separator.length();
        }
        if (!separator.isEmpty() || position < subject.length()) {
            parts.add(subject.substring(position));
        }
        return Arguments.strings(environment, parts);
    }

    private static int characterEnd(String subject, int start) {
        return start == subject.length() ? -1 : start + Runes.sizeAt(subject, start);
    }

    /** The parts under the keys {@code _0}, {@code _1} and so on. */
    private static Value numbered(Environment environment, Slice parts) {
        Arguments.chargeSlots(environment, 2L * parts.length());
        Map<Value, Value> map = HashMap.newHashMap(parts.length());
        int index = 0;
        for (Value part : parts.elements()) {
            map.put(Str.ofBytes("_" + index), part);
            index++;
        }
        return new MapValue(STRING_MAP, map);
    }
}

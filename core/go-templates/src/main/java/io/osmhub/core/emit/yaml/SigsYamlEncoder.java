package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlLayout;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTreeBuilder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes YAML as {@code sigs.k8s.io/yaml} does, which Kubernetes' own tools and kubeconfigs use: levels of two columns, lists not
 * indented under their keys, keys sorted, long lines folded at column 80.
 *
 * <p>It takes JSON and reads that as YAML. So numbers keep their type, and a few characters that JSON allows are refused
 * (U+007F) or change (U+0085 is a line break to YAML).
 */
public final class SigsYamlEncoder {
    private static final GoType ANY_MAP = GoType.mapOf(GoType.ANY, GoType.ANY);

    private SigsYamlEncoder() {}

    /** {@code yaml.Marshal}: what a value is as JSON, as YAML; bytes as chars. */
    public static String marshal(GoValue value) throws GoCallException {
        return survivesJson(value) ? write(value) : fromJson(GoJson.encode(value));
    }

    /** Whether the way over JSON changes nothing; it takes several times as long as the rest. */
    private static boolean survivesJson(GoValue value) {
        return switch (value) {
            case GoString text ->
                text.type() == GoType.STRING && text.bytes().chars().allMatch(c -> c >= ' ' && c < 0x7F);
            case GoMap map ->
                !map.isNil()
                        && map.elements().entrySet().stream()
                                .allMatch(entry -> survivesJson(entry.getKey()) && survivesJson(entry.getValue()));
            default -> false;
        };
    }

    /**
     * {@code yaml.JSONToYAML}. The text is bytes as chars.
     *
     * @throws GoCallException with the Go library's words for what YAML refuses
     */
    public static String fromJson(String json) throws GoCallException {
        YamlNode root = YamlNodeParser.parse(json, new NestingTracker(null));
        GoValue value = root == null ? GoNil.ANY : value(root);
        return write(value);
    }

    private static String write(GoValue value) throws GoCallException {
        return YamlEncoder.write(YamlLayout.V2, new YamlTreeBuilder(NaturalKeyOrder.V2, null).buildTree(value));
    }

    /** As version 2 of the library reads: keys of any type, the last of equal ones wins, no merge by a quoted key. */
    private static GoValue value(YamlNode node) throws GoCallException {
        return switch (node) {
            case YamlNode.Scalar scalar ->
                scalar.style() == YamlNode.Style.PLAIN
                        ? ImplicitTagResolver.resolve("", scalar.text())
                        : GoString.ofBytes(scalar.text());
            case YamlNode.Sequence sequence -> {
                List<GoValue> items = new ArrayList<>(sequence.items().size());
                for (YamlNode item : sequence.items()) {
                    items.add(value(item));
                }
                yield GoSlice.of(items);
            }
            case YamlNode.Mapping mapping -> {
                Map<GoValue, GoValue> entries = new HashMap<>();
                for (YamlNode.Entry entry : mapping.entries()) {
                    entries.put(value(entry.key()), value(entry.value()));
                }
                yield new GoMap(ANY_MAP, entries);
            }
            case YamlNode.Alias alias ->
                throw new GoCallException("yaml: unknown anchor '" + alias.name() + "' referenced");
        };
    }

    /**
     * The order of a map's keys: numbers and bools by size, before strings; strings in natural order, so that {@code a2} stands
     * before {@code a10}.
     */
    static final class NaturalKeyOrder implements Comparator<GoValue> {
        /** That of {@code yaml.v3}: within a number, letters come before further digits. */
        static final NaturalKeyOrder V3 = new NaturalKeyOrder(true);
        /** That of version 2: letters always come last. */
        static final NaturalKeyOrder V2 = new NaturalKeyOrder(false);

        private final boolean lettersEndNumbers;

        private NaturalKeyOrder(boolean lettersEndNumbers) {
            this.lettersEndNumbers = lettersEndNumbers;
        }

        @Override
        public int compare(GoValue left, GoValue right) {
            GoValue a = target(left);
            GoValue b = target(right);
            if (a instanceof GoString first && b instanceof GoString second) {
                return natural(
                        first.text().codePoints().toArray(),
                        second.text().codePoints().toArray());
            }
            if (isNumber(a) && isNumber(b)) {
                int order = Double.compare(size(a), size(b));
                if (order != 0) {
                    return order;
                }
                if (a.kind() == b.kind()) {
                    return exact(a, b);
                }
            }
            return a.kind().compareTo(b.kind());
        }

        private static GoValue target(GoValue value) {
            GoValue target = value;
            while (target instanceof GoPointer pointer && pointer.target() != null) {
                target = pointer.target();
            }
            return target;
        }

        private static boolean isNumber(GoValue value) {
            return value instanceof GoInt || value instanceof GoFloat || value instanceof GoBool;
        }

        private static double size(GoValue value) {
            return switch (value) {
                case GoInt integer when integer.kind().isSigned() -> integer.value();
                case GoInt integer -> (integer.value() >>> 1) * 2.0 + (integer.value() & 1);
                case GoFloat number -> number.value() + 0.0; // makes -0 equal to 0
                case GoBool bool -> bool.value() ? 1 : 0;
                default -> throw new IllegalArgumentException(value.type() + " is not a number");
            };
        }

        private static int exact(GoValue a, GoValue b) {
            if (a instanceof GoInt first && b instanceof GoInt second) {
                return first.kind().isSigned()
                        ? Long.compare(first.value(), second.value())
                        : Long.compareUnsigned(first.value(), second.value());
            }
            return 0;
        }

        private int natural(int[] a, int[] b) {
            boolean afterDigit = false;
            for (int i = 0; i < a.length && i < b.length; i++) {
                if (a[i] == b[i]) {
                    afterDigit = isDigit(a[i]);
                    continue;
                }
                boolean firstIsLetter = Character.isLetter(a[i]);
                boolean secondIsLetter = Character.isLetter(b[i]);
                if (firstIsLetter && secondIsLetter) {
                    return Integer.compare(a[i], b[i]);
                }
                if (firstIsLetter || secondIsLetter) {
                    return firstIsLetter == (afterDigit && lettersEndNumbers) ? -1 : 1;
                }
                return digits(a, b, i);
            }
            return Integer.compare(a.length, b.length);
        }

        /** Neither of the two characters at {@code i} is a letter: the numbers that begin there decide. */
        private static int digits(int[] a, int[] b, int i) {
            // Zeros within a number count, zeros before a number do not.
            long lead = (a[i] == '0' || b[i] == '0') && endsInNumber(a, i) ? 1 : 0;
            int firstEnd = digitsEnd(a, i);
            int secondEnd = digitsEnd(b, i);
            int order = Long.compare(number(a, i, firstEnd, lead), number(b, i, secondEnd, lead));
            if (order == 0) {
                order = Integer.compare(firstEnd, secondEnd);
            }
            return order == 0 ? Integer.compare(a[i], b[i]) : order;
        }

        private static boolean endsInNumber(int[] text, int end) {
            for (int i = end - 1; i >= 0 && isDigit(text[i]); i--) {
                if (text[i] != '0') {
                    return true;
                }
            }
            return false;
        }

        private static int digitsEnd(int[] text, int start) {
            int end = start;
            while (end < text.length && isDigit(text[end])) {
                end++;
            }
            return end;
        }

        /** Overflows like Go's int64 when there are very many digits. */
        private static long number(int[] text, int start, int end, long lead) {
            long number = lead;
            for (int i = start; i < end; i++) {
                number = number * 10 + (text[i] - '0');
            }
            return number;
        }

        private static boolean isDigit(int codePoint) {
            return Character.getType(codePoint) == Character.DECIMAL_DIGIT_NUMBER;
        }
    }
}

package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bytes;
import static io.osmhub.core.template.sprig.SprigArguments.integer;
import static io.osmhub.core.template.sprig.SprigArguments.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** Functions from text to text: trimming, cutting, padding, quoting, replacing. Case and words are in {@link CaseFunctions}. */
final class StringFunctions {
    private static final String TEXT_TO_TEXT = "func(string) string";
    private static final int LOOK_UPS_PER_STEP = 64;
    private static final String TWO_TEXTS_TO_TEXT = "func(string, string) string";

    private StringFunctions() {}

    static void addTo(FunctionRegistry registry) {
        registry.add("hello", "func() string", (environment, arguments) -> GoString.of("Hello!"));

        ofOne(registry, "trim", Runes::trimSpace);
        for (String name : List.of("trimAll", "trimall")) {
            registry.add(name, TWO_TEXTS_TO_TEXT, (environment, arguments) -> {
                String cutset = bytes(arguments, 0);
                String subject = bytes(arguments, 1);
                environment.charge(1 + (long) cutset.length() * subject.length() / LOOK_UPS_PER_STEP, 0);
                return text(environment, Runes.trim(subject, cutset));
            });
        }
        ofTwo(
                registry,
                "trimPrefix",
                (prefix, subject) -> subject.startsWith(prefix) ? subject.substring(prefix.length()) : subject);
        ofTwo(
                registry,
                "trimSuffix",
                (suffix, subject) ->
                        subject.endsWith(suffix) ? subject.substring(0, subject.length() - suffix.length()) : subject);

        test(registry, "contains", (needle, subject) -> subject.contains(needle));
        test(registry, "hasPrefix", (prefix, subject) -> subject.startsWith(prefix));
        test(registry, "hasSuffix", (suffix, subject) -> subject.endsWith(suffix));

        registry.add("trunc", "func(int, string) string", StringFunctions::trunc);
        registry.add("substr", "func(int, int, string) string", StringFunctions::substr);
        registry.add("repeat", "func(int, string) string", StringFunctions::repeat);
        registry.add("replace", "func(string, string, string) string", StringFunctions::replace);
        registry.add(
                "indent",
                "func(int, string) string",
                (environment, arguments) -> GoString.ofBytes(indented(environment, "", arguments)));
        registry.add(
                "nindent",
                "func(int, string) string",
                (environment, arguments) -> GoString.ofBytes(indented(environment, "\n", arguments)));

        registry.add("quote", "func(...interface {}) string", StringFunctions::quote);
        registry.add("squote", "func(...interface {}) string", StringFunctions::squote);
        registry.add("cat", "func(...interface {}) string", StringFunctions::cat);
        registry.add(
                "toString",
                "func(interface {}) string",
                (environment, arguments) -> GoString.ofBytes(TextConversion.toText(environment, arguments.getFirst())));
        registry.add(
                "plural",
                "func(string, string, int) string",
                (environment, arguments) -> arguments.get(integer(arguments, 2) == 1 ? 0 : 1));
        registry.add("shuffle", TEXT_TO_TEXT, StringFunctions::shuffle);
    }

    /** A function of one text, charged by the length of its argument and result. */
    static void ofOne(FunctionRegistry registry, String name, UnaryOperator<String> change) {
        registry.add(name, TEXT_TO_TEXT, (environment, arguments) -> {
            String subject = bytes(arguments, 0);
            SprigArguments.chargeReading(environment, subject.length());
            return text(environment, change.apply(subject));
        });
    }

    private static void ofTwo(FunctionRegistry registry, String name, BiFunction<String, String, String> change) {
        registry.add(name, TWO_TEXTS_TO_TEXT, (environment, arguments) -> {
            String subject = bytes(arguments, 1);
            SprigArguments.chargeSearch(environment, subject, bytes(arguments, 0));
            return text(environment, change.apply(bytes(arguments, 0), subject));
        });
    }

    private static void test(FunctionRegistry registry, String name, BiPredicate<String, String> check) {
        registry.add(name, "func(string, string) bool", (environment, arguments) -> {
            String subject = bytes(arguments, 1);
            SprigArguments.chargeSearch(environment, subject, bytes(arguments, 0));
            return GoBool.of(check.test(bytes(arguments, 0), subject));
        });
    }

    // A negative count keeps the tail; a count beyond the text keeps all of it.
    private static GoValue trunc(ExecutionEnvironment environment, List<GoValue> arguments) {
        long count = integer(arguments, 0);
        String subject = bytes(arguments, 1);
        int length = subject.length();
        if (count < 0 && length + count > 0) {
            return text(environment, subject.substring((int) (length + count)));
        }
        return count >= 0 && count < length
                ? text(environment, subject.substring(0, (int) count))
                : GoString.ofBytes(subject);
    }

    private static GoValue substr(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        long start = integer(arguments, 0);
        long end = integer(arguments, 1);
        String subject = bytes(arguments, 2);
        int length = subject.length();
        if (start < 0) {
            return text(environment, slice(subject, 0, end, "[:" + end + "]"));
        }
        if (end < 0 || end > length) {
            return text(environment, slice(subject, start, length, "[" + start + ":" + length + "]"));
        }
        return text(environment, slice(subject, start, end, "[" + start + ":" + end + "]"));
    }

    private static String slice(String subject, long start, long end, String bounds) throws GoCallException {
        if (end > subject.length()) {
            throw new GoCallException(
                    "runtime error: slice bounds out of range [:" + end + "] with length " + subject.length());
        }
        if (end < 0 || start > end) {
            throw new GoCallException("runtime error: slice bounds out of range " + bounds);
        }
        return subject.substring((int) start, (int) end);
    }

    private static GoValue repeat(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        return GoString.ofBytes(repeated(environment, bytes(arguments, 1), integer(arguments, 0)));
    }

    /** The text {@code count} times; charged before it is made. */
    private static String repeated(ExecutionEnvironment environment, String subject, long count)
            throws GoCallException {
        if (count < 0) {
            throw new GoCallException("strings: negative Repeat count");
        }
        if (subject.isEmpty() || count == 0) {
            return "";
        }
        if (count > Long.MAX_VALUE / subject.length()) {
            throw new GoCallException("strings: Repeat output length overflow");
        }
        SprigArguments.chargeText(environment, count * subject.length());
        return subject.repeat(Math.toIntExact(count));
    }

    private static GoValue replace(ExecutionEnvironment environment, List<GoValue> arguments) {
        String old = bytes(arguments, 0);
        String by = bytes(arguments, 1);
        String subject = bytes(arguments, 2);
        SprigArguments.chargeSearch(environment, subject, old);
        if (old.isEmpty()) {
            return GoString.ofBytes(interspersed(environment, subject, by));
        }
        int first = subject.indexOf(old);
        if (first < 0) {
            return GoString.ofBytes(subject);
        }
        long count = occurrences(subject, old, first);
        SprigArguments.chargeText(environment, subject.length() + count * (by.length() - old.length()));
        StringBuilder replaced = new StringBuilder();
        int position = 0;
        for (int at = first; at >= 0; at = subject.indexOf(old, position)) {
            replaced.append(subject, position, at).append(by);
            position = at + old.length();
        }
        return GoString.ofBytes(
                replaced.append(subject, position, subject.length()).toString());
    }

    private static long occurrences(String subject, String needle, int first) {
        long count = 0;
        for (int at = first; at >= 0; at = subject.indexOf(needle, at + needle.length())) {
            count++;
        }
        return count;
    }

    /** An empty text is found before each character and at the end. */
    private static String interspersed(ExecutionEnvironment environment, String subject, String by) {
        SprigArguments.chargeText(environment, subject.length() + (Utf8Runes.count(subject) + 1L) * by.length());
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < subject.length(); ) {
            int end = i + Runes.sizeAt(subject, i);
            result.append(by).append(subject, i, end);
            i = end;
        }
        return result.append(by).toString();
    }

    private static String indented(ExecutionEnvironment environment, String before, List<GoValue> arguments)
            throws GoCallException {
        long width = integer(arguments, 0);
        String subject = bytes(arguments, 1);
        if (width < 0) {
            throw new GoCallException("strings: negative Repeat count");
        }
        long lines = subject.chars().filter(c -> c == '\n').count() + 1;
        if (width > Integer.MAX_VALUE) {
            SprigArguments.chargeText(environment, width);
            throw new GoCallException("runtime error: makeslice: len out of range");
        }
        SprigArguments.chargeText(environment, before.length() + subject.length() + width * lines);
        String padding = " ".repeat((int) width);
        StringBuilder result = new StringBuilder(before).append(padding);
        int position = 0;
        for (int end = subject.indexOf('\n'); end >= 0; end = subject.indexOf('\n', position)) {
            result.append(subject, position, end + 1).append(padding);
            position = end + 1;
        }
        return result.append(subject, position, subject.length()).toString();
    }

    private static GoValue quote(ExecutionEnvironment environment, List<GoValue> arguments) {
        StringBuilder quoted = new StringBuilder();
        for (GoValue argument : arguments) {
            if (!(argument instanceof GoNil)) {
                String plain = TextConversion.toText(environment, argument);
                SprigArguments.chargeText(environment, plain.length());
                quoted.append(quoted.isEmpty() ? "" : " ").append(GoQuote.quote(plain));
            }
        }
        return text(environment, quoted.toString());
    }

    private static GoValue squote(ExecutionEnvironment environment, List<GoValue> arguments) {
        StringBuilder quoted = new StringBuilder();
        for (GoValue argument : arguments) {
            if (!(argument instanceof GoNil)) {
                quoted.append(quoted.isEmpty() ? "'" : " '");
                quoted.append(TextConversion.print(environment, argument)).append('\'');
            }
        }
        return text(environment, quoted.toString());
    }

    private static GoValue cat(ExecutionEnvironment environment, List<GoValue> arguments) {
        StringBuilder joined = new StringBuilder();
        boolean first = true;
        for (GoValue argument : arguments) {
            if (!(argument instanceof GoNil)) {
                joined.append(first ? "" : " ").append(TextConversion.print(environment, argument));
                first = false;
            }
        }
        return text(environment, joined.toString());
    }

    private static GoValue shuffle(ExecutionEnvironment environment, List<GoValue> arguments) {
        String subject = bytes(arguments, 0);
        SprigArguments.chargeSlots(environment, subject.length());
        int[] runes = new int[Utf8Runes.count(subject)];
        int at = 0;
        for (int i = 0; i < runes.length; i++) {
            runes[i] = Runes.at(subject, at);
            at += Runes.sizeAt(subject, at);
        }
        RandomGenerator random = environment.random();
        for (int i = runes.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = runes[i];
            runes[i] = runes[other];
            runes[other] = kept;
        }
        StringBuilder shuffled = new StringBuilder();
        for (int rune : runes) {
            Utf8Runes.append(shuffled, rune);
        }
        return text(environment, shuffled.toString());
    }
}

package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;
import static io.osmhub.core.template.sprig.Arguments.integer;
import static io.osmhub.core.template.sprig.Arguments.text;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** Functions from text to text: trimming, cutting, padding, quoting, replacing. Case and words are in {@link Casing}. */
final class Strings {
    private static final String TEXT_TO_TEXT = "func(string) string";
    private static final int LOOK_UPS_PER_STEP = 64;
    private static final String TWO_TEXTS_TO_TEXT = "func(string, string) string";

    private Strings() {}

    static void addTo(Registry registry) {
        registry.add("hello", "func() string", (environment, arguments) -> Str.of("Hello!"));

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

        registry.add("trunc", "func(int, string) string", Strings::trunc);
        registry.add("substr", "func(int, int, string) string", Strings::substr);
        registry.add("repeat", "func(int, string) string", Strings::repeat);
        registry.add("replace", "func(string, string, string) string", Strings::replace);
        registry.add(
                "indent",
                "func(int, string) string",
                (environment, arguments) -> Str.ofBytes(indented(environment, "", arguments)));
        registry.add(
                "nindent",
                "func(int, string) string",
                (environment, arguments) -> Str.ofBytes(indented(environment, "\n", arguments)));

        registry.add("quote", "func(...interface {}) string", Strings::quote);
        registry.add("squote", "func(...interface {}) string", Strings::squote);
        registry.add("cat", "func(...interface {}) string", Strings::cat);
        registry.add(
                "toString",
                "func(interface {}) string",
                (environment, arguments) -> Str.ofBytes(Texts.of(environment, arguments.getFirst())));
        registry.add(
                "plural",
                "func(string, string, int) string",
                (environment, arguments) -> arguments.get(integer(arguments, 2) == 1 ? 0 : 1));
        registry.add("shuffle", TEXT_TO_TEXT, Strings::shuffle);
    }

    /** A function of one text, charged by the length of what it is given and of what it answers. */
    static void ofOne(Registry registry, String name, UnaryOperator<String> change) {
        registry.add(name, TEXT_TO_TEXT, (environment, arguments) -> {
            String subject = bytes(arguments, 0);
            Arguments.chargeReading(environment, subject.length());
            return text(environment, change.apply(subject));
        });
    }

    private static void ofTwo(Registry registry, String name, BiFunction<String, String, String> change) {
        registry.add(name, TWO_TEXTS_TO_TEXT, (environment, arguments) -> {
            String subject = bytes(arguments, 1);
            Arguments.chargeSearch(environment, subject, bytes(arguments, 0));
            return text(environment, change.apply(bytes(arguments, 0), subject));
        });
    }

    private static void test(Registry registry, String name, BiPredicate<String, String> check) {
        registry.add(name, "func(string, string) bool", (environment, arguments) -> {
            String subject = bytes(arguments, 1);
            Arguments.chargeSearch(environment, subject, bytes(arguments, 0));
            return Bool.of(check.test(bytes(arguments, 0), subject));
        });
    }

    // A negative count keeps the tail; a count beyond the text keeps all of it.
    private static Value trunc(Environment environment, List<Value> arguments) {
        long count = integer(arguments, 0);
        String subject = bytes(arguments, 1);
        int length = subject.length();
        if (count < 0 && length + count > 0) {
            return text(environment, subject.substring((int) (length + count)));
        }
        return count >= 0 && count < length
                ? text(environment, subject.substring(0, (int) count))
                : Str.ofBytes(subject);
    }

    private static Value substr(Environment environment, List<Value> arguments) throws CallFailure {
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

    private static String slice(String subject, long start, long end, String bounds) throws CallFailure {
        if (end > subject.length()) {
            throw new CallFailure(
                    "runtime error: slice bounds out of range [:" + end + "] with length " + subject.length());
        }
        if (end < 0 || start > end) {
            throw new CallFailure("runtime error: slice bounds out of range " + bounds);
        }
        return subject.substring((int) start, (int) end);
    }

    private static Value repeat(Environment environment, List<Value> arguments) throws CallFailure {
        return Str.ofBytes(repeated(environment, bytes(arguments, 1), integer(arguments, 0)));
    }

    /** The text {@code count} times; charged before it is made. */
    private static String repeated(Environment environment, String subject, long count) throws CallFailure {
        if (count < 0) {
            throw new CallFailure("strings: negative Repeat count");
        }
        if (subject.isEmpty() || count == 0) {
            return "";
        }
        if (count > Long.MAX_VALUE / subject.length()) {
            throw new CallFailure("strings: Repeat output length overflow");
        }
        Arguments.chargeText(environment, count * subject.length());
        return subject.repeat(Math.toIntExact(count));
    }

    private static Value replace(Environment environment, List<Value> arguments) {
        String old = bytes(arguments, 0);
        String by = bytes(arguments, 1);
        String subject = bytes(arguments, 2);
        Arguments.chargeSearch(environment, subject, old);
        if (old.isEmpty()) {
            return Str.ofBytes(interspersed(environment, subject, by));
        }
        int first = subject.indexOf(old);
        if (first < 0) {
            return Str.ofBytes(subject);
        }
        long count = occurrences(subject, old, first);
        Arguments.chargeText(environment, subject.length() + count * (by.length() - old.length()));
        StringBuilder replaced = new StringBuilder();
        int position = 0;
        for (int at = first; at >= 0; at = subject.indexOf(old, position)) {
            replaced.append(subject, position, at).append(by);
            position = at + old.length();
        }
        return Str.ofBytes(replaced.append(subject, position, subject.length()).toString());
    }

    private static long occurrences(String subject, String needle, int first) {
        long count = 0;
        for (int at = first; at >= 0; at = subject.indexOf(needle, at + needle.length())) {
            count++;
        }
        return count;
    }

    /** An empty text is found before each character and at the end. */
    private static String interspersed(Environment environment, String subject, String by) {
        Arguments.chargeText(environment, subject.length() + (Utf8.count(subject) + 1L) * by.length());
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < subject.length(); ) {
            int end = i + Runes.sizeAt(subject, i);
            result.append(by).append(subject, i, end);
            i = end;
        }
        return result.append(by).toString();
    }

    private static String indented(Environment environment, String before, List<Value> arguments) throws CallFailure {
        long width = integer(arguments, 0);
        String subject = bytes(arguments, 1);
        if (width < 0) {
            throw new CallFailure("strings: negative Repeat count");
        }
        long lines = subject.chars().filter(c -> c == '\n').count() + 1;
        if (width > Integer.MAX_VALUE) {
            Arguments.chargeText(environment, width);
            throw new CallFailure("runtime error: makeslice: len out of range");
        }
        Arguments.chargeText(environment, before.length() + subject.length() + width * lines);
        String padding = " ".repeat((int) width);
        StringBuilder result = new StringBuilder(before).append(padding);
        int position = 0;
        for (int end = subject.indexOf('\n'); end >= 0; end = subject.indexOf('\n', position)) {
            result.append(subject, position, end + 1).append(padding);
            position = end + 1;
        }
        return result.append(subject, position, subject.length()).toString();
    }

    private static Value quote(Environment environment, List<Value> arguments) {
        StringBuilder quoted = new StringBuilder();
        for (Value argument : arguments) {
            if (!(argument instanceof Nil)) {
                String plain = Texts.of(environment, argument);
                Arguments.chargeText(environment, plain.length());
                quoted.append(quoted.isEmpty() ? "" : " ").append(GoQuote.quote(plain));
            }
        }
        return text(environment, quoted.toString());
    }

    private static Value squote(Environment environment, List<Value> arguments) {
        StringBuilder quoted = new StringBuilder();
        for (Value argument : arguments) {
            if (!(argument instanceof Nil)) {
                quoted.append(quoted.isEmpty() ? "'" : " '");
                quoted.append(Texts.printed(environment, argument)).append('\'');
            }
        }
        return text(environment, quoted.toString());
    }

    private static Value cat(Environment environment, List<Value> arguments) {
        StringBuilder joined = new StringBuilder();
        boolean first = true;
        for (Value argument : arguments) {
            if (!(argument instanceof Nil)) {
                joined.append(first ? "" : " ").append(Texts.printed(environment, argument));
                first = false;
            }
        }
        return text(environment, joined.toString());
    }

    private static Value shuffle(Environment environment, List<Value> arguments) {
        String subject = bytes(arguments, 0);
        Arguments.chargeSlots(environment, subject.length());
        int[] runes = new int[Utf8.count(subject)];
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
            Utf8.append(shuffled, rune);
        }
        return text(environment, shuffled.toString());
    }
}

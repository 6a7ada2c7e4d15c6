package io.osmhub.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No regular expression of {@code java.util.regex} backtracks far or recurses deeply, whatever it is given. */
final class RegularExpressionsTest {
    private static final int CHARS = 20_000;
    private static final int STEPS_PER_CHAR = 300;
    /** Of a thread unless it is started with another one. */
    private static final long STACK_BYTES = 1L << 20;

    /** Classes whose texts are never longer, by the class. */
    private static final Map<String, Integer> BOUNDED = Map.of(
            // Messages, which MessageFormatter cuts.
            "BrokenLinkSummary", 1_024,
            // Host names.
            "CertificateIssuer", 253,
            // Checks the length first.
            "ServerAddress", 2_048);

    private static final List<String> PARTS = List.of(
            "a",
            "A",
            "0",
            "1",
            ".",
            "-",
            "=",
            ":",
            ",",
            "/",
            " ",
            "\t",
            "\n",
            "\"",
            "'",
            "[",
            "(",
            "{{",
            "#",
            "\\",
            "@",
            "- ",
            "a.",
            "a-",
            "-a",
            "a/",
            "a: ",
            "a,",
            "a=",
            "a b",
            "1:",
            "1.",
            "0:1",
            "eyJ",
            "://",
            "a://",
            "\\u00",
            "q=",
            "A-",
            "A_",
            "_A",
            "!a",
            "a in (",
            "0,",
            "0, B",
            "x already belongs to MachineDeployment ",
            "User \"",
            "<redacted:",
            "%3Credacted",
            "| `a` | a",
            "-----BEGIN CERTIFICATE-----",
            "since ",
            ", ");

    /** Thrown out of a matcher that looks at too many characters. */
    private static final class TooManyStepsException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Counts what a matcher looks at. */
    private static final class CountingText implements CharSequence {
        private static final long MOST = (long) STEPS_PER_CHAR * CHARS;

        private final String text;
        private long steps;

        CountingText(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++steps > MOST) {
                throw new TooManyStepsException();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }
    }

    private static Map<String, Pattern> patterns() throws ReflectiveOperationException {
        Map<String, Pattern> patterns = new TreeMap<>();
        List<JavaField> fields = new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .withImportOption(
                                location -> !location.contains("-tests.jar") && !location.contains("/test-classes/"))
                        .importPackages("io.osmhub")
                        .stream()
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> field.getRawType().isEquivalentTo(Pattern.class))
                        .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                        .toList();
        for (JavaField each : fields) {
            Field field = Class.forName(each.getOwner().getName()).getDeclaredField(each.getName());
            field.setAccessible(true);
            patterns.put(each.getOwner().getSimpleName() + "." + each.getName(), (Pattern) field.get(null));
        }
        return patterns;
    }

    @Test
    void everyPatternTakesFewStepsForEachCharacter() throws Exception {
        Map<String, Pattern> patterns = patterns();
        List<String> failures = new ArrayList<>();
        Thread thread = new Thread(
                null,
                () -> patterns.forEach((name, pattern) -> attack(name, pattern, failures)),
                "attack",
                STACK_BYTES);
        thread.start();
        thread.join();

        assertThat(patterns).hasSizeGreaterThan(30);
        assertThat(failures).isEmpty();
    }

    private static void attack(String name, Pattern pattern, List<String> failures) {
        int length = BOUNDED.getOrDefault(name.substring(0, name.indexOf('.')), CHARS);
        for (String part : PARTS) {
            for (String end : List.of("", "\u0000")) {
                CountingText text = new CountingText(part.repeat(length / part.length()) + end);
                try {
                    pattern.matcher(text).matches();
                    Matcher matcher = pattern.matcher(text);
                    while (matcher.find()) {}
                } catch (StackOverflowError | TooManyStepsException e) {
                    failures.add(
                            name + " with " + part.strip() + ": " + e.getClass().getSimpleName());
                }
            }
        }
    }
}

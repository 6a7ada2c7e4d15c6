package io.osmhub.core.fuzz;

import java.util.List;
import java.util.random.RandomGenerator;

/** Random choices of one case. */
record Chance(RandomGenerator random) {
    /** Texts at the edges of what readers expect. */
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "a",
            "0",
            "-1",
            "true",
            "null",
            "~",
            "1.31.0",
            ">= 1.30.0, < 2",
            "^1.2.x || ~3 - 4",
            "10.0.0.0/8",
            "fd00::1",
            "https://user:pw@example.org:6443/a?b=c#d",
            "a=b,c=d",
            "a: b",
            "- x",
            "[1, {\"a\": null}]",
            "{\"a\": [1, 2.5e3, \"x\"]}",
            "key: {nested: [1, 2]}\nother: |\n  text\n",
            "&a [*a]",
            "a = 1\n[b]\nc = [1, 'x']\n",
            "2026-01-02T03:04:05Z",
            "1h30m",
            "%d %v %#x %s %[3]*.[2]*[1]f",
            "(a|b)*c+?[^x-z]{2,5}",
            "((((a{100}){100}){100}){100})",
            "\\",
            "'\"`",
            "\t\r\n",
            "\0",
            "\u0085\u2028\u2029\uFEFF",
            "\uD83D\uDE00",
            "\u00DF\u0130",
            "{{",
            "}}",
            "{{ .Token }}",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            "dGV4dA==",
            "not base64!");

    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "2",
            "3",
            "7",
            "-1",
            "10",
            "63",
            "64",
            "100",
            "255",
            "1000",
            "65536",
            "1000000",
            "2147483647",
            "2147483648",
            "9007199254740993",
            "9223372036854775807",
            "-9223372036854775808",
            "18446744073709551615",
            "0.5",
            "-2.75",
            "1e3",
            "1e308",
            "0x1F",
            "0b11",
            "0o17",
            "1_000");

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    <T> T of(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    String number() {
        return oneIn(3) ? String.valueOf(below(20)) : of(NUMBERS);
    }

    String text() {
        return oneIn(40) ? of(TEXTS).repeat(1 + below(200)) : of(TEXTS);
    }

    /** Any character, likely one that means something to a reader. */
    char character() {
        String special = "{}()[]<>\"'`\\|.,:;#*&!%@-+=/~?$ \n\t\r\0\u0007\u007F\u0085\u00A0\u2028\uFEFF\uD800\uFFFF";
        return oneIn(2) ? special.charAt(below(special.length())) : (char) (32 + below(95));
    }
}

package io.osmhub.core.lint;

import io.osmhub.core.problem.MessageFormatter;

/** Shortens quotations in messages. */
final class Excerpt {
    private static final int LONGEST = 60;

    private Excerpt() {}

    static String of(String text) {
        String clean = MessageFormatter.sanitize(text);
        return clean.codePointCount(0, clean.length()) <= LONGEST
                ? clean
                : clean.substring(0, clean.offsetByCodePoints(0, LONGEST)) + "...";
    }
}

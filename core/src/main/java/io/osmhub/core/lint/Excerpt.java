package io.osmhub.core.lint;

import io.osmhub.core.problem.Message;

/** Shortens what a message quotes. */
final class Excerpt {
    private static final int LONGEST = 60;

    private Excerpt() {}

    static String of(String text) {
        String clean = Message.clean(text);
        return clean.codePointCount(0, clean.length()) <= LONGEST
                ? clean
                : clean.substring(0, clean.offsetByCodePoints(0, LONGEST)) + "...";
    }
}

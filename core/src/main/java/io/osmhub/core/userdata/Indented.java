package io.osmhub.core.userdata;

/** Moves every line of a text in, also the empty one behind a final line break. */
final class Indented {
    private Indented() {}

    static void append(StringBuilder out, int depth, String text) {
        int from = 0;
        while (true) {
            out.repeat(' ', depth);
            int end = text.indexOf('\n', from);
            if (end < 0) {
                out.append(text, from, text.length());
                return;
            }
            out.append(text, from, end + 1);
            from = end + 1;
        }
    }
}

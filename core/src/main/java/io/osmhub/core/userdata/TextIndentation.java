package io.osmhub.core.userdata;

/** Indents every line of a text, including the empty one after a final line break. */
final class TextIndentation {
    private TextIndentation() {}

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

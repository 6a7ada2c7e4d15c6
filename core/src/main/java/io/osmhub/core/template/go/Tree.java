package io.osmhub.core.template.go;

import io.osmhub.core.golang.text.Utf8;
import java.util.List;

/**
 * One template: the main one of a source, or one that was defined in it.
 *
 * @param source the text that positions count in
 */
record Tree(String name, String source, List<Node.Statement> body) {
    Tree {
        body = List.copyOf(body);
    }

    /** Whether it is nothing but blanks; such a definition gives way to any other. */
    boolean isEmpty() {
        for (Node.Statement statement : body) {
            if (!(statement instanceof Node.Text text) || !isBlank(text.text())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(String bytes) {
        for (int i = 0; i < bytes.length(); ) {
            int rune = Utf8.runeAt(bytes, i);
            if (rune == Utf8.BROKEN || !isBlank(rune)) {
                return false;
            }
            i += Utf8.size(rune);
        }
        return true;
    }

    /** Unicode's blanks, which are not quite those of Java. */
    private static boolean isBlank(int rune) {
        return rune >= '\t' && rune <= '\r' || rune == 0x85 || Character.isSpaceChar(rune);
    }
}

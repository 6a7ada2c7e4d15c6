package io.osmhub.core.template.go;

import io.osmhub.core.golang.text.Utf8Runes;
import java.util.List;

/**
 * One template: the main one of a source, or one defined in it.
 *
 * @param source the text for positions
 */
record TemplateTree(String name, String source, List<TemplateNode.Statement> body) {
    TemplateTree {
        body = List.copyOf(body);
    }

    /** Whether it is all blanks; such a definition does not replace another. */
    boolean isEmpty() {
        for (TemplateNode.Statement statement : body) {
            if (!(statement instanceof TemplateNode.Text text) || !isBlank(text.text())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(String bytes) {
        for (int i = 0; i < bytes.length(); ) {
            int rune = Utf8Runes.runeAt(bytes, i);
            if (rune == Utf8Runes.BROKEN || !isBlank(rune)) {
                return false;
            }
            i += Utf8Runes.size(rune);
        }
        return true;
    }

    /** Unicode's blanks, which differ from Java's. */
    private static boolean isBlank(int rune) {
        return rune >= '\t' && rune <= '\r' || rune == 0x85 || Character.isSpaceChar(rune);
    }
}

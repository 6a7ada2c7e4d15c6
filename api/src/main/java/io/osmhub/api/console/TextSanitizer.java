package io.osmhub.api.console;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes text from a cluster safe to read: marks characters that act on the page or a terminal, and lookalikes. Everything that a
 * page prints passes through here, in {@link Markup} and nowhere else.
 *
 * <p>Marked are controls, formats (directions, zero width, tags), private use, unassigned characters, separators other than a
 * space, piles of combining marks, and letters of lookalike scripts inside a Latin word. Words wholly in another script are
 * unmarked.
 */
final class TextSanitizer {
    /** Maximum displayed length of a name: that of a Kubernetes object. */
    static final int NAME = 253;
    /** Maximum displayed length of a message: that of the API's contract. */
    static final int MESSAGE = 1_024;
    /** Maximum displayed length of a document's line. */
    static final int LINE = 4_096;

    /** A run of one kind. {@code marked} runs are code points as text, such as {@code U+202E}. */
    record Piece(String text, boolean marked) {
        /** Names have none. */
        static final Piece LINE_BREAK = new Piece("\n", false);
    }

    private static final int MOST_COMBINING = 3;

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}\\p{Nd}_]+");

    /** Scripts that are not mistaken for Latin and commonly appear beside it in names. */
    private static final Set<UnicodeScript> UNLIKE_LATIN = EnumSet.of(
            UnicodeScript.LATIN,
            UnicodeScript.COMMON,
            UnicodeScript.INHERITED,
            UnicodeScript.HAN,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KATAKANA,
            UnicodeScript.HANGUL,
            UnicodeScript.BOPOMOFO);

    private TextSanitizer() {}

    /** The pieces of a text; one longer than {@code most} UTF-16 units ends with the number of omitted characters. */
    static void pieces(String text, int most, List<Piece> into) {
        int end = text.length() <= most ? text.length() : cut(text, most);
        boolean[] foreign = foreign(text, end);
        StringBuilder plain = new StringBuilder();
        int combining = 0;
        for (int at = 0, step; at < end; at += step) {
            int point = text.codePointAt(at);
            step = Character.charCount(point);
            combining = isCombining(point) ? combining + 1 : 0;
            if (point == '\n' && most != NAME) {
                flush(plain, into);
                into.add(Piece.LINE_BREAK);
            } else if (foreign[at] || combining > MOST_COMBINING || isControl(point)) {
                flush(plain, into);
                into.add(new Piece(String.format(Locale.ROOT, "U+%04X", point), true));
            } else {
                plain.appendCodePoint(point);
            }
        }
        flush(plain, into);
        if (end < text.length()) {
            into.add(new Piece(String.format(Locale.ROOT, "and %,d more characters", text.length() - end), true));
        }
    }

    /** The same as plain text, for attributes and titles. */
    static String flat(String text, int most) {
        List<Piece> pieces = new ArrayList<>();
        pieces(text, most, pieces);
        StringBuilder flat = new StringBuilder();
        for (Piece piece : pieces) {
            flat.append(piece.marked() ? "[" + piece.text() + "]" : piece.text());
        }
        return flat.toString();
    }

    private static void flush(StringBuilder plain, List<Piece> into) {
        if (!plain.isEmpty()) {
            into.add(new Piece(plain.toString(), false));
            plain.setLength(0);
        }
    }

    private static int cut(String text, int most) {
        return Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    }

    private static boolean isCombining(int point) {
        return switch (Character.getType(point)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }

    private static boolean isControl(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            case Character.SPACE_SEPARATOR -> point != ' ';
            default -> isBlank(point);
        };
    }

    /** Invisible letters and marks: fillers, variation selectors, the grapheme joiner, the blank Braille cell. */
    private static boolean isBlank(int point) {
        return point == 0x034F
                || point == 0x115F
                || point == 0x1160
                || point == 0x17B4
                || point == 0x17B5
                || point == 0x2800
                || point == 0x3164
                || point == 0xFFA0
                || point >= 0xFE00 && point <= 0xFE0F
                || point >= 0xE0100 && point <= 0xE01EF
                || point >= 0x180B && point <= 0x180F;
    }

    /** Positions of Latin lookalikes inside words with Latin letters. */
    private static boolean[] foreign(String text, int end) {
        boolean[] foreign = new boolean[end];
        if (text.chars().limit(end).allMatch(c -> c < 0x80)) {
            return foreign;
        }
        Matcher words = WORD.matcher(text).region(0, end);
        while (words.find()) {
            String word = words.group();
            if (word.codePoints().anyMatch(TextSanitizer::isLatin)) {
                for (int at = words.start(), step; at < words.end(); at += step) {
                    int point = text.codePointAt(at);
                    step = Character.charCount(point);
                    foreign[at] = passesForLatin(point);
                }
            }
        }
        return foreign;
    }

    private static boolean isLatin(int point) {
        return Character.isLetter(point) && UnicodeScript.of(point) == UnicodeScript.LATIN && !isStyled(point);
    }

    private static boolean passesForLatin(int point) {
        return Character.isLetter(point) && !UNLIKE_LATIN.contains(UnicodeScript.of(point))
                || Character.isLetterOrDigit(point) && isStyled(point);
    }

    /** Styled Latin letters and digits: full width and mathematical alphabets. */
    private static boolean isStyled(int point) {
        return point >= 0xFF01 && point <= 0xFF5E || point >= 0x1D400 && point <= 0x1D7FF;
    }
}

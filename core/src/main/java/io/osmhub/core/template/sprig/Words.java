package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.text.Utf8;

/** Walks over a text word by word. A word is a run of characters of one sort; stray bytes belong to what follows them. */
final class Words {
    enum Sort {
        CONNECTOR,
        PUNCTUATION,
        /** Begins with a capital: {@code HTTP} as well as {@code Server}. */
        UPPER,
        /** Letters without a capital. */
        LOWER,
        NUMBER,
        /** Symbols and Chinese characters. */
        OTHER,
        END
    }

    private final String bytes;
    private int start;
    private int end;
    private Sort sort = Sort.END;

    Words(String bytes) {
        this.bytes = bytes;
    }

    Sort sort() {
        return sort;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    boolean atEnd() {
        return start == bytes.length();
    }

    /** Goes to the next word; at the end its sort is {@link Sort#END}. */
    void next() {
        start = end;
        int first = validFrom(start);
        if (first == bytes.length()) {
            end = first;
            sort = Sort.END;
            return;
        }
        int rune = Utf8.runeAt(bytes, first);
        end = first + Utf8.size(rune);
        sort = sortOf(rune);
        if (sort == Sort.UPPER) {
            extendCapital();
        } else {
            extend(sort);
        }
    }

    private void extend(Sort wanted) {
        while (end < bytes.length()) {
            int at = validFrom(end);
            if (at < bytes.length()) {
                int rune = Utf8.runeAt(bytes, at);
                // Hyphens and underscores connect words, but behind other punctuation they are just more of it.
                boolean more = wanted == Sort.PUNCTUATION ? Runes.isPunctuation(rune) : sortOf(rune) == wanted;
                if (!more) {
                    return;
                }
                at += Utf8.size(rune);
            }
            end = at;
        }
    }

    /** After capitals the last one begins the next word if other letters follow: {@code HTTP} and {@code Server}. */
    private void extendCapital() {
        int second = validFrom(end);
        if (second == bytes.length()) {
            end = second;
            return;
        }
        Sort follower = sortOf(Utf8.runeAt(bytes, second));
        if (follower == Sort.LOWER) {
            extend(Sort.LOWER);
            return;
        }
        int beforeLast = end;
        while (follower == Sort.UPPER) {
            beforeLast = end;
            end = second + Runes.sizeAt(bytes, second);
            second = validFrom(end);
            if (second == bytes.length()) {
                end = second;
                return;
            }
            follower = sortOf(Utf8.runeAt(bytes, second));
        }
        if (follower == Sort.LOWER) {
            end = beforeLast;
        }
    }

    /** Appends this word in lower case. */
    void appendTo(StringBuilder to, char connector) {
        if (sort != Sort.UPPER && sort != Sort.CONNECTOR) {
            appendRange(to, start, end);
            return;
        }
        for (int i = start; i < end; i += Runes.sizeAt(bytes, i)) {
            int rune = Runes.at(bytes, i);
            if (WordCasing.isConnector(rune)) {
                to.append(connector);
            } else {
                Utf8.append(to, Runes.isUpper(rune) ? Character.toLowerCase(rune) : rune);
            }
        }
    }

    void appendRange(StringBuilder to, int from, int until) {
        to.append(bytes, from, until);
    }

    /** Position of the first valid character from there on, or the end. */
    private int validFrom(int from) {
        int at = from;
        while (at < bytes.length() && Runes.at(bytes, at) == Utf8.REPLACEMENT) {
            at += Runes.sizeAt(bytes, at);
        }
        return at;
    }

    private static Sort sortOf(int rune) {
        if (WordCasing.isConnector(rune)) {
            return Sort.CONNECTOR;
        }
        if (Runes.isPunctuation(rune)) {
            return Sort.PUNCTUATION;
        }
        if (Runes.isUpper(rune)) {
            return Sort.UPPER;
        }
        if (Character.isLetter(rune) && !isChinese(rune)) {
            return Sort.LOWER;
        }
        return Runes.isNumber(rune) ? Sort.NUMBER : Sort.OTHER;
    }

    // The blocks that the original leaves out, with its ends.
    private static boolean isChinese(int rune) {
        return (rune >= 0x3400 && rune <= 0x4D85)
                || (rune >= 0x4E00 && rune <= 0x9FCC)
                || (rune >= 0x20000 && rune <= 0x2B81F);
    }
}

package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.text.Utf8Runes;

/**
 * Converts text to identifiers of a given style. Words are split by case, so that {@code HTTPServer} has two; blanks, hyphens and
 * underscores are connectors.
 */
final class IdentifierCasing {
    private IdentifierCasing() {}

    /** Words begin with an upper case letter, without connectors. Leading connectors stay, and all but one of several. */
    static String pascalCase(String bytes) {
        StringBuilder result = new StringBuilder(bytes.length());
        int at = 0;
        int last = -1;
        while (at < bytes.length()) {
            last = Runes.at(bytes, at);
            at += Runes.sizeAt(bytes, at);
            if (!isConnector(last)) {
                break;
            }
            Utf8Runes.append(result, last);
        }
        boolean shouting = last >= 0 && Runes.isUpper(last);
        if (last >= 0 && !isConnector(last)) {
            last = Character.toUpperCase(last);
        }
        for (; at < bytes.length(); at += Runes.sizeAt(bytes, at)) {
            int rune = Runes.at(bytes, at);
            if (isConnector(last)) {
                if (isConnector(rune)) {
                    Utf8Runes.append(result, last);
                    last = rune;
                    continue;
                }
                shouting = Runes.isUpper(rune);
                last = Character.toUpperCase(rune);
                continue;
            }
            Utf8Runes.append(result, last);
            // Capitals after a capital at a word's start are lowered, up to the first other character.
            shouting = shouting && Runes.isUpper(rune);
            last = shouting ? Character.toLowerCase(rune) : rune;
        }
        // As in the original, a text of only connectors gets its last one twice.
        return last < 0 ? "" : Utf8Runes.append(result, last).toString();
    }

    /**
     * Words in lower case with {@code connector} between them. Each connector of the text becomes one of the result. A number
     * belongs to the previous word, unless lower case letters follow: {@code Bld4Floor3rd} becomes {@code bld4_floor_3rd}.
     */
    static String lowerCase(String bytes, char connector) {
        StringBuilder result = new StringBuilder(bytes.length() + 8);
        WordIterator words = new WordIterator(bytes);
        words.next();
        while (!words.atEnd()) {
            WordIterator.CharacterClass sort = words.characterClass();
            words.appendTo(result, connector);
            words.next();
            switch (sort) {
                case CONNECTOR, PUNCTUATION, END -> {}
                case NUMBER -> finishNumber(words, result, connector);
                case UPPER, LOWER, OTHER -> finishWord(words, result, connector);
            }
        }
        return result.toString();
    }

    private static void finishWord(WordIterator words, StringBuilder result, char connector) {
        if (words.characterClass() != WordIterator.CharacterClass.NUMBER) {
            connect(words, result, connector);
            return;
        }
        int number = words.start();
        int numberEnd = words.end();
        words.next();
        if (words.characterClass() == WordIterator.CharacterClass.LOWER) {
            result.append(connector);
            words.appendRange(result, number, numberEnd);
            finishNumber(words, result, connector);
        } else {
            words.appendRange(result, number, numberEnd);
            connect(words, result, connector);
        }
    }

    /** After a number, lower case letters and more numbers follow without a connector. */
    private static void finishNumber(WordIterator words, StringBuilder result, char connector) {
        while (words.characterClass() == WordIterator.CharacterClass.LOWER
                || words.characterClass() == WordIterator.CharacterClass.NUMBER) {
            words.appendTo(result, connector);
            words.next();
        }
        connect(words, result, connector);
    }

    private static void connect(WordIterator words, StringBuilder result, char connector) {
        switch (words.characterClass()) {
            case UPPER, LOWER, OTHER, NUMBER -> result.append(connector);
            case CONNECTOR, PUNCTUATION, END -> {}
        }
    }

    static boolean isConnector(int rune) {
        return rune == '-' || rune == '_' || Runes.isSpace(rune);
    }

    /** Iterates over the words of a text. A word is a run of characters of one class; invalid bytes belong to the next word. */
    private static final class WordIterator {
        enum CharacterClass {
            CONNECTOR,
            PUNCTUATION,
            /** Starts with a capital: {@code HTTP} as well as {@code Server}. */
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
        private CharacterClass characterClass = CharacterClass.END;

        WordIterator(String bytes) {
            this.bytes = bytes;
        }

        CharacterClass characterClass() {
            return characterClass;
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

        /** Moves to the next word; at the end its class is {@link CharacterClass#END}. */
        void next() {
            start = end;
            int first = validFrom(start);
            if (first == bytes.length()) {
                end = first;
                characterClass = CharacterClass.END;
                return;
            }
            int rune = Utf8Runes.runeAt(bytes, first);
            end = first + Utf8Runes.size(rune);
            characterClass = sortOf(rune);
            if (characterClass == CharacterClass.UPPER) {
                extendCapital();
            } else {
                extend(characterClass);
            }
        }

        private void extend(CharacterClass wanted) {
            while (end < bytes.length()) {
                int at = validFrom(end);
                if (at < bytes.length()) {
                    int rune = Utf8Runes.runeAt(bytes, at);
                    // Hyphens and underscores connect words, but after other punctuation they are part of it.
                    boolean more =
                            wanted == CharacterClass.PUNCTUATION ? Runes.isPunctuation(rune) : sortOf(rune) == wanted;
                    if (!more) {
                        return;
                    }
                    at += Utf8Runes.size(rune);
                }
                end = at;
            }
        }

        /** The last of several capitals starts the next word if other letters follow: {@code HTTP} and {@code Server}. */
        private void extendCapital() {
            int second = validFrom(end);
            if (second == bytes.length()) {
                end = second;
                return;
            }
            CharacterClass follower = sortOf(Utf8Runes.runeAt(bytes, second));
            if (follower == CharacterClass.LOWER) {
                extend(CharacterClass.LOWER);
                return;
            }
            int beforeLast = end;
            while (follower == CharacterClass.UPPER) {
                beforeLast = end;
                end = second + Runes.sizeAt(bytes, second);
                second = validFrom(end);
                if (second == bytes.length()) {
                    end = second;
                    return;
                }
                follower = sortOf(Utf8Runes.runeAt(bytes, second));
            }
            if (follower == CharacterClass.LOWER) {
                end = beforeLast;
            }
        }

        /** Appends this word in lower case. */
        void appendTo(StringBuilder to, char connector) {
            if (characterClass != CharacterClass.UPPER && characterClass != CharacterClass.CONNECTOR) {
                appendRange(to, start, end);
                return;
            }
            for (int i = start; i < end; i += Runes.sizeAt(bytes, i)) {
                int rune = Runes.at(bytes, i);
                if (IdentifierCasing.isConnector(rune)) {
                    to.append(connector);
                } else {
                    Utf8Runes.append(to, Runes.isUpper(rune) ? Character.toLowerCase(rune) : rune);
                }
            }
        }

        void appendRange(StringBuilder to, int from, int until) {
            to.append(bytes, from, until);
        }

        /** Position of the next valid character, or the end. */
        private int validFrom(int from) {
            int at = from;
            while (at < bytes.length() && Runes.at(bytes, at) == Utf8Runes.REPLACEMENT) {
                at += Runes.sizeAt(bytes, at);
            }
            return at;
        }

        private static CharacterClass sortOf(int rune) {
            if (IdentifierCasing.isConnector(rune)) {
                return CharacterClass.CONNECTOR;
            }
            if (Runes.isPunctuation(rune)) {
                return CharacterClass.PUNCTUATION;
            }
            if (Runes.isUpper(rune)) {
                return CharacterClass.UPPER;
            }
            if (Character.isLetter(rune) && !isChinese(rune)) {
                return CharacterClass.LOWER;
            }
            return Runes.isNumber(rune) ? CharacterClass.NUMBER : CharacterClass.OTHER;
        }

        // The blocks that the original omits, with its bounds.
        private static boolean isChinese(int rune) {
            return (rune >= 0x3400 && rune <= 0x4D85)
                    || (rune >= 0x4E00 && rune <= 0x9FCC)
                    || (rune >= 0x20000 && rune <= 0x2B81F);
        }
    }
}

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
}

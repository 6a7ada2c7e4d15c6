package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.text.Utf8;

/**
 * Turns text into identifiers of a given style. Words are found by their case, so that {@code HTTPServer} has two; blanks,
 * hyphens and underscores connect words.
 */
final class WordCasing {
    private WordCasing() {}

    /** Words begin with an upper case letter and are not connected. Connectors in front stay, and of several all but one. */
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
            Utf8.append(result, last);
        }
        boolean shouting = last >= 0 && Runes.isUpper(last);
        if (last >= 0 && !isConnector(last)) {
            last = Character.toUpperCase(last);
        }
        for (; at < bytes.length(); at += Runes.sizeAt(bytes, at)) {
            int rune = Runes.at(bytes, at);
            if (isConnector(last)) {
                if (isConnector(rune)) {
                    Utf8.append(result, last);
                    last = rune;
                    continue;
                }
                shouting = Runes.isUpper(rune);
                last = Character.toUpperCase(rune);
                continue;
            }
            Utf8.append(result, last);
            // Capitals that follow a capital at a word's start are lowered, up to the first other character.
            shouting = shouting && Runes.isUpper(rune);
            last = shouting ? Character.toLowerCase(rune) : rune;
        }
        // A text of connectors alone gets its last one twice; the original does that.
        return last < 0 ? "" : Utf8.append(result, last).toString();
    }

    /**
     * Words in lower case with {@code connector} between them. Each connector of the text becomes one of the result. A number
     * belongs to the word before it, unless lower case letters follow: {@code Bld4Floor3rd} is {@code bld4_floor_3rd}.
     */
    static String lowerCase(String bytes, char connector) {
        StringBuilder result = new StringBuilder(bytes.length() + 8);
        Words words = new Words(bytes);
        words.next();
        while (!words.atEnd()) {
            Words.Sort sort = words.sort();
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

    private static void finishWord(Words words, StringBuilder result, char connector) {
        if (words.sort() != Words.Sort.NUMBER) {
            connect(words, result, connector);
            return;
        }
        int number = words.start();
        int numberEnd = words.end();
        words.next();
        if (words.sort() == Words.Sort.LOWER) {
            result.append(connector);
            words.appendRange(result, number, numberEnd);
            finishNumber(words, result, connector);
        } else {
            words.appendRange(result, number, numberEnd);
            connect(words, result, connector);
        }
    }

    /** After a number, lower case letters and more numbers follow without a connector. */
    private static void finishNumber(Words words, StringBuilder result, char connector) {
        while (words.sort() == Words.Sort.LOWER || words.sort() == Words.Sort.NUMBER) {
            words.appendTo(result, connector);
            words.next();
        }
        connect(words, result, connector);
    }

    private static void connect(Words words, StringBuilder result, char connector) {
        switch (words.sort()) {
            case UPPER, LOWER, OTHER, NUMBER -> result.append(connector);
            case CONNECTOR, PUNCTUATION, END -> {}
        }
    }

    static boolean isConnector(int rune) {
        return rune == '-' || rune == '_' || Runes.isSpace(rune);
    }
}

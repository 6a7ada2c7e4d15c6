package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.text.Utf8Runes;

/** Upper and lower case, and the first letters of words. Identifiers such as {@code snake_case} are in {@link IdentifierCasing}. */
final class CaseFunctions {
    private CaseFunctions() {}

    static void addTo(FunctionRegistry registry) {
        StringFunctions.ofOne(registry, "upper", bytes -> Runes.map(bytes, Character::toUpperCase));
        StringFunctions.ofOne(registry, "lower", bytes -> Runes.map(bytes, Character::toLowerCase));
        StringFunctions.ofOne(registry, "title", CaseFunctions::title);
        StringFunctions.ofOne(registry, "untitle", CaseFunctions::untitle);
        StringFunctions.ofOne(registry, "swapcase", CaseFunctions::swapCase);
        StringFunctions.ofOne(registry, "initials", CaseFunctions::initials);
        StringFunctions.ofOne(registry, "nospace", CaseFunctions::withoutSpace);
        StringFunctions.ofOne(registry, "camelcase", IdentifierCasing::pascalCase);
        StringFunctions.ofOne(registry, "snakecase", bytes -> IdentifierCasing.lowerCase(bytes, '_'));
        StringFunctions.ofOne(registry, "kebabcase", bytes -> IdentifierCasing.lowerCase(bytes, '-'));
    }

    private static String title(String bytes) {
        StringBuilder title = new StringBuilder(bytes.length());
        boolean afterSeparator = true;
        for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
            int rune = Runes.at(bytes, i);
            Utf8Runes.append(title, afterSeparator ? Character.toTitleCase(rune) : rune);
            afterSeparator = separates(rune);
        }
        return title.toString();
    }

    /** Whether a word begins after it: after any ASCII sign except the underscore, so that {@code it's} becomes {@code It'S}. */
    private static boolean separates(int rune) {
        if (rune < 0x80) {
            return !Character.isLetterOrDigit(rune) && rune != '_';
        }
        return !Character.isLetterOrDigit(rune) && Runes.isSpace(rune);
    }

    private static String untitle(String bytes) {
        StringBuilder changed = new StringBuilder(bytes.length());
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
            int rune = Runes.at(bytes, i);
            Utf8Runes.append(changed, atStart ? Character.toLowerCase(rune) : rune);
            atStart = Runes.isSpace(rune);
        }
        return changed.toString();
    }

    private static String swapCase(String bytes) {
        StringBuilder swapped = new StringBuilder(bytes.length());
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
            int rune = Runes.at(bytes, i);
            if (Runes.isUpper(rune) || Runes.isTitle(rune)) {
                Utf8Runes.append(swapped, Character.toLowerCase(rune));
                atStart = false;
            } else if (Runes.isLower(rune)) {
                Utf8Runes.append(swapped, atStart ? Character.toTitleCase(rune) : Character.toUpperCase(rune));
                atStart = false;
            } else {
                Utf8Runes.append(swapped, rune);
                atStart = Runes.isSpace(rune);
            }
        }
        return swapped.toString();
    }

    // As in the original, each byte is treated as a character, which garbles non-ASCII text.
    private static String initials(String bytes) {
        StringBuilder initials = new StringBuilder();
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i++) {
            boolean space = Runes.isSpace(bytes.charAt(i));
            if (!space && atStart) {
                Utf8Runes.append(initials, bytes.charAt(i));
            }
            atStart = space;
        }
        return initials.toString();
    }

    // Also by bytes, but only if there is something to remove.
    private static String withoutSpace(String bytes) {
        if (bytes.chars().noneMatch(Runes::isSpace)) {
            return bytes;
        }
        StringBuilder kept = new StringBuilder(bytes.length());
        bytes.chars().filter(c -> !Runes.isSpace(c)).forEach(c -> Utf8Runes.append(kept, c));
        return kept.toString();
    }
}

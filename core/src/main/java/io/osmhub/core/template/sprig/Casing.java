package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.text.Utf8;

/** Upper and lower case, and the first letters of words. Identifiers such as {@code snake_case} are in {@link WordCasing}. */
final class Casing {
    private Casing() {}

    static void addTo(Registry registry) {
        Strings.ofOne(registry, "upper", bytes -> Runes.map(bytes, Character::toUpperCase));
        Strings.ofOne(registry, "lower", bytes -> Runes.map(bytes, Character::toLowerCase));
        Strings.ofOne(registry, "title", Casing::title);
        Strings.ofOne(registry, "untitle", Casing::untitle);
        Strings.ofOne(registry, "swapcase", Casing::swapCase);
        Strings.ofOne(registry, "initials", Casing::initials);
        Strings.ofOne(registry, "nospace", Casing::withoutSpace);
        Strings.ofOne(registry, "camelcase", WordCasing::pascalCase);
        Strings.ofOne(registry, "snakecase", bytes -> WordCasing.lowerCase(bytes, '_'));
        Strings.ofOne(registry, "kebabcase", bytes -> WordCasing.lowerCase(bytes, '-'));
    }

    private static String title(String bytes) {
        StringBuilder title = new StringBuilder(bytes.length());
        boolean afterSeparator = true;
        for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
            int rune = Runes.at(bytes, i);
            Utf8.append(title, afterSeparator ? Character.toTitleCase(rune) : rune);
            afterSeparator = separates(rune);
        }
        return title.toString();
    }

    /** Whether a word begins after it: any ASCII sign but the underscore does that, so it turns {@code it's} into {@code It'S}. */
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
            Utf8.append(changed, atStart ? Character.toLowerCase(rune) : rune);
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
                Utf8.append(swapped, Character.toLowerCase(rune));
                atStart = false;
            } else if (Runes.isLower(rune)) {
                Utf8.append(swapped, atStart ? Character.toTitleCase(rune) : Character.toUpperCase(rune));
                atStart = false;
            } else {
                Utf8.append(swapped, rune);
                atStart = Runes.isSpace(rune);
            }
        }
        return swapped.toString();
    }

    // The original looks at bytes here and takes each for a character, which garbles all but ASCII; profiles get the
    // same.
    private static String initials(String bytes) {
        StringBuilder initials = new StringBuilder();
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i++) {
            boolean space = Runes.isSpace(bytes.charAt(i));
            if (!space && atStart) {
                Utf8.append(initials, bytes.charAt(i));
            }
            atStart = space;
        }
        return initials.toString();
    }

    // By bytes as well, but only when there is something to remove.
    private static String withoutSpace(String bytes) {
        if (bytes.chars().noneMatch(Runes::isSpace)) {
            return bytes;
        }
        StringBuilder kept = new StringBuilder(bytes.length());
        bytes.chars().filter(c -> !Runes.isSpace(c)).forEach(c -> Utf8.append(kept, c));
        return kept.toString();
    }
}

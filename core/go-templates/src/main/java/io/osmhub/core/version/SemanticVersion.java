package io.osmhub.core.version;

/**
 * A version. The three numbers are unsigned; {@code prerelease} and {@code metadata} may be empty; {@code original} is the parsed
 * text.
 *
 * <p>The order ignores metadata, so {@code compareTo} may return 0 for versions that are not equal.
 */
public record SemanticVersion(long major, long minor, long patch, String prerelease, String metadata, String original)
        implements Comparable<SemanticVersion> {

    /**
     * Parses leniently: a leading {@code v} is skipped, a missing minor or patch number is 0, and leading zeros of the numbers are
     * dropped.
     */
    public static SemanticVersion parse(String text) throws InvalidVersionException {
        VersionScanner scanner = new VersionScanner(text, 0);
        scanner.accept('v');
        String major = scanner.readNumber(false);
        String minor = scanner.readNumberAfterDot(false);
        String patch = minor.isEmpty() ? "" : scanner.readNumberAfterDot(false);
        String prerelease = scanner.readIdentifiersAfter('-');
        String metadata = scanner.readIdentifiersAfter('+');
        if (major.isEmpty() || !scanner.atEnd()) {
            throw new InvalidVersionException("invalid semantic version");
        }
        SemanticVersion version =
                new SemanticVersion(segment(major), segment(minor), segment(patch), prerelease, metadata, text);
        checkPrerelease(prerelease);
        return version;
    }

    /** Whether this is a pre-release, such as {@code 1.33.0-rc.1}. */
    public boolean isPrerelease() {
        return !prerelease.isEmpty();
    }

    public SemanticVersion nextMajor() {
        return release(major + 1, 0, 0);
    }

    public SemanticVersion nextMinor() {
        return release(major, minor + 1, 0);
    }

    /** The next patch version; for a pre-release its release. */
    public SemanticVersion nextPatch() {
        return release(major, minor, isPrerelease() ? patch : patch + 1);
    }

    public SemanticVersion withPrerelease(String newPrerelease) throws InvalidVersionException {
        checkPrerelease(newPrerelease);
        return new SemanticVersion(major, minor, patch, newPrerelease, metadata, "").respelled(prefix());
    }

    public SemanticVersion withMetadata(String newMetadata) throws InvalidVersionException {
        if (!isDottedIdentifiers(newMetadata)) {
            throw new InvalidVersionException("invalid metadata string");
        }
        return new SemanticVersion(major, minor, patch, prerelease, newMetadata, "").respelled(prefix());
    }

    /** Orders by precedence: numbers first, a pre-release before its release; metadata is ignored. */
    @Override
    public int compareTo(SemanticVersion other) {
        int order = Long.compareUnsigned(major, other.major);
        order = order != 0 ? order : Long.compareUnsigned(minor, other.minor);
        order = order != 0 ? order : Long.compareUnsigned(patch, other.patch);
        return order != 0 ? order : comparePrereleases(prerelease, other.prerelease);
    }

    /** The full form without a leading {@code v}. */
    @Override
    public String toString() {
        return Long.toUnsignedString(major)
                + '.'
                + Long.toUnsignedString(minor)
                + '.'
                + Long.toUnsignedString(patch)
                + (prerelease.isEmpty() ? "" : "-" + prerelease)
                + (metadata.isEmpty() ? "" : "+" + metadata);
    }

    private SemanticVersion release(long newMajor, long newMinor, long newPatch) {
        return new SemanticVersion(newMajor, newMinor, newPatch, "", "", "").respelled(prefix());
    }

    private SemanticVersion respelled(String prefix) {
        return new SemanticVersion(major, minor, patch, prerelease, metadata, prefix + this);
    }

    private String prefix() {
        return original.startsWith("v") ? "v" : "";
    }

    private static long segment(String digits) throws InvalidVersionException {
        if (digits.isEmpty()) {
            return 0;
        }
        try {
            return Long.parseUnsignedLong(digits);
        } catch (NumberFormatException tooLarge) {
            throw new InvalidVersionException("error parsing version segment: " + digits + " is out of range");
        }
    }

    private static void checkPrerelease(String prerelease) throws InvalidVersionException {
        if (!isDottedIdentifiers(prerelease)) {
            throw new InvalidVersionException("invalid prerelease string");
        }
        for (String part : prerelease.split("\\.", -1)) {
            if (part.length() > 1 && part.charAt(0) == '0' && part.chars().allMatch(VersionScanner::isDigit)) {
                throw new InvalidVersionException("version segment starts with 0");
            }
        }
    }

    private static boolean isDottedIdentifiers(String text) {
        return text.isEmpty()
                || new VersionScanner("-" + text, 0).readIdentifiersAfter('-').length() == text.length();
    }

    /** Compares identifier by identifier; an empty pre-release comes last, because a release follows its pre-releases. */
    private static int comparePrereleases(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        String[] left = one.split("\\.", -1);
        String[] right = other.split("\\.", -1);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            boolean number = isNumber(left[i]);
            if (number != isNumber(right[i])) {
                return number ? -1 : 1;
            }
            int order = number
                    ? Long.compareUnsigned(Long.parseUnsignedLong(left[i]), Long.parseUnsignedLong(right[i]))
                    : left[i].compareTo(right[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    // As in the library, digits beyond 64 bits are compared as text.
    private static boolean isNumber(String part) {
        boolean digits = part.chars().allMatch(VersionScanner::isDigit);
        return digits && (part.length() < 20 || (part.length() == 20 && part.compareTo("18446744073709551615") <= 0));
    }

    /** A text is not a valid version or constraint; the message states which and why. */
    public static final class InvalidVersionException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidVersionException(String message) {
            super(message, null, false, false);
        }

        /** The message, never null. */
        public String text() {
            return String.valueOf(getMessage());
        }
    }
}

package io.osmhub.core.version;

/** The order of pre-releases. */
final class PrereleaseOrder {
    private PrereleaseOrder() {}

    /** Compares identifier by identifier; an empty pre-release comes last, because a release follows its pre-releases. */
    static int compare(String one, String other) {
        if (one.equals(other)) {
            return 0;
        }
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? 1 : -1;
        }
        String[] left = one.split("\\.", -1);
        String[] right = other.split("\\.", -1);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int order = comparePart(left[i], right[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    private static int comparePart(String one, String other) {
        boolean number = isNumber(one);
        if (number != isNumber(other)) {
            return number ? -1 : 1;
        }
        if (number) {
            return Long.compareUnsigned(Long.parseUnsignedLong(one), Long.parseUnsignedLong(other));
        }
        return Integer.signum(one.compareTo(other));
    }

    // As in the library, digits beyond 64 bits are compared as text.
    private static boolean isNumber(String part) {
        for (int i = 0; i < part.length(); i++) {
            if (!VersionScanner.isDigit(part.charAt(i))) {
                return false;
            }
        }
        return part.length() < 20 || (part.length() == 20 && part.compareTo("18446744073709551615") <= 0);
    }
}

package io.osmhub.core.lint;

/** Tells a mode that was written in another number base from one that is meant. */
final class FileMode {
    private FileMode() {}

    /** Four octal digits: {@code 0644}. */
    static String octal(int mode) {
        String digits = Integer.toOctalString(mode);
        return digits.length() < 4 ? "0".repeat(4 - digits.length()) + digits : digits;
    }

    /** Whether the owner can read, the group can do no more than the owner, and others no more than the group. */
    static boolean isUsual(int mode) {
        int owner = mode >> 6 & 7;
        int group = mode >> 3 & 7;
        int others = mode & 7;
        return mode > 0
                && mode <= 07777
                && (owner & 4) != 0
                && (group & ~owner) == 0
                && (others & ~group) == 0
                // Only programs and folders have set-user-ID, set-group-ID and sticky bits.
                && (mode <= 0777 || (owner & 1) != 0);
    }

    /** Whether the number is odd as a mode, and usual if its decimal digits are read as octal ones, as 644 is. */
    static boolean isMisread(int number) {
        String digits = Integer.toString(number);
        return digits.matches("[0-7]{3,4}") && !isUsual(number) && isUsual(Integer.parseInt(digits, 8));
    }
}

package io.osmhub.core.lint;

/** Tells a mode that was written in another number base from one that is meant. In a profile, the decimal digits are those of the mode. */
final class FileMode {
    private FileMode() {}

    /** Four octal digits: {@code 0644}. */
    static String octal(int mode) {
        String digits = Integer.toOctalString(mode);
        return digits.length() < 4 ? "0".repeat(4 - digits.length()) + digits : digits;
    }

    /** Whether a number's decimal digits are a mode. */
    static boolean isWritten(int number) {
        return Integer.toString(number).matches("[0-7]{1,4}");
    }

    /** The mode that a number's decimal digits are. */
    static int meaning(int number) {
        return Integer.parseInt(Integer.toString(number), 8);
    }

    /** Whether a number is usual as a mode, but its digits are not. */
    static boolean isProbablyDecimal(int number) {
        return isUsual(number) && !(isWritten(number) && isUsual(meaning(number)));
    }

    /** Whether a number is odd as a mode, and usual if its decimal digits are read as octal ones, as 644 is. */
    static boolean isMisread(int number) {
        return number >= 100 && isWritten(number) && !isUsual(number) && isUsual(meaning(number));
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
}

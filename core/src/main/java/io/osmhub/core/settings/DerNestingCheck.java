package io.osmhub.core.settings;

/**
 * Checks the nesting of DER data before a recursive parser reads it: a few kilobytes of nested headers could overflow its stack.
 */
public final class DerNestingCheck {
    // A certificate with all its extensions has about 10 levels.
    private static final int DEEPEST = 32;
    private static final int LONGEST = 64 * 1024;
    private static final int CONSTRUCTED = 0x20;
    private static final int MULTI_BYTE_TAG = 0x1f;

    private DerNestingCheck() {}

    /** Whether the bytes are one value with definite, consistent lengths, within the limits of length and depth. */
    public static boolean isWithinLimits(byte[] der) {
        if (der.length < 2 || der.length > LONGEST) {
            return false;
        }
        int[] ends = new int[DEEPEST];
        int depth = 0;
        ends[0] = der.length;
        int at = 0;
        while (at < der.length) {
            while (at == ends[depth]) {
                depth--;
            }
            int tag = der[at] & 0xff;
            if ((tag & MULTI_BYTE_TAG) == MULTI_BYTE_TAG || at + 1 >= ends[depth]) {
                return false;
            }
            int first = der[at + 1] & 0xff;
            int bytes = first < 0x80 ? 0 : first & 0x7f;
            if (first == 0x80 || bytes > 3 || at + 2 + bytes > ends[depth]) {
                return false;
            }
            int length = bytes == 0 ? first : 0;
            for (int i = 0; i < bytes; i++) {
                length = length << 8 | (der[at + 2 + i] & 0xff);
            }
            int start = at + 2 + bytes;
            if (length > ends[depth] - start || (depth == 0 && at == 0 && start + length != der.length)) {
                return false;
            }
            boolean goIn = (tag & CONSTRUCTED) != 0 && length > 0;
            if (goIn && ++depth == DEEPEST) {
                return false;
            }
            if (goIn) {
                ends[depth] = start + length;
            }
            at = goIn ? start : start + length;
        }
        return true;
    }
}

package io.osmhub.core.settings;

import java.nio.ByteBuffer;

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
        ByteBuffer bytes = ByteBuffer.wrap(der);
        return der.length <= LONGEST && skipValue(bytes, 1) && !bytes.hasRemaining();
    }

    private static boolean skipValue(ByteBuffer bytes, int depth) {
        if (bytes.remaining() < 2 || depth > DEEPEST) {
            return false;
        }
        int tag = bytes.get();
        int length = bytes.get() & 0xff;
        if (length >= 0x80) {
            int lengthBytes = length & 0x7f;
            if (lengthBytes == 0 || lengthBytes > Math.min(3, bytes.remaining())) {
                return false;
            }
            length = 0;
            for (int i = 0; i < lengthBytes; i++) {
                length = length << 8 | (bytes.get() & 0xff);
            }
        }
        if ((tag & MULTI_BYTE_TAG) == MULTI_BYTE_TAG || length > bytes.remaining()) {
            return false;
        }
        ByteBuffer content = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        boolean valid = true;
        while (valid && (tag & CONSTRUCTED) != 0 && content.hasRemaining()) {
            valid = skipValue(content, depth + 1);
        }
        return valid;
    }
}

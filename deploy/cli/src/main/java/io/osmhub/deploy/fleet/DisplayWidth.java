package io.osmhub.deploy.fleet;

/** The width of text in columns of a terminal. */
public final class DisplayWidth {
    private static final String CUT = "…";

    private DisplayWidth() {}

    public static int of(String text) {
        return text.codePoints().map(DisplayWidth::of).sum();
    }

    /** Truncates the text to the width, with an ellipsis. */
    public static String cut(String text, int width) {
        if (of(text) <= width) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        int taken = 0;
        for (int c : text.codePoints().toArray()) {
            taken += of(c);
            if (taken > width - 1) {
                break;
            }
            kept.appendCodePoint(c);
        }
        return width < 1 ? "" : kept + CUT;
    }

    private static int of(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT, Character.CONTROL -> 0;
            default -> isWide(c) ? 2 : 1;
        };
    }

    // The wide and full-width blocks of Unicode's EastAsianWidth.txt, and the pictographs that terminals draw as wide.
    private static boolean isWide(int c) {
        return c >= 0x1100
                && (c <= 0x115f
                        || (c >= 0x2e80 && c <= 0xa4cf && c != 0x303f)
                        || (c >= 0xac00 && c <= 0xd7a3)
                        || (c >= 0xf900 && c <= 0xfaff)
                        || (c >= 0xfe30 && c <= 0xfe6f)
                        || (c >= 0xff00 && c <= 0xff60)
                        || (c >= 0xffe0 && c <= 0xffe6)
                        || (c >= 0x1f300 && c <= 0x1faff)
                        || (c >= 0x20000 && c <= 0x3fffd));
    }
}

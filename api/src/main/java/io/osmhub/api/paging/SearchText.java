package io.osmhub.api.paging;

import java.util.Locale;

/**
 * A text that rows are searched for, in lower case. It knows its pairs of neighbouring letters, so that of most rows that do not have it
 * a look at 128 bits tells; the texts themselves lie somewhere else in memory, which takes far longer to reach.
 */
public final class SearchText {
    /** Scatters what is close together. */
    private static final int SCATTER = 0x9E3779B9;

    private static final int BITS = 2 * Long.SIZE;

    private final String text;
    private final Pairs pairs;

    /**
     * Pairs of letters that a text has, each as one of 128 bits; several pairs share a bit.
     *
     * @param low the first 64 bits
     * @param high the other 64
     */
    public record Pairs(long low, long high) {
        /** Of a text in lower case. */
        public static Pairs of(String text) {
            long low = 0;
            long high = 0;
            for (int i = 1; i < text.length(); i++) {
                int bit = (text.charAt(i - 1) * 31 + text.charAt(i)) * SCATTER
                        >>> Integer.SIZE - Integer.numberOfTrailingZeros(BITS);
                if (bit < Long.SIZE) {
                    low |= 1L << bit;
                } else {
                    high |= 1L << bit;
                }
            }
            return new Pairs(low, high);
        }
    }

    private SearchText(String text) {
        this.text = text;
        this.pairs = Pairs.of(text);
    }

    /** What somebody typed, without the white space around it. */
    public static SearchText of(String typed) {
        return new SearchText(typed.toLowerCase(Locale.ROOT).strip());
    }

    /** Everything has it. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** Whether it is part of a text in lower case. */
    public boolean isIn(String words) {
        return words.contains(text);
    }

    /** False only if it is no part of a text with these {@link Pairs}. */
    public boolean mayBeIn(long low, long high) {
        return (pairs.low() & ~low | pairs.high() & ~high) == 0;
    }
}

package io.osmhub.api.paging;

import java.util.Locale;

/**
 * A lower-case search text with its bigrams: comparing 128 bits rules out most rows without reading their texts, which are scattered
 * in memory and far slower to reach.
 */
public final class SearchText {
    /** Spreads adjacent values. */
    private static final int SCATTER = 0x9E3779B9;

    private static final int BITS = 2 * Long.SIZE;

    private final String text;
    private final Bigrams pairs;

    /**
     * Letter pairs of a text as a 128-bit Bloom filter; several pairs share a bit.
     *
     * @param low the first 64 bits
     * @param high the other 64
     */
    public record Bigrams(long low, long high) {
        /** Bigrams of a lower-case text. */
        public static Bigrams of(String text) {
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
            return new Bigrams(low, high);
        }
    }

    private SearchText(String text) {
        this.text = text;
        this.pairs = Bigrams.of(text);
    }

    /** Trims the input. */
    public static SearchText of(String typed) {
        return new SearchText(typed.toLowerCase(Locale.ROOT).strip());
    }

    /** Whether it matches every text. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** Whether a lower-case text contains it. */
    public boolean isIn(String words) {
        return words.contains(text);
    }

    /** Returns false only if a text with these {@link Bigrams} cannot contain it. */
    public boolean canBeIn(long low, long high) {
        return (pairs.low() & ~low | pairs.high() & ~high) == 0;
    }
}

package io.osmhub.core.template;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Suggests the known word closest to a misspelled one. */
public final class SpellingSuggestion {
    /** Comparing takes the square of the length, and a longer word is no typo. */
    private static final int LONGEST = 128;

    private SpellingSuggestion() {}

    /**
     * The known word closest to {@code wrong}, if close enough for a typo: another case, or one wrong, missing,
     * additional or swapped letter per three. Of two equally close ones the first wins.
     */
    public static Optional<String> findClosest(String wrong, Collection<String> known) {
        if (wrong.length() > LONGEST) {
            return Optional.empty();
        }
        String lower = wrong.toLowerCase(Locale.ROOT);
        String best = null;
        int bestDistance = Math.max(1, wrong.length() / 3) + 1;
        for (String word : known) {
            if (Math.abs(word.length() - wrong.length()) >= bestDistance) {
                continue;
            }
            int distance = distance(lower, word.toLowerCase(Locale.ROOT));
            if (distance < bestDistance) {
                best = word;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Optimal string alignment: edits of one letter, and swaps of two neighbours. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                int edit = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
                cost[i][j] = Math.min(edit, cost[i - 1][j - 1] + (same ? 0 : 1));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}

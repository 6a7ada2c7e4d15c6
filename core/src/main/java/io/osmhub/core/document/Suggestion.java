package io.osmhub.core.document;

import java.util.Collection;

/** Finds what a user probably meant. */
public final class Suggestion {
    private Suggestion() {}

    /** {@code did you mean X?} when one of the known words is near, else an empty text. */
    public static String of(String word, Collection<String> known) {
        String best = "";
        int bestDistance = Math.max(2, word.length() / 3) + 1;
        for (String candidate : known) {
            int distance = candidate.equalsIgnoreCase(word) ? 0 : distance(word, candidate, bestDistance);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best.isEmpty() ? "" : "did you mean " + best + "?";
    }

    /** Edit distance in which two swapped neighbours count one; {@code limit} when it is not below it. */
    private static int distance(String a, String b, int limit) {
        if (Math.abs(a.length() - b.length()) >= limit) {
            return limit;
        }
        int[] before = new int[b.length() + 1];
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                current[j] = Math.min(Math.min(previous[j], current[j - 1]) + 1, previous[j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    current[j] = Math.min(current[j], before[j - 2] + 1);
                }
            }
            int[] spare = before;
            before = previous;
            previous = current;
            current = spare;
        }
        return previous[b.length()];
    }
}

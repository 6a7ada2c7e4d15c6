package io.osmhub.core.fuzz;

import java.util.List;

/** Changes a text at random places: cuts, copies, joins, and puts in what readers stumble over. */
final class TextMutator {
    /** Deeper than any stack that recursion on each level leaves. */
    private static final int DEEPEST = 20_000;

    private static final int LONGEST = 200_000;

    private final List<String> words;

    /** @param words tokens of the language */
    TextMutator(List<String> words) {
        this.words = List.copyOf(words);
    }

    /** @param other a text to take pieces from */
    String mutate(String text, String other, Chance chance) {
        StringBuilder out = new StringBuilder(text);
        int changes = 1 + chance.below(chance.oneIn(4) ? 12 : 3);
        for (int i = 0; i < changes && out.length() < LONGEST; i++) {
            change(out, other, chance);
        }
        return out.toString();
    }

    private void change(StringBuilder out, String other, Chance chance) {
        int at = chance.below(out.length() + 1);
        int end = Math.min(out.length(), at + 1 + chance.below(chance.oneIn(4) ? 200 : 8));
        switch (chance.below(chance.oneIn(60) ? 10 : 8)) {
            case 0 -> out.delete(at, end);
            case 1 -> out.insert(at, out.substring(at, end));
            case 2 -> out.insert(at, chance.of(words));
            case 3 -> out.insert(at, chance.text());
            case 4 -> out.insert(at, chance.number());
            case 5 -> out.insert(at, chance.character());
            case 6 -> {
                if (at < out.length()) {
                    out.setCharAt(at, chance.character());
                }
            }
            case 7 -> {
                int from = chance.below(other.length() + 1);
                out.insert(at, other, from, Math.min(other.length(), from + chance.below(120)));
            }
            case 8 -> out.insert(at, chance.of(words).repeat(1 + chance.below(DEEPEST)));
            default -> out.insert(at, out.substring(at, end).repeat(1 + chance.below(500)));
        }
    }
}

package io.osmhub.api.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds sections of documents that contain all words of a query. Immutable. */
final class DocumentSearch {
    static final int LONGEST_QUERY = 100;
    private static final int MOST_WORDS = 8;
    static final int MOST_MATCHES = 25;
    private static final int EXCERPT = 220;
    private static final int BEFORE = 60;

    /**
     * A section that can be found.
     *
     * @param page title of its page
     * @param href address of the section
     */
    record Entry(String page, String href, String heading, String text) {}

    private record IndexedEntry(Entry entry, String heading, String all) {}

    private record Ranked(IndexedEntry found, int rank) {}

    private final List<IndexedEntry> entries = new ArrayList<>();

    DocumentSearch(List<Entry> entries) {
        for (Entry entry : entries) {
            String heading = (entry.page() + " " + entry.heading()).toLowerCase(Locale.ROOT);
            this.entries.add(new IndexedEntry(
                    entry, heading, heading + " " + entry.text().toLowerCase(Locale.ROOT)));
        }
    }

    /** Words of a query, in lower case. */
    static List<String> words(String query) {
        return Arrays.stream(query.toLowerCase(Locale.ROOT).strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .limit(MOST_WORDS)
                .toList();
    }

    /** Best match first: with the most words in its heading, then in the order of the documents. */
    List<Entry> find(String query) {
        List<String> words = words(query);
        if (words.isEmpty()) {
            return List.of();
        }
        return entries.stream()
                .filter(entry -> words.stream().allMatch(entry.all()::contains))
                .map(entry -> new Ranked(entry, (int)
                        words.stream().filter(entry.heading()::contains).count()))
                .sorted(Comparator.comparingInt(Ranked::rank).reversed())
                .limit(MOST_MATCHES)
                .map(ranked -> ranked.found().entry())
                .toList();
    }

    /** The text around the first word of a query. */
    static String excerpt(Entry entry, String query) {
        String text = entry.text().replaceAll("\\s+", " ");
        String lower = text.toLowerCase(Locale.ROOT);
        int at = words(query).stream()
                .mapToInt(lower::indexOf)
                .filter(found -> found >= 0)
                .min()
                .orElse(0);
        int from = at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
        int to = Math.min(text.length(), from + EXCERPT);
        return (from > 0 ? "… " : "") + text.substring(from, to).strip() + (to < text.length() ? " …" : "");
    }
}

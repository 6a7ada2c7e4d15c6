package io.osmhub.demo;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a scrape shows, as rules and documents may refer to it.
 *
 * @param types by the name of a family
 * @param help by the name of a family
 * @param series by the whole name in samples: the values of each label that were seen
 */
record Exposition(Map<String, String> types, Map<String, String> help, Map<String, Map<String, Set<String>>> series) {
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    static Exposition of(String text) {
        Map<String, String> types = new TreeMap<>();
        Map<String, String> help = new TreeMap<>();
        Map<String, Map<String, Set<String>>> series = new TreeMap<>();
        text.lines().forEach(line -> {
            if (line.startsWith("# TYPE ")) {
                String[] words = line.split(" ", -1);
                types.put(words[2], words[3]);
            } else if (line.startsWith("# HELP ")) {
                String[] words = line.split(" ", 4);
                help.put(words[2], words.length < 4 ? "" : words[3]);
            } else if (!line.startsWith("#")) {
                Matcher sample = SAMPLE.matcher(line);
                if (sample.matches()) {
                    Map<String, Set<String>> labels = series.computeIfAbsent(sample.group(1), name -> new HashMap<>());
                    Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
                    while (label.find()) {
                        labels.computeIfAbsent(label.group(1), name -> new TreeSet<>())
                                .add(label.group(2));
                    }
                }
            }
        });
        return new Exposition(types, help, series);
    }

    /** Names of the labels of a family, without those of buckets. */
    Set<String> labels(String family) {
        return series.getOrDefault(sample(family), Map.of()).keySet();
    }

    /** Values of a label that were seen. */
    Set<String> values(String family, String label) {
        return series.getOrDefault(sample(family), Map.of()).getOrDefault(label, Set.of());
    }

    /** One of the names that the family's samples have. */
    private String sample(String family) {
        return switch (types.getOrDefault(family, "")) {
            case "histogram", "summary" -> family + "_count";
            default -> family;
        };
    }
}

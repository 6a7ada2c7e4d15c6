package io.osmhub.deploy.profiles.matrix;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Findings for people: what is the same in many combinations stands once, with the first of them. */
final class FindingSummary {
    private FindingSummary() {}

    static List<String> of(List<MatrixFinding> findings) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        Map<String, MatrixFinding> first = new LinkedHashMap<>();
        for (MatrixFinding finding : findings) {
            String profile = finding.where().split(",", 2)[0];
            String same = profile
                    + '\n'
                    + finding.file()
                    + '\n'
                    + finding.check()
                    + '\n'
                    + finding.message().replaceAll("\\d+", "0");
            first.putIfAbsent(same, finding);
            counts.merge(same, 1, Integer::sum);
        }
        return first.entrySet().stream()
                .map(entry -> entry.getValue() + times(counts.getOrDefault(entry.getKey(), 1)))
                .toList();
    }

    private static String times(int count) {
        return count == 1 ? "" : " (and " + (count - 1) + " more like it)";
    }
}

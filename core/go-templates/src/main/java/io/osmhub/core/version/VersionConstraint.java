package io.osmhub.core.version;

import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import java.util.ArrayList;
import java.util.List;

/**
 * Allowed versions, for example {@code >=1.29, <1.33 || ^2}: alternatives separated by {@code ||}, each a list of comparisons that
 * must all be satisfied.
 *
 * <p>A pre-release is allowed only by an alternative in which a comparison has a pre-release itself.
 */
public final class VersionConstraint {
    private final List<List<VersionComparison>> alternatives;

    private VersionConstraint(List<List<VersionComparison>> alternatives) {
        this.alternatives = alternatives;
    }

    public static VersionConstraint parse(String text) throws InvalidVersionException {
        String expanded = expandRanges(text);
        List<List<VersionComparison>> alternatives = new ArrayList<>();
        int start = 0;
        for (int bar = expanded.indexOf("||"); bar >= 0; bar = expanded.indexOf("||", start)) {
            alternatives.add(comparisons(expanded.substring(start, bar)));
            start = bar + 2;
        }
        alternatives.add(comparisons(expanded.substring(start)));
        return new VersionConstraint(List.copyOf(alternatives));
    }

    public boolean allows(SemanticVersion version) {
        for (List<VersionComparison> comparisons : alternatives) {
            if (allHold(comparisons, version)) {
                return true;
            }
        }
        return false;
    }

    private static boolean allHold(List<VersionComparison> comparisons, SemanticVersion version) {
        boolean hold = true;
        boolean prerelease = false;
        for (VersionComparison comparison : comparisons) {
            hold &= comparison.matches(version);
            prerelease |= comparison.version().isPrerelease();
        }
        return hold && (prerelease || !version.isPrerelease());
    }

    private static List<VersionComparison> comparisons(String text) throws InvalidVersionException {
        List<VersionComparison> comparisons = new ArrayList<>();
        VersionScanner scanner = new VersionScanner(text, 0);
        scanner.skipBlanks();
        boolean more = true;
        while (more) {
            comparisons.add(VersionComparison.scan(scanner));
            boolean separated = scanner.skipBlanks();
            boolean comma = scanner.accept(',');
            scanner.skipBlanks();
            more = comma || (separated && !scanner.atEnd());
        }
        if (!scanner.atEnd()) {
            throw new InvalidVersionException("improper constraint: " + text);
        }
        return List.copyOf(comparisons);
    }

    /** Rewrites ranges such as {@code 1.2 - 1.4} as two comparisons. */
    private static String expandRanges(String text) {
        if (text.indexOf('-') < 0) {
            return text;
        }
        StringBuilder expanded = new StringBuilder();
        for (int position = 0; position < text.length(); ) {
            int end = expandRange(text, position, expanded);
            if (end == position) {
                expanded.append(text.charAt(end++));
            }
            position = end;
        }
        return expanded.toString();
    }

    /** Appends the comparisons of the range that starts at {@code start}. Returns its end, or {@code start} if there is none. */
    private static int expandRange(String text, int start, StringBuilder expanded) {
        VersionScanner scanner = new VersionScanner(text, start);
        scanner.skipBlanks();
        String low = scanner.readVersion();
        if (low.isEmpty() || !scanner.skipBlanks() || !scanner.accept('-') || !scanner.skipBlanks()) {
            return start;
        }
        String high = scanner.readVersion();
        if (high.isEmpty()) {
            return start;
        }
        scanner.skipBlanks();
        expanded.append(">= ").append(low).append(", <= ").append(high).append(' ');
        return scanner.position();
    }
}

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
        String unfolded = HyphenRanges.expand(text);
        List<List<VersionComparison>> alternatives = new ArrayList<>();
        int start = 0;
        for (int bar = unfolded.indexOf("||"); bar >= 0; bar = unfolded.indexOf("||", start)) {
            alternatives.add(comparisons(unfolded.substring(start, bar)));
            start = bar + 2;
        }
        alternatives.add(comparisons(unfolded.substring(start)));
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
        // The syntax of the whole text is checked before any of its numbers.
        List<VersionComparison.ParsedComparison> sources = new ArrayList<>();
        scanner.skipBlanks();
        boolean more = true;
        while (more) {
            sources.add(VersionComparison.ParsedComparison.scan(scanner, text));
            boolean separated = scanner.skipBlanks();
            boolean comma = scanner.accept(',');
            scanner.skipBlanks();
            more = comma || (separated && !scanner.atEnd());
            if (!more && !scanner.atEnd()) {
                throw invalidConstraint(text);
            }
        }
        for (VersionComparison.ParsedComparison source : sources) {
            comparisons.add(source.toComparison());
        }
        return List.copyOf(comparisons);
    }

    static InvalidVersionException invalidConstraint(String text) {
        return new InvalidVersionException("improper constraint: " + text);
    }
}

package io.osmhub.core.version;

import java.util.ArrayList;
import java.util.List;

/**
 * Which versions are wanted, for example {@code >=1.29, <1.33 || ^2}: alternatives separated by {@code ||}, each a list of
 * comparisons that must all hold.
 *
 * <p>A pre-release is allowed only by an alternative in which some comparison names a pre-release itself.
 */
public final class VersionConstraint {
    private final List<List<VersionComparison>> alternatives;

    private VersionConstraint(List<List<VersionComparison>> alternatives) {
        this.alternatives = alternatives;
    }

    public static VersionConstraint parse(String text) throws InvalidVersion {
        String unfolded = HyphenRanges.unfold(text);
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
            hold &= comparison.holdsFor(version);
            prerelease |= comparison.version().isPrerelease();
        }
        return hold && (prerelease || !version.isPrerelease());
    }

    private static List<VersionComparison> comparisons(String text) throws InvalidVersion {
        List<VersionComparison> comparisons = new ArrayList<>();
        VersionScanner scanner = new VersionScanner(text, 0);
        // Whether the whole text has the right form is decided before any of its numbers is looked at.
        List<VersionComparison.Source> sources = new ArrayList<>();
        scanner.blanks();
        boolean more = true;
        while (more) {
            sources.add(VersionComparison.Source.scan(scanner, text));
            boolean separated = scanner.blanks();
            boolean comma = scanner.accept(',');
            scanner.blanks();
            more = comma || (separated && !scanner.atEnd());
            if (!more && !scanner.atEnd()) {
                throw improper(text);
            }
        }
        for (VersionComparison.Source source : sources) {
            comparisons.add(source.comparison());
        }
        return List.copyOf(comparisons);
    }

    static InvalidVersion improper(String text) {
        return new InvalidVersion("improper constraint: " + text);
    }
}

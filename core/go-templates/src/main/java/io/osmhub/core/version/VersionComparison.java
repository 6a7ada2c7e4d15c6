package io.osmhub.core.version;

import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.SemanticVersion.PrereleaseOrder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One comparison, for example {@code >=1.29}.
 *
 * @param partial the first number that is a wildcard or left out
 */
record VersionComparison(Operator operator, SemanticVersion version, Partial partial) {
    enum Operator {
        EQUAL,
        NOT_EQUAL,
        GREATER,
        LESS,
        GREATER_OR_EQUAL,
        LESS_OR_EQUAL,
        TILDE,
        CARET
    }

    enum Partial {
        NO,
        FROM_PATCH,
        FROM_MINOR,
        FROM_MAJOR
    }

    private static final Map<String, Operator> OPERATORS = Map.ofEntries(
            Map.entry("", Operator.EQUAL),
            Map.entry("=", Operator.EQUAL),
            Map.entry("!=", Operator.NOT_EQUAL),
            Map.entry(">", Operator.GREATER),
            Map.entry("<", Operator.LESS),
            Map.entry(">=", Operator.GREATER_OR_EQUAL),
            Map.entry("=>", Operator.GREATER_OR_EQUAL),
            Map.entry("<=", Operator.LESS_OR_EQUAL),
            Map.entry("=<", Operator.LESS_OR_EQUAL),
            Map.entry("~", Operator.TILDE),
            Map.entry("~>", Operator.TILDE),
            Map.entry("^", Operator.CARET));

    /** A comparison with valid syntax whose version is not parsed yet. */
    record ParsedComparison(
            Operator operator, String whole, String major, String minor, String patch, String prerelease) {
        static ParsedComparison scan(VersionScanner scanner, String text) throws InvalidVersionException {
            @Nullable Operator operator = OPERATORS.get(scanner.readOperator());
            scanner.skipBlanks();
            int start = scanner.position();
            scanner.accept('v');
            String major = scanner.readNumber(true);
            String minor = scanner.readNumberAfterDot(true);
            String patch = minor.isEmpty() ? "" : scanner.readNumberAfterDot(true);
            String prerelease = scanner.readIdentifiersAfter('-');
            scanner.readIdentifiersAfter('+');
            if (operator == null || major.isEmpty()) {
                throw VersionConstraint.invalidConstraint(text);
            }
            return new ParsedComparison(
                    operator, text.substring(start, scanner.position()), major, minor, patch, prerelease);
        }

        VersionComparison toComparison() throws InvalidVersionException {
            String suffix = prerelease.isEmpty() ? "" : "-" + prerelease;
            if (isWildcard(major)) {
                return toComparison("0.0.0" + suffix, Partial.FROM_MAJOR);
            }
            if (isOpen(minor)) {
                return toComparison(major + ".0.0" + suffix, Partial.FROM_MINOR);
            }
            if (isOpen(patch)) {
                return toComparison(major + "." + minor + ".0" + suffix, Partial.FROM_PATCH);
            }
            return toComparison(whole, Partial.NO);
        }

        private VersionComparison toComparison(String version, Partial partial) throws InvalidVersionException {
            try {
                return new VersionComparison(operator, SemanticVersion.parse(version), partial);
            } catch (InvalidVersionException invalid) {
                throw new InvalidVersionException("constraint parser error");
            }
        }

        private static boolean isOpen(String number) {
            return number.isEmpty() || isWildcard(number);
        }

        private static boolean isWildcard(String number) {
            return number.equals("x") || number.equals("X") || number.equals("*");
        }
    }

    /** Whether {@code candidate} satisfies the comparison; pre-releases are filtered earlier. */
    boolean matches(SemanticVersion candidate) {
        int order = candidate.compareTo(version);
        return switch (operator) {
            case EQUAL -> partial == Partial.NO ? order == 0 : isInTilde(candidate, order);
            case NOT_EQUAL -> differs(candidate, order);
            case GREATER -> isBeyond(candidate, order);
            case LESS -> order < 0;
            case GREATER_OR_EQUAL -> order >= 0;
            case LESS_OR_EQUAL -> isWithin(candidate, order);
            case TILDE -> isInTilde(candidate, order);
            case CARET -> isInCaret(candidate, order);
        };
    }

    private boolean differs(SemanticVersion candidate, int order) {
        if (partial == Partial.NO || partial == Partial.FROM_MAJOR || candidate.major() != version.major()) {
            return order != 0;
        }
        if (partial == Partial.FROM_MINOR) {
            return false;
        }
        if (candidate.minor() != version.minor()) {
            return true;
        }
        return PrereleaseOrder.compare(candidate.prerelease(), version.prerelease()) != 0
                && (candidate.isPrerelease() || version.isPrerelease());
    }

    // Greater than a partial version means after the whole line: >1.33 starts at 1.34.
    private boolean isBeyond(SemanticVersion candidate, int order) {
        if (candidate.major() == version.major()) {
            if (partial == Partial.FROM_MINOR) {
                return false;
            }
            if (partial == Partial.FROM_PATCH) {
                return Long.compareUnsigned(candidate.minor(), version.minor()) > 0;
            }
        }
        return order > 0;
    }

    private boolean isWithin(SemanticVersion candidate, int order) {
        if (partial == Partial.NO) {
            return order <= 0;
        }
        if (candidate.major() != version.major()) {
            return Long.compareUnsigned(candidate.major(), version.major()) < 0;
        }
        return partial == Partial.FROM_MINOR || Long.compareUnsigned(candidate.minor(), version.minor()) <= 0;
    }

    private boolean isInTilde(SemanticVersion candidate, int order) {
        if (order < 0) {
            return false;
        }
        boolean anything = version.major() == 0
                && version.minor() == 0
                && version.patch() == 0
                && (partial == Partial.NO || partial == Partial.FROM_MAJOR);
        return anything
                || (candidate.major() == version.major()
                        && (partial == Partial.FROM_MINOR || candidate.minor() == version.minor()));
    }

    // The first non-zero number must stay, as changing it is a breaking change.
    private boolean isInCaret(SemanticVersion candidate, int order) {
        if (order < 0) {
            return false;
        }
        if (version.major() != 0 || partial == Partial.FROM_MINOR) {
            return candidate.major() == version.major();
        }
        if (candidate.major() != 0) {
            return false;
        }
        if (version.minor() != 0 || partial == Partial.FROM_PATCH) {
            return candidate.minor() == version.minor();
        }
        return candidate.minor() == 0 && candidate.patch() == version.patch();
    }
}

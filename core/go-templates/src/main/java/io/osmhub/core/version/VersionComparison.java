package io.osmhub.core.version;

import io.osmhub.core.version.SemanticVersion.InvalidVersionException;

/**
 * One comparison, for example {@code >=1.29}.
 *
 * @param partial the first number that is a wildcard or left out
 */
record VersionComparison(Operator operator, SemanticVersion version, Partial partial) {
    enum Operator {
        EQUAL("=", ""),
        NOT_EQUAL("!=", "!="),
        GREATER(">", ">"),
        LESS("<", "<"),
        GREATER_OR_EQUAL(">=", "=>"),
        LESS_OR_EQUAL("<=", "=<"),
        TILDE("~", "~>"),
        CARET("^", "^");

        private final String sign;
        private final String alias;

        Operator(String sign, String alias) {
            this.sign = sign;
            this.alias = alias;
        }

        private static Operator of(String text) throws InvalidVersionException {
            for (Operator operator : values()) {
                if (text.equals(operator.sign) || text.equals(operator.alias)) {
                    return operator;
                }
            }
            throw new InvalidVersionException("unknown operator in a constraint: " + text);
        }
    }

    enum Partial {
        NO,
        FROM_PATCH,
        FROM_MINOR,
        FROM_MAJOR
    }

    static VersionComparison scan(VersionScanner scanner) throws InvalidVersionException {
        Operator operator = Operator.of(scanner.readOperator());
        scanner.skipBlanks();
        scanner.accept('v');
        String major = scanner.readNumber(true);
        String minor = scanner.readNumberAfterDot(true);
        String patch = minor.isEmpty() ? "" : scanner.readNumberAfterDot(true);
        String prerelease = scanner.readIdentifiersAfter('-');
        scanner.readIdentifiersAfter('+');
        Partial partial = isWildcard(major)
                ? Partial.FROM_MAJOR
                : minor.isEmpty() || isWildcard(minor)
                        ? Partial.FROM_MINOR
                        : patch.isEmpty() || isWildcard(patch) ? Partial.FROM_PATCH : Partial.NO;
        String numbers =
                switch (partial) {
                    case FROM_MAJOR -> "0.0.0";
                    case FROM_MINOR -> major + ".0.0";
                    case FROM_PATCH -> major + "." + minor + ".0";
                    case NO -> major + "." + minor + "." + patch;
                };
        String suffix = prerelease.isEmpty() ? "" : "-" + prerelease;
        return new VersionComparison(operator, SemanticVersion.parse(numbers + suffix), partial);
    }

    private static boolean isWildcard(String number) {
        return number.equals("x") || number.equals("X") || number.equals("*");
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
        return !candidate.prerelease().equals(version.prerelease())
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

package io.osmhub.core.emit.yaml;

/**
 * Which styles a text allows.
 *
 * @param multiline whether there are line breaks in it
 * @param plain whether it may be written without quotes in block context
 * @param singleQuoted whether single quotes are enough
 * @param block whether it may be written as a literal block
 */
record AllowedScalarStyles(boolean multiline, boolean plain, boolean singleQuoted, boolean block) {
    static AllowedScalarStyles of(String text, YamlLayout dialect) {
        return text.isEmpty()
                ? new AllowedScalarStyles(false, true, true, false)
                : new Analysis(text, dialect).traits();
    }

    /** One pass over a text, keeping what is seen. */
    private static final class Analysis {
        private final String text;
        private final YamlLayout dialect;
        private boolean indicators;
        private boolean special;
        private boolean tabs;
        private boolean lineBreaks;
        private boolean blankAtEdge;
        private boolean trailingSpace;
        private boolean spaceAfterBreak;
        private boolean breakAfterSpace;

        Analysis(String text, YamlLayout dialect) {
            this.text = text;
            this.dialect = dialect;
        }

        AllowedScalarStyles traits() {
            indicators = text.startsWith("---") || text.startsWith("...");
            boolean afterBlank = true;
            boolean afterSpace = false;
            boolean afterBreak = false;
            for (int i = 0; i < text.length(); ) {
                int width = YamlCharacters.width(text.charAt(i));
                boolean last = i + width >= text.length();
                indicators |= isIndicator(i, afterBlank, YamlCharacters.isBlankOrEnd(text, i + width));
                if (text.charAt(i) == '\t') {
                    tabs = true;
                } else if (!YamlCharacters.isPrintable(text, i)) {
                    special = true;
                }
                if (YamlCharacters.isSpace(text, i)) {
                    blankAtEdge |= i == 0 || last;
                    trailingSpace |= last;
                    spaceAfterBreak |= afterBreak;
                    afterSpace = true;
                    afterBreak = false;
                } else if (YamlCharacters.lineBreak(text, i) > 0) {
                    lineBreaks = true;
                    blankAtEdge |= i == 0 || last;
                    breakAfterSpace |= afterSpace;
                    afterSpace = false;
                    afterBreak = true;
                } else {
                    afterSpace = false;
                    afterBreak = false;
                }
                afterBlank = YamlCharacters.isBlankOrEnd(text, i);
                i += width;
            }
            boolean quotable = !(breakAfterSpace || tabs || special);
            return new AllowedScalarStyles(
                    lineBreaks,
                    quotable && !spaceAfterBreak && !blankAtEdge && !lineBreaks && !indicators,
                    quotable && !spaceAfterBreak,
                    !trailingSpace && !breakAfterSpace && !special && (dialect.tabsInBlocks() || !tabs));
        }

        private boolean isIndicator(int i, boolean afterBlank, boolean beforeBlank) {
            char c = text.charAt(i);
            if (i > 0) {
                return (c == ':' && beforeBlank) || (c == '#' && afterBlank);
            }
            return switch (c) {
                case '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`' -> true;
                case '?', ':', '-' -> beforeBlank;
                default -> false;
            };
        }
    }
}

package io.osmhub.deploy.fleet;

import picocli.CommandLine.Option;

/** The flags for how something is printed. */
public final class PrintOptions {
    /** When tables have colours. */
    public enum Color {
        auto,
        always,
        never
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "One of ${COMPLETION-CANDIDATES}. JSON and YAML are the API's schemas.")
    private OutputFormat format = OutputFormat.table;

    @Option(names = "--no-headers", description = "Without the first line of a table.")
    private boolean noHeaders;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description = "One of ${COMPLETION-CANDIDATES}. Never the only sign of anything.")
    private Color color = Color.auto;

    @Option(names = "--utc", description = "Times in UTC.")
    private boolean utc;

    public OutputFormat format() {
        return format;
    }

    public boolean headers() {
        return !noHeaders;
    }

    public boolean utc() {
        return utc;
    }

    /** @param terminal whether somebody looks at a terminal */
    public boolean colors(boolean terminal) {
        return switch (color) {
            case always -> true;
            case never -> false;
            case auto -> terminal && System.getenv("NO_COLOR") == null;
        };
    }
}

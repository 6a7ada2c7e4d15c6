package io.osmhub.deploy.fleet;

import picocli.CommandLine.Option;

/** The output flags. */
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
            description = "Output format: ${COMPLETION-CANDIDATES}. JSON and YAML follow the API's schemas.")
    private OutputFormat format = OutputFormat.table;

    @Option(names = "--no-headers", description = "Omit table headers.")
    private boolean noHeaders;

    @Option(names = "--color", paramLabel = "WHEN", description = "Use colors: ${COMPLETION-CANDIDATES}.")
    private Color color = Color.auto;

    @Option(names = "--utc", description = "Print times in UTC.")
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

    /** @param terminal whether the output is a terminal */
    public boolean colors(boolean terminal) {
        return switch (color) {
            case always -> true;
            case never -> false;
            case auto -> terminal && System.getenv("NO_COLOR") == null;
        };
    }

    /** Output formats. Constants are named as on the command line. */
    public enum OutputFormat {
        table,
        /** A table with additional columns. */
        wide,
        /** The API's schemas as JSON. */
        json,
        /** The API's schemas as YAML. */
        yaml,
        /** {@code kind/name}, one per line. */
        name
    }
}

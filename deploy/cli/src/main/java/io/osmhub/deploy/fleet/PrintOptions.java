package io.osmhub.deploy.fleet;

import java.util.Optional;
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
            description = {
                "Output format: ${COMPLETION-CANDIDATES}. JSON and YAML follow the API's schemas; use jq to select fields."
            })
    private OutputFormat format = OutputFormat.table;

    @Option(names = "--color", paramLabel = "WHEN", description = "Use colors: ${COMPLETION-CANDIDATES}.")
    private Color color = Color.auto;

    @Option(names = "--no-headers", description = "Omit table headers.")
    private boolean noHeaders;

    /** The output of an object or list in a format for programs, with its end of line; empty for names and tables. */
    public Optional<String> printStructured(Object body) {
        return switch (format) {
            case json -> Optional.of(ObjectPrinter.json(body) + "\n");
            case yaml -> Optional.of(ObjectPrinter.yaml(body) + "\n");
            case table, wide, name -> Optional.empty();
        };
    }

    public OutputFormat format() {
        return format;
    }

    public boolean headers() {
        return !noHeaders;
    }

    /** Rejects the options of lists for a verb that prints a report. */
    public void rejectListOptions() {
        if (noHeaders || format == OutputFormat.wide) {
            throw CommandFailure.unusable((noHeaders ? "--no-headers" : "-o wide") + ": has no effect here; omit it");
        }
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

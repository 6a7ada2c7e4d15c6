package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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
            converter = OutputConverter.class,
            completionCandidates = FormatCandidates.class,
            description = {
                "Output format: table, wide, json, yaml, name, jsonpath=TEMPLATE or custom-columns=HEADER:PATH,...",
                "JSON and YAML follow the API's schemas."
            })
    private Output output = new Output(OutputFormat.table, null, List.of());

    /** {@code HEADER:.path}. */
    private record CustomColumn(String header, JsonPathTemplate path) {}

    private record Output(OutputFormat format, @Nullable JsonPathTemplate template, List<CustomColumn> columns) {
        /** The generated method takes a tenth of the time to parse a command line. */
        @Override
        public String toString() {
            return format.name();
        }

        static Output of(String text) throws FleetFailure {
            int equals = text.indexOf('=');
            String name = equals < 0 ? text : text.substring(0, equals);
            String value = text.substring(equals + 1);
            List<String> known = FormatCandidates.NAMES;
            if (!known.contains(name + (equals < 0 ? "" : "="))) {
                throw FleetFailure.unusable("expected " + String.join(", ", known) + " but found " + text);
            }
            OutputFormat format = OutputFormat.valueOf(name.replace('-', '_'));
            return new Output(
                    format,
                    format == OutputFormat.jsonpath ? JsonPathTemplate.parse(value) : null,
                    format == OutputFormat.custom_columns ? PrintOptions.columns(value) : List.of());
        }
    }

    static final class OutputConverter implements ITypeConverter<Output> {
        @Override
        public Output convert(String text) {
            try {
                return Output.of(text);
            } catch (FleetFailure e) {
                throw new TypeConversionException(e.text());
            }
        }
    }

    private static List<CustomColumn> columns(String text) throws FleetFailure {
        List<CustomColumn> columns = new ArrayList<>();
        for (String column : text.split(",", -1)) {
            int colon = column.indexOf(':');
            if (colon < 1 || colon == column.length() - 1) {
                throw FleetFailure.unusable(
                        "\"" + column + "\": expected HEADER:PATH, for example NAME:.metadata.name");
            }
            columns.add(new CustomColumn(
                    column.substring(0, colon), JsonPathTemplate.parseExpression(column.substring(colon + 1))));
        }
        return columns;
    }

    /** Shell completion of the format. */
    static final class FormatCandidates implements Iterable<String> {
        private static final List<String> NAMES =
                List.of("table", "wide", "json", "yaml", "name", "jsonpath=", "custom-columns=");

        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }

    /** The output of an object or list in a format for programs, with its end of line; empty for names and tables. */
    public Optional<String> printStructured(Object body) throws FleetFailure {
        return switch (output.format()) {
            case json -> Optional.of(ObjectPrinter.json(body) + "\n");
            case yaml -> Optional.of(ObjectPrinter.yaml(body) + "\n");
            case jsonpath ->
                Optional.of(TerminalSanitizer.sanitizeText(Objects.requireNonNull(output.template(), "of this format")
                        .print(ObjectPrinter.tree(body))));
            case custom_columns -> {
                JsonNode tree = ObjectPrinter.tree(body);
                List<JsonNode> rows = new ArrayList<>();
                (tree.path("items").isArray() ? tree.path("items") : List.of(tree)).forEach(rows::add);
                yield Optional.of(table(rows));
            }
            case table, wide, name -> Optional.empty();
        };
    }

    private String table(List<JsonNode> rows) throws FleetFailure {
        List<List<String>> cells = new ArrayList<>();
        for (JsonNode row : rows) {
            List<String> values = new ArrayList<>();
            for (CustomColumn column : output.columns()) {
                String text = String.join(
                        ",",
                        column.path().find(row).stream()
                                .map(JsonPathTemplate::text)
                                .toList());
                values.add(text.isEmpty() ? "<none>" : text);
            }
            cells.add(values);
        }
        TextTable<List<String>> table = new TextTable<>(cells);
        for (int i = 0; i < output.columns().size(); i++) {
            int index = i;
            table.text(output.columns().get(i).header(), values -> values.get(index));
        }
        return String.join("\n", table.lines(headers(), false, 0)) + "\n";
    }

    @Option(names = "--no-headers", description = "Omit table headers.")
    private boolean noHeaders;

    @Option(names = "--color", paramLabel = "WHEN", description = "Use colors: ${COMPLETION-CANDIDATES}.")
    private Color color = Color.auto;

    @Option(names = "--utc", description = "Print times in UTC.")
    private boolean utc;

    public OutputFormat format() {
        return output.format();
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
        name,
        /** A kubectl template. */
        jsonpath,
        /** A table of chosen fields. */
        custom_columns
    }
}

package io.osmhub.core.lint;

import com.google.re2j.Pattern;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.lint.ContentChecks.ContentError;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.problem.MessageFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks user-data documents against {@code user-data-schema.tsv}. cloud-init itself only logs a warning on the machine and ignores what
 * it does not know; Ignition rejects a whole config, and the machine does not start.
 */
final class UserDataSchema {
    static final UserDataSchema CLOUD_CONFIG = new UserDataSchema("cloud-config", "cloud-init");
    static final UserDataSchema IGNITION = new UserDataSchema("ignition", "Ignition");

    /** Errors listed of one text. */
    static final int MOST_ERRORS = 20;

    private static final String HEADER = "#cloud-config";
    private static final Pattern IGNITION_VERSION = Pattern.compile("[23]\\.\\d+\\.\\d+(-experimental)?");
    private static final Pattern OCTAL_MODE = Pattern.compile("[0-7]{1,5}");
    private static final Set<String> REPOSITORY_ADDRESSES = Set.of("baseurl", "metalink", "mirrorlist");

    /** Encodings of cloud-init; only {@code b64} is applied when building a document. */
    static final Set<String> ENCODINGS =
            Set.of("b64", "base64", "gz", "gzip", "gz+b64", "gz+base64", "gzip+b64", "gzip+base64", "text/plain");

    /** Kinds of values that must be there. */
    private static final Set<String> REQUIRED = Set.of("NAME", "ABSOLUTE_PATH", "VERSION", "UNIT_NAME");

    /** {@code fix} of another value is empty if the message implies it. */
    private record Row(String path, String kind, LintSeverity severity, boolean fatal, String fix) {}

    private final String program;
    private final Map<String, List<Row>> rows = new LinkedHashMap<>();
    /** Names of the fields below a path, for suggestions and for those that are missing. */
    private final Map<String, Set<String>> children = new LinkedHashMap<>();

    private UserDataSchema(String document, String program) {
        this.program = program;
        LintResource.rows("user-data-schema.tsv").stream()
                .filter(cells -> cells[0].equals(document))
                .forEach(this::addRows);
    }

    private void addRows(String[] cells) {
        boolean fatal = cells[3].equals("fatal");
        LintSeverity severity = fatal ? LintSeverity.ERROR : LintSeverity.valueOf(cells[3].toUpperCase(Locale.ROOT));
        for (String path : cells[1].split(" ")) {
            rows.computeIfAbsent(path, key -> new ArrayList<>())
                    .add(new Row(path, cells[2], severity, fatal, cells.length > 4 ? cells[4] : ""));
            int dot = path.lastIndexOf('.');
            children.computeIfAbsent(dot < 0 ? "" : path.substring(0, dot), key -> new TreeSet<>())
                    .add(path.substring(dot + 1));
        }
    }

    /** The schema of a file or document; null if it is for neither program. */
    static @Nullable UserDataSchema of(String path, String text) {
        boolean cloudConfig = text.startsWith(HEADER)
                && (text.length() == HEADER.length() || Character.isWhitespace(text.charAt(HEADER.length())));
        return cloudConfig ? CLOUD_CONFIG : path.endsWith(".ign") || text.startsWith("{\"ignition\"") ? IGNITION : null;
    }

    /** Adds the errors of a document. */
    void check(DocumentNode root, List<ContentError> errors) {
        if (root instanceof DocumentNode.Fields fields) {
            fields("", "", fields, errors);
        } else {
            LintRuleViolation violation = LintRuleViolation.of("user-data.not-a-mapping");
            errors.add(new ContentError(violation, true, "", 0, 0, ""));
        }
    }

    private void fields(String path, String pattern, DocumentNode.Fields parent, List<ContentError> errors) {
        Set<String> known = children.getOrDefault(pattern, Set.of());
        for (DocumentNode.Field field : parent.fields()) {
            if (errors.size() >= MOST_ERRORS) {
                return;
            }
            String child = join(pattern, known.contains(field.name()) ? field.name() : "*");
            value(join(path, field.name()), child, field.value(), errors);
        }
        for (String name : known) {
            for (Row row : rows.getOrDefault(join(pattern, name), List.of())) {
                if (REQUIRED.contains(row.kind()) && parent.get(name) == null) {
                    check(row, join(path, name), null, errors);
                }
            }
        }
    }

    private void value(String path, String pattern, DocumentNode value, List<ContentError> errors) {
        List<Row> checks = rows.getOrDefault(pattern, List.of());
        // A key without a value counts as missing.
        boolean missing = value instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.NULL;
        if (missing || !checks.stream().allMatch(row -> check(row, path, value, errors))) {
            return;
        }
        switch (value) {
            case DocumentNode.Fields fields -> fields(path, pattern, fields, errors);
            case DocumentNode.Items items -> {
                for (int i = 0; i < items.nodes().size() && errors.size() < MOST_ERRORS; i++) {
                    value(path + "[" + i + "]", pattern + "[]", items.nodes().get(i), errors);
                }
            }
            case DocumentNode.Scalar _ -> {}
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private boolean check(Row row, String path, @Nullable DocumentNode value, List<ContentError> errors) {
        String what = violation(row.kind(), value);
        if (what != null) {
            String cure = row.kind().equals("UNKNOWN") ? suggestion(path, row) : row.fix();
            LintRuleViolation violation =
                    new LintRuleViolation(LintRule.USER_DATA, row.severity(), MessageFormatter.quote(what), cure);
            errors.add(new ContentError(violation, row.fatal(), MessageFormatter.quote(path), 0, 0, ""));
        }
        return what == null;
    }

    private String suggestion(String path, Row row) {
        String parent = row.path().substring(0, Math.max(0, row.path().length() - 2));
        Set<String> known = new TreeSet<>(children.getOrDefault(parent, Set.of()));
        known.remove("*");
        return MessageFormatter.quote(
                FindingsCollector.suggestClosest(path.substring(path.lastIndexOf('.') + 1), known));
    }

    /** Why a value is not of a kind; null if it is. */
    private @Nullable String violation(String kind, @Nullable DocumentNode value) {
        String text = value instanceof DocumentNode.Scalar scalar ? scalar.text() : "";
        DocumentNode.Kind type = value instanceof DocumentNode.Scalar scalar ? scalar.kind() : DocumentNode.Kind.NULL;
        boolean isText = type == DocumentNode.Kind.TEXT;
        int mode = type == DocumentNode.Kind.INTEGER && text.length() < 9 ? Integer.parseInt(text) : -1;
        String misread = FileMode.isMisread(mode) ? "number " + text + " as mode " + FileMode.octal(mode) : null;
        String given = value == null ? "missing" : value.describe();
        return switch (kind) {
            case "ANY" -> null;
            case "UNKNOWN" -> "unknown key, " + (this == IGNITION ? "refused by " : "ignored by ") + program;
            case "TEXT", "NAME" -> isText ? null : "must be a string, not " + given;
            case "SCALAR" -> value instanceof DocumentNode.Scalar ? null : "must be a string, not " + given;
            case "FLAG" -> type == DocumentNode.Kind.BOOL ? null : "must be true or false, not " + given;
            case "LIST" -> value instanceof DocumentNode.Items ? null : "must be a list, not " + given;
            case "MAPPING" -> value instanceof DocumentNode.Fields ? null : "must be a mapping, not " + given;
            case "COMMAND" ->
                isText || value instanceof DocumentNode.Items
                        ? null
                        : "cloud-init parses this command as " + given + " and rejects the whole list";
            case "ABSOLUTE_PATH" -> isText && text.startsWith("/") ? null : "must be an absolute path";
            case "OCTAL_MODE" ->
                !OCTAL_MODE.matcher(text).matches()
                        ? text + " is not an octal mode"
                        : misread == null ? null : "cloud-init reads the " + misread;
            case "DECIMAL_MODE" -> mode >= 0 && mode <= 07777 ? null : text + " is not a file mode";
            case "INTENDED_MODE" -> misread == null ? null : "Ignition reads the " + misread;
            case "ENCODING" -> ENCODINGS.contains(text) ? null : "unknown cloud-init encoding " + text;
            case "REPOSITORY" ->
                value instanceof DocumentNode.Fields fields
                                && fields.fields().stream().anyMatch(one -> REPOSITORY_ADDRESSES.contains(one.name()))
                        ? null
                        : "cloud-init ignores a repository without baseurl, metalink and mirrorlist";
            case "VERSION" ->
                IGNITION_VERSION.matcher(text).matches() ? null : '"' + text + "\" is not a valid format version";
            case "UNIT_NAME" -> isText && SystemdFiles.isUnitName(text) ? null : "does not end in a unit type";
            case "UNIT_TEXT" -> isText ? SystemdFiles.error(text) : null;
            default -> throw new IllegalStateException("unknown kind " + kind);
        };
    }
}

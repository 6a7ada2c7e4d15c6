package io.osmhub.core.lint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.document.YamlException;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.toml.TomlDecoder;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.ScriptChecker.Dialect;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.render.KubeletConfigRules;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Checks the content of one rendered file by what its path and first line say that it is. */
final class ContentChecks {
    private static final Set<String> NOT_BASE64 = Set.of("gz", "gzip");

    private static final Pattern UNVERIFIED = Pattern.compile(
            "\\bcurl\\b.*\\s(-[a-zA-Z]*k[a-zA-Z]*|--insecure)(\\s|$)|\\bwget\\b.*\\s--no-check-certificate(\\s|$)");

    /** The program of a first line, without {@code env} and options. */
    private static final Pattern INTERPRETER =
            Pattern.compile("^#!\\s*(?:\\S*/)?(?:env\\s+(?:-\\S*\\s+)*(?:\\S*/)?)?([^\\s/]*)");

    private static final ObjectMapper JSON_READER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(NestingTracker.DOCUMENT_DEPTH)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /**
     * A mistake in a file's or document's text.
     *
     * @param stops whether the reader of the text gets nothing of it
     * @param field in a user-data document; empty for the whole text
     * @param line from 1; 0 for the whole text
     * @param column from 1; 0 if unknown
     * @param since the first Kubernetes version for which it is one, {@code 1.34}; empty for all
     */
    record ContentError(LintRuleViolation violation, boolean stops, String field, int line, int column, String since) {
        ContentError(LintRuleViolation violation, int line) {
            this(violation, false, "", line, 0, "");
        }

        LintRule rule() {
            return violation.rule();
        }

        /** The cause with the field. */
        String message() {
            return field.isEmpty() ? violation.what() : field + ": " + violation.what();
        }

        /** @param version of Kubernetes, {@code 1.34} or {@code 1.34.2}, with or without a leading v */
        boolean appliesTo(String version) {
            return since.isEmpty() || RemovedOptions.number(version) >= RemovedOptions.number(since);
        }
    }

    private final ScriptChecker scripts;
    private final boolean ignition;
    private final String path;
    private final List<ContentError> found = new ArrayList<>();

    private ContentChecks(ScriptChecker scripts, boolean ignition, String path) {
        this.scripts = scripts;
        this.ignition = ignition;
        this.path = path;
    }

    /** Checks a file of a profile or of a MachineDeployment; {@code encoding} is empty if left out. */
    static List<ContentError> check(
            ScriptChecker scripts, boolean ignition, String path, String data, String encoding) {
        ContentChecks checks = new ContentChecks(scripts, ignition, path);
        checks.check(data, encoding);
        checks.found.addAll(RemovedOptions.find(path, data));
        return checks.found;
    }

    /** Checks a user-data document, whose files are checked on their own. */
    static List<ContentError> checkDocument(String text) {
        ContentChecks checks = new ContentChecks(ScriptChecker.NONE, false, "");
        UserDataSchema schema = Objects.requireNonNullElse(UserDataSchema.of("", text), UserDataSchema.IGNITION);
        checks.parse(text, schema == UserDataSchema.IGNITION ? ContentChecks::json : ContentChecks::yaml, schema);
        return checks.found;
    }

    private void check(String data, String encoding) {
        if (isEncoded(data, encoding)) {
            return;
        }
        if (data.length() > UserDataSize.SECRET_BYTES) {
            notChecked(UserDataSize.formatBytes(data.length()) + ", checked are up to "
                    + UserDataSize.formatBytes(UserDataSize.SECRET_BYTES));
            return;
        }
        // A document without encoding brings CR LF as LF, so the check sees what the machine does.
        String text = encoding.equals("b64") && !ignition ? data : UserDataGenerator.normalizeLineEnds(data, ignition);
        Matcher interpreter = INTERPRETER.matcher(text);
        boolean script = interpreter.find();
        String program = script ? interpreter.group(1) : path.endsWith(".sh") ? "bash" : "";
        if (script || path.endsWith(".sh")) {
            carriageReturns(text);
        }
        UserDataSchema schema = UserDataSchema.of(path, text);
        String name = path.toLowerCase(Locale.ROOT);
        if (Set.of("bash", "sh", "dash", "ash").contains(program)) {
            script(text.replace("\r\n", "\n"), program.equals("bash") ? Dialect.BASH : Dialect.POSIX);
        } else if (SystemdFiles.appliesTo(path)) {
            String error = SystemdFiles.error(path, text);
            if (error != null) {
                add(0, "unit-syntax", error);
            }
        } else if (name.endsWith(".yaml")
                || name.endsWith(".yml")
                || text.startsWith("apiVersion: ")
                || schema == UserDataSchema.CLOUD_CONFIG
                || KubeletConfigRules.appliesTo(text)) {
            parse(text, ContentChecks::yaml, schema);
        } else if (name.endsWith(".json") || schema == UserDataSchema.IGNITION) {
            parse(text, ContentChecks::json, schema);
        } else if (name.endsWith(".toml")) {
            toml(text);
        }
    }

    private void add(int line, String rule, Object... values) {
        found.add(new ContentError(LintRuleViolation.of(rule, values), line));
    }

    private void unreadable(boolean certain, int line, int column, String what, String cure) {
        LintRuleViolation violation = LintRuleViolation.of("file-content.unreadable", what, cure);
        found.add(new ContentError(violation, certain, "", line, column, ""));
    }

    /** A text beyond a limit may still be valid. */
    private void notChecked(String limit) {
        add(1, "file-content.not-checked", limit);
    }

    /** Checks encodings that are declared but not applied; true if the text is not the file's plain content. */
    private boolean isEncoded(String text, String encoding) {
        if (ignition
                || encoding.equals("b64")
                || encoding.equals("text/plain")
                || !UserDataSchema.ENCODINGS.contains(encoding)) {
            return false;
        }
        boolean encoded = !NOT_BASE64.contains(encoding) && isBase64(text, encoding.startsWith("gz"));
        if (!encoded) {
            add(0, "file-encoding.not-applied", encoding);
        }
        return encoded;
    }

    private static boolean isBase64(String text, boolean gzip) {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(text.strip());
            boolean exact = text.codePoints().noneMatch(c -> c > 'z' || c == '-' || c == '_');
            return exact && (!gzip || bytes.length > 2 && bytes[0] == 0x1F && bytes[1] == (byte) 0x8B);
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private void carriageReturns(String text) {
        int first = text.indexOf('\n') < 0 ? text.indexOf('\r') : text.indexOf("\r\n");
        if (first >= 0) {
            int line = text.substring(0, first).split("\n", -1).length;
            boolean interpreter = line == 1 && text.startsWith("#!");
            add(line, interpreter ? "shell-syntax.interpreter-cr-lf" : "shell-syntax.cr-lf");
        }
    }

    private void script(String text, Dialect dialect) {
        String errors = scripts.check(dialect, text);
        if (!errors.isEmpty()) {
            add(0, "shell-syntax", errors);
        }
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if ((line.contains("curl") || line.contains("wget"))
                    && found.size() < UserDataSchema.MOST_ERRORS
                    && UNVERIFIED.matcher(line).find()) {
                add(number, "unverified-download");
            }
        }
    }

    /** Parses a text of a format and checks what its program reads; {@code schema} is null if none is known. */
    private void parse(
            String text,
            BiFunction<ContentChecks, String, List<DocumentNode>> format,
            @Nullable UserDataSchema schema) {
        List<DocumentNode> roots = format.apply(this, text);
        if (schema != null && found.isEmpty()) {
            roots.forEach(root -> schema.check(root, found));
        } else if (!roots.isEmpty() && KubeletConfigRules.appliesTo(text)) {
            KubeletConfigRules.check(roots.getFirst())
                    .forEach(error -> unreadable(true, error.line(), 0, error.what(), ""));
        }
    }

    private List<DocumentNode> yaml(String text) {
        try {
            return YamlDocumentReader.parse(text);
        } catch (YamlException e) {
            if (e.kind() == YamlException.Kind.LIMIT) {
                notChecked("it " + e.problem());
            } else {
                unreadable(
                        e.kind() != YamlException.Kind.DUPLICATE_KEY,
                        Math.max(1, e.position().line()),
                        e.position().column(),
                        "no YAML: " + e.problem(),
                        e.fix());
            }
            return List.of();
        }
    }

    private List<DocumentNode> json(String text) {
        try (MappingIterator<JsonNode> values =
                JSON_READER.readerFor(JsonNode.class).readValues(text)) {
            if (!values.hasNextValue()) {
                unreadable(true, 1, 0, "no JSON: holds no JSON value", "");
                return List.of();
            }
            JsonNode root = values.nextValue();
            if (values.hasNextValue()) {
                values.nextValue();
                add(values.getCurrentLocation().getLineNr(), "file-content.json-values");
            }
            return List.of(SourceDocument.of(ProblemObject.NONE, root).root());
        } catch (StreamConstraintsException e) {
            // The message ends with the name of the library's method.
            notChecked(e.getOriginalMessage().split(", from `", 2)[0]);
        } catch (JsonProcessingException e) {
            JsonLocation place = e.getLocation();
            unreadable(
                    true,
                    place == null ? 1 : place.getLineNr(),
                    place == null ? 0 : place.getColumnNr(),
                    "no JSON: " + e.getOriginalMessage(),
                    "");
        } catch (IOException e) {
            throw new UncheckedIOException("the text is in memory", e);
        }
        return List.of();
    }

    private void toml(String text) {
        try {
            TomlDecoder.check(text);
        } catch (TextSyntaxException e) {
            unreadable(true, Math.max(1, e.line()), e.column(), "no TOML: " + e.problem(), "");
        } catch (LimitExceededException e) {
            notChecked("it has " + e.getMessage());
        }
    }
}

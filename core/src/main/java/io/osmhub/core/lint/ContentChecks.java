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
import com.google.re2j.Pattern;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.toml.TomlDecoder;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.lint.DryRun.RenderedFile;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.ProfileSourceMap.SourceFile;
import io.osmhub.core.lint.ScriptChecker.Dialect;
import io.osmhub.core.lint.UnitChecks.UnitSyntaxParser;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.KubeletConfigRules;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks rendered files by their content. Equal texts of several combinations are checked once. */
final class ContentChecks {
    private static final Set<String> BASE64 = Set.of("base64", "gz+base64", "gzip+base64", "gz+b64", "gzip+b64");

    private static final Pattern UNVERIFIED = Pattern.compile(
            "\\bcurl\\b.*\\s(-[a-zA-Z]*k[a-zA-Z]*|--insecure)(\\s|$)|\\bwget\\b.*\\s--no-check-certificate(\\s|$)");

    private static final String GO_DURATION = "&Duration{Duration:";

    private record Checked(SourceFile file, String text) {}

    private final ScriptChecker scripts;
    private final FindingCollector findings;
    private final boolean ignition;
    private final Map<Checked, List<LintFinding>> checked = new HashMap<>();
    private final Map<Checked, List<RemovedOptions.Use>> options = new HashMap<>();
    private final Map<String, List<ScriptChecker.ScriptError>> faultsByShape = new HashMap<>();

    ContentChecks(ScriptChecker scripts, FindingCollector findings, boolean ignition) {
        this.scripts = scripts;
        this.findings = findings;
        this.ignition = ignition;
    }

    /** A mistake in a file's text: in a line from 1, or in a field of the file if {@code line} is 0. */
    record ContentError(
            LintSeverity severity, LintRule rule, String field, int line, int column, String what, String cure) {
        ContentError(LintSeverity severity, LintRule rule, int line, int column, String what, String cure) {
            this(severity, rule, "", line, column, what, cure);
        }
    }

    void check(RenderedFile file) {
        Inline inline = file.file().file().inline();
        List<LintFinding> found = checked.computeIfAbsent(
                new Checked(file.file(), file.text()),
                key ->
                        findErrors(file.file().file().path(), file.text(), inline == null ? "" : inline.encoding())
                                .stream()
                                .map(error -> error.field().isEmpty()
                                        ? file.createFinding(
                                                error.severity(),
                                                error.rule(),
                                                error.line(),
                                                error.column(),
                                                error.what(),
                                                error.cure())
                                        : file.createFinding(
                                                error.severity(),
                                                error.rule(),
                                                error.field(),
                                                error.what(),
                                                error.cure()))
                                .toList());
        found.stream().map(ContentChecks::onlyWithAnAnnotation).forEach(findings::add);
        removedOptions(file, file.point().version()).forEach(findings::add);
    }

    /**
     * OSM's profiles print the ages of images as Go values. Only MachineDeployments with such an annotation get one, and they are
     * reported themselves, so the profile is not wrong for the others.
     */
    private static LintFinding onlyWithAnAnnotation(LintFinding finding) {
        LintFinding.Evidence evidence = finding.evidence();
        return finding.rule() == LintRule.FILE_CONTENT
                        && evidence != null
                        && evidence.text().contains(GO_DURATION)
                ? new LintFinding(
                        LintSeverity.WARNING,
                        finding.rule(),
                        finding.position(),
                        finding.field(),
                        finding.inContent(),
                        finding.what(),
                        "append .Duration to the field: {{ .ImageMinimumGCAge.Duration }}",
                        evidence)
                : finding;
    }

    /** Unlike the other checks it depends on the Kubernetes version. */
    private List<LintFinding> removedOptions(RenderedFile file, String version) {
        List<LintFinding> found = new ArrayList<>();
        List<RemovedOptions.Use> uses = options.computeIfAbsent(
                new Checked(file.file(), file.text()),
                key -> RemovedOptions.find(file.file().file().path(), file.text()));
        for (RemovedOptions.Use use : uses) {
            if (use.option().isGoneIn(version)) {
                found.add(file.createFinding(
                        use.option().severity(),
                        LintRule.REMOVED_OPTION,
                        use.line(),
                        0,
                        use.option().what(),
                        use.option().cure()));
            }
        }
        return found;
    }

    /** Checks a file of a profile or of a MachineDeployment; {@code encoding} is empty if left out. */
    List<ContentError> findErrors(String path, String data, String encoding) {
        List<ContentError> found = new ArrayList<>();
        if (encoded(data, encoding, found)) {
            return found;
        }
        if (data.length() > UserDataSize.SECRET_BYTES) {
            found.add(new ContentError(
                    LintSeverity.WARNING,
                    LintRule.FILE_CONTENT,
                    "content.inline.data",
                    0,
                    0,
                    "the content is not checked: "
                            + UserDataSize.formatBytes(data.length()) + ", checked are up to "
                            + UserDataSize.formatBytes(UserDataSize.SECRET_BYTES),
                    "shorten it, or let machines download it"));
            return found;
        }
        // A document without encoding brings CR LF as LF, so the check sees what the machine does.
        String text = encoding.equals("b64") && !ignition ? data : UserDataGenerator.normalizeLineEnds(data, ignition);
        if (text.startsWith("#!") || path.endsWith(".sh")) {
            carriageReturns(text, found);
        }
        Dialect dialect = dialect(path, text);
        if (dialect != null) {
            script(text.replace("\r\n", "\n"), dialect, found);
        } else if (UnitSyntaxParser.appliesTo(path)) {
            for (UnitSyntaxParser.UnitSyntaxError fault :
                    UnitSyntaxParser.readFile(path, text).faults()) {
                found.add(new ContentError(
                        LintSeverity.ERROR, LintRule.UNIT_SYNTAX, fault.line(), 0, fault.message(), fault.cure()));
            }
        } else {
            format(path, text, found);
        }
        return found;
    }

    /** Checks encodings that are declared but not applied; true if the text is not the file's plain content. */
    private boolean encoded(String text, String encoding, List<ContentError> found) {
        if (ignition || encoding.isEmpty() || encoding.equals("b64") || encoding.equals("text/plain")) {
            return false;
        }
        if (BASE64.contains(encoding) && !isEncoded(text, encoding.startsWith("gz"))
                || encoding.equals("gz")
                || encoding.equals("gzip")) {
            found.add(new ContentError(
                    LintSeverity.ERROR,
                    LintRule.FILE_ENCODING,
                    "content.inline.encoding",
                    0,
                    0,
                    "encoding " + encoding + " is declared but not applied, and the content is not encoded",
                    "use b64, which is applied, or encode the content"));
            return false;
        }
        return true;
    }

    private static boolean isEncoded(String text, boolean gzip) {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(text.strip());
            boolean exact = text.codePoints().noneMatch(c -> c > 'z' || c == '-' || c == '_');
            return exact && (!gzip || bytes.length > 2 && bytes[0] == 0x1F && bytes[1] == (byte) 0x8B);
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    /** The shell of a file; null if it is not for a known shell. */
    private static @Nullable Dialect dialect(String path, String text) {
        if (!text.startsWith("#!")) {
            return path.endsWith(".sh") ? Dialect.BASH : null;
        }
        String[] words =
                text.lines().findFirst().orElse("").substring(2).strip().split("\\s+");
        String program = "";
        for (String word : words) {
            program = word.substring(word.lastIndexOf('/') + 1);
            if (!program.equals("env") && !program.startsWith("-")) {
                break;
            }
        }
        return switch (program) {
            case "bash" -> Dialect.BASH;
            case "sh", "dash", "ash" -> Dialect.POSIX;
            default -> null;
        };
    }

    private static void carriageReturns(String text, List<ContentError> found) {
        int first = text.indexOf('\n') < 0 ? text.indexOf('\r') : text.indexOf("\r\n");
        if (first >= 0) {
            int line = 1
                    + (int) text.substring(0, first)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            found.add(new ContentError(
                    LintSeverity.ERROR,
                    LintRule.SHELL_SYNTAX,
                    line,
                    0,
                    line == 1 && text.startsWith("#!")
                            ? "line ends are CR LF, so the interpreter is not found"
                            : "line ends are CR LF, and the shell reads CR as part of a word",
                    "convert them to LF"));
        }
    }

    private void script(String text, Dialect dialect, List<ContentError> found) {
        for (ScriptChecker.ScriptError fault : faults(dialect, text)) {
            found.add(
                    new ContentError(LintSeverity.ERROR, LintRule.SHELL_SYNTAX, fault.line(), 0, fault.message(), ""));
        }
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if ((line.contains("curl") || line.contains("wget"))
                    && found.size() < UnitSyntaxParser.MOST_ERRORS
                    && UNVERIFIED.matcher(line).find()) {
                found.add(new ContentError(
                        LintSeverity.INFO,
                        LintRule.UNVERIFIED_DOWNLOAD,
                        number,
                        0,
                        "`curl -k` sends a token to, or runs code as root from, an unverified server",
                        "use --cacert instead of -k"));
            }
        }
    }

    /** Scripts that differ only in numbers, mostly versions, have the same syntax, and each check starts a shell. */
    private List<ScriptChecker.ScriptError> faults(Dialect dialect, String script) {
        StringBuilder shape = new StringBuilder(script.length());
        for (int i = 0; i < script.length(); i++) {
            boolean digit = Character.isDigit(script.charAt(i));
            if (!digit || i == 0 || !Character.isDigit(script.charAt(i - 1))) {
                shape.append(digit ? '0' : script.charAt(i));
            }
        }
        return faultsByShape.computeIfAbsent(shape.toString(), key -> scripts.check(dialect, script));
    }

    private static void format(String path, String text, List<ContentError> found) {
        ContentFormat format = ContentFormat.of(path, text);
        if (format == null) {
            return;
        }
        List<ContentFormat.FormatError> faults = format.check(text);
        for (ContentFormat.FormatError fault : faults) {
            String what =
                    fault.severity() == LintSeverity.ERROR ? "no " + format + ": " + fault.message() : fault.message();
            found.add(new ContentError(
                    fault.severity(), LintRule.FILE_CONTENT, fault.line(), fault.column(), what, fault.cure()));
        }
        if (faults.isEmpty() && KubeletConfigRules.appliesTo(text)) {
            DocumentNode config =
                    YamlDocumentReader.read("", text, "").getFirst().root();
            KubeletConfigRules.check(config)
                    .forEach(error -> found.add(new ContentError(
                            LintSeverity.ERROR, LintRule.FILE_CONTENT, error.line(), 0, error.what(), "")));
        } else if (faults.isEmpty()) {
            userData(path, text, found);
        }
    }

    /** Checks a file that another start of cloud-init or Ignition reads. */
    private static void userData(String path, String text, List<ContentError> found) {
        if (CloudConfigValidator.isCloudConfig(text)) {
            for (CloudConfigValidator.CloudConfigError fault : CloudConfigValidator.check(text)) {
                String what = fault.path() + ": " + fault.what();
                found.add(new ContentError(fault.severity(), LintRule.USER_DATA, 0, 0, what, fault.cure()));
            }
        } else if (IgnitionConfigValidator.isIgnitionConfig(path, text)) {
            for (IgnitionConfigValidator.IgnitionConfigError fault : IgnitionConfigValidator.check(text)) {
                String what = fault.path() + ": " + fault.what();
                found.add(new ContentError(LintSeverity.ERROR, LintRule.USER_DATA, 0, 0, what, fault.cure()));
            }
        }
    }

    /** The formats that a rendered file's path or first line implies, and their validation. */
    enum ContentFormat {
        YAML {
            @Override
            List<FormatError> check(String text) {
                return checkYaml(text);
            }
        },
        JSON {
            @Override
            List<FormatError> check(String text) {
                return checkJson(text);
            }
        },
        TOML {
            @Override
            List<FormatError> check(String text) {
                return checkToml(text);
            }
        };

        /** Where the text violates its format; line and column count from 1, column 0 is unknown. */
        record FormatError(LintSeverity severity, int line, int column, String message, String cure) {
            FormatError(int line, int column, String message) {
                this(LintSeverity.ERROR, line, column, message, "");
            }
        }

        private static final ObjectMapper JSON_READER = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(NestingTracker.DOCUMENT_DEPTH)
                                .build())
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();

        abstract List<FormatError> check(String text);

        /** The format that a file's path or text implies; null if unknown. */
        static @Nullable ContentFormat of(String path, String text) {
            String name = path.toLowerCase(Locale.ROOT);
            if (name.endsWith(".yaml")
                    || name.endsWith(".yml")
                    || text.startsWith("apiVersion: ")
                    || CloudConfigValidator.isCloudConfig(text)
                    || KubeletConfigRules.appliesTo(text)) {
                return YAML;
            }
            if (name.endsWith(".json") || IgnitionConfigValidator.isIgnitionConfig(name, text)) {
                return JSON;
            }
            return name.endsWith(".toml") ? TOML : null;
        }

        private static List<FormatError> checkYaml(String text) {
            try {
                YamlDocumentReader.read("", text, "");
                return List.of();
            } catch (TenantMistake e) {
                ProblemFinding finding = e.findings().getFirst();
                if (YamlDocumentReader.isLimit(finding.what())) {
                    return List.of(notChecked("it " + finding.what()));
                }
                return List.of(new FormatError(
                        LintSeverity.ERROR,
                        Math.max(1, finding.line()),
                        finding.column(),
                        YamlDocumentReader.withoutPrefix(finding.what()),
                        finding.cure()));
            }
        }

        private static List<FormatError> checkJson(String text) {
            try (MappingIterator<JsonNode> values =
                    JSON_READER.readerFor(JsonNode.class).readValues(text)) {
                int count = 0;
                while (values.hasNextValue()) {
                    values.nextValue();
                    if (++count == 2) {
                        JsonLocation place = values.getCurrentLocation();
                        return List.of(new FormatError(
                                LintSeverity.INFO,
                                place.getLineNr(),
                                0,
                                "another JSON value follows the first one",
                                "keep a single value unless the reader of the file accepts several"));
                    }
                }
                return count > 0 ? List.of() : List.of(new FormatError(1, 0, "holds no JSON value"));
            } catch (StreamConstraintsException e) {
                // The message ends with the name of the library's method.
                return List.of(notChecked(e.getOriginalMessage().replaceFirst(", from `[^`]*`", "")));
            } catch (JsonProcessingException e) {
                JsonLocation place = e.getLocation();
                return List.of(
                        place == null
                                ? new FormatError(1, 0, e.getOriginalMessage())
                                : new FormatError(place.getLineNr(), place.getColumnNr(), e.getOriginalMessage()));
            } catch (IOException e) {
                throw new UncheckedIOException("the text is in memory", e);
            }
        }

        private static List<FormatError> checkToml(String text) {
            try {
                TomlDecoder.check(text);
                return List.of();
            } catch (TextSyntaxException e) {
                return List.of(new FormatError(Math.max(e.line(), 1), e.column(), e.problem()));
            } catch (LimitExceededException e) {
                return List.of(notChecked("it has " + e.getMessage()));
            }
        }

        /** A text beyond a limit may still be valid. */
        private static FormatError notChecked(String limit) {
            return new FormatError(
                    LintSeverity.WARNING, 1, 0, "the content is not checked: " + limit, "make it smaller or flatter");
        }
    }
}

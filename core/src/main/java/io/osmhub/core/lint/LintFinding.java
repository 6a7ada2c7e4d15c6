package io.osmhub.core.lint;

import io.osmhub.core.document.SourcePosition;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a profile.
 *
 * @param position in the file; {@link SourcePosition#NONE} for the whole file
 * @param field path in the profile, with the file's path or unit's name in parentheses if any; empty for the document
 * @param inContent the same location in the text of the field; {@link SourcePosition#NONE} if it is not about a text
 * @param what the cause
 * @param cure how to fix it; empty if the cause implies it
 * @param evidence what was rendered; null if the finding needs no rendering
 */
public record LintFinding(
        LintSeverity severity,
        LintRule rule,
        SourcePosition position,
        String field,
        SourcePosition inContent,
        String what,
        String cure,
        @Nullable Evidence evidence) {
    /**
     * The rendering that shows a finding.
     *
     * @param example one such combination, for example {@code aws, Kubernetes 1.34, everything set}
     * @param combinations number of combinations that show it
     * @param line of the rendered text, from 1; 0 if it is not about a line
     * @param text that line, stripped
     */
    public record Evidence(String example, int combinations, int line, String text) {
        static Evidence of(String example) {
            return new Evidence(example, 1, 0, "");
        }

        Evidence once() {
            return new Evidence(example, combinations + 1, line, text);
        }
    }

    /** A finding that needs no rendering. */
    LintFinding(LintSeverity severity, LintRule rule, SourcePosition position, String field, String what, String cure) {
        this(severity, rule, position, field, SourcePosition.NONE, what, cure, null);
    }

    LintFinding withEvidence(@Nullable Evidence newEvidence) {
        return new LintFinding(severity, rule, position, field, inContent, what, cure, newEvidence);
    }

    /** Cause and fix in one clause, with the field: {@code field: what; cure}. */
    public String message() {
        StringBuilder text = new StringBuilder(field);
        if (inContent.isKnown()) {
            text.append(" line ").append(inContent.line());
        }
        text.append(text.isEmpty() ? "" : ": ").append(what);
        if (evidence != null && evidence.line() > 0) {
            text.append(", in line ").append(evidence.line()).append(" as rendered");
            text.append(evidence.text().isEmpty() ? "" : ": `" + evidence.text() + "`");
        }
        return cure.isEmpty() ? text.toString() : text.append("; ").append(cure).toString();
    }

    /** Severity of a finding. */
    public enum LintSeverity {
        /** The profile, or a machine that uses it, does not work. */
        ERROR("error"),
        /** It works, but probably not as intended. */
        WARNING("warning"),
        /** Correct, but worth knowing. Not shown by the API or in status fields. */
        INFO("info");

        private final String wireName;

        LintSeverity(String word) {
            this.wireName = word;
        }

        /** The value in the output of the command line. */
        public String wireName() {
            return wireName;
        }
    }

    /** The checks, each with its name for programs and docs/lint.md. */
    public enum LintRule {
        DOCUMENT_SYNTAX(
                "document-syntax", "The file is YAML: no tabs for indentation, quotes closed, no duplicate keys."),
        SCHEMA("schema", "Every field is known, has the right type and an allowed value; no required one is missing."),
        NO_PROVIDER("no-provider", "The profile names at least one cloud provider."),
        DUPLICATE_PROVIDER("duplicate-provider", "Each cloud provider is listed once."),
        OPERATING_SYSTEM("operating-system", "The operating system is supported in the profile's template language."),
        MACHINE_CONTROLLER("machine-controller", "machine-controller accepts the operating system."),
        PROVISIONING_UTILITY("provisioning-utility", "Ignition is for Flatcar only, and Flatcar uses it by default."),
        KUBERNETES_VERSIONS(
                "kubernetes-versions", "supportedKubernetesVersions is met by at least one tested version."),
        UNITS_NOT_SUPPORTED("units-not-supported", "Only Flatcar profiles have units."),
        DUPLICATE_UNIT("duplicate-unit", "Each unit is unique."),
        UNIT_NAME("unit-name", "A unit's name ends in its type, a drop-in's name in .conf."),
        UNIT_SYNTAX("unit-syntax", "Units and drop-ins have known sections with lines Name=value."),
        UNIT_INSTALL("unit-install", "An enabled unit has an [Install] section."),
        MISSING_CONTENT("missing-content", "Every file has content.inline."),
        FILE_PATH("file-path", "A file's path is absolute and names a file."),
        DUPLICATE_PATH(
                "duplicate-path",
                "Each path is written once, by files, also those of the container runtime, units and drop-ins."),
        FILE_PERMISSIONS(
                "file-permissions", "Permissions are octal digits that cloud-init or Ignition reads unchanged."),
        FILE_ENCODING("file-encoding", "The encoding is applied automatically or by the content itself."),
        TEMPLATE_SYNTAX("template-syntax", "Every file and snippet parses, and calls functions that exist."),
        TEMPLATE_EXECUTION("template-execution", "Every file and snippet renders in every combination."),
        TEMPLATE_LIMIT("template-limit", "Rendering stays within the limits of output, steps, depth and time."),
        TEMPLATE_NOT_RENDERED(
                "template-not-rendered",
                "Units and modules are copied unchanged; a template action in them is plain text."),
        FUNCTION_REFUSED(
                "function-refused", "Templates call no refused function, such as random ones or those of the clock."),
        FILE_CONTENT(
                "file-content",
                "Rendered content is valid YAML, JSON or TOML if the file's path or first line implies it."),
        REMOVED_OPTION(
                "removed-option",
                "The kubelet and cloud-init know the options that they get, in each supported Kubernetes version."),
        SHELL_SYNTAX("shell-syntax", "Scripts and commands have valid syntax and line ends; heredocs are terminated."),
        NEVER_FETCHED(
                "never-fetched", "The bootstrap configuration names the secret with the provisioning configuration."),
        USER_DATA("user-data", "The user-data documents can be built and are valid for cloud-init or Ignition."),
        USER_DATA_SIZE("user-data-size", "The documents fit the cloud provider's limit and a Secret with a margin."),
        UNVERIFIED_DOWNLOAD("unverified-download", "No script downloads from an unverified server."),
        AIR_GAP(
                "air-gap",
                "With --air-gapped: all that nodes download comes through a mirror or proxy of the settings."),
        RENDERING("rendering", "Nothing else prevents rendering."),
        MATRIX_CUT("matrix-cut", "All combinations were rendered within the time limit.");

        private final String wireName;
        private final String description;

        LintRule(String word, String promise) {
            this.wireName = word;
            this.description = promise;
        }

        public String wireName() {
            return wireName;
        }

        /** What is true of a profile without findings of this rule. */
        public String description() {
            return description;
        }

        @Override
        public String toString() {
            return wireName;
        }
    }
}

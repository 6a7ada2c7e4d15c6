package io.osmhub.core.lint;

/** The checks, each with the name that programs and docs/lint.md use. */
public enum Rule {
    DOCUMENT_SYNTAX("document-syntax", "The file is YAML: no tabs for indentation, quotes closed, no key twice."),
    SCHEMA("schema", "Every field is known, has the right type and an allowed value; no required one is missing."),
    NO_PROVIDER("no-provider", "The profile names at least one cloud provider."),
    DUPLICATE_PROVIDER("duplicate-provider", "Each cloud provider is named once."),
    OPERATING_SYSTEM(
            "operating-system", "The operating system is one that is served in the profile's template language."),
    MACHINE_CONTROLLER("machine-controller", "machine-controller accepts the operating system."),
    PROVISIONING_UTILITY(
            "provisioning-utility", "Ignition is for Flatcar only, and Flatcar uses it unless asked otherwise."),
    KUBERNETES_VERSIONS(
            "kubernetes-versions", "supportedKubernetesVersions is a constraint that some tested version meets."),
    UNITS_NOT_SUPPORTED("units-not-supported", "Only Flatcar profiles have units."),
    DUPLICATE_UNIT("duplicate-unit", "Each unit is there once."),
    UNIT_NAME("unit-name", "A unit's name ends in its type, a drop-in's name in .conf."),
    UNIT_SYNTAX("unit-syntax", "Units and drop-ins have sections that systemd knows, and lines Name=value in them."),
    UNIT_INSTALL("unit-install", "A unit that is enabled has an [Install] section."),
    MISSING_CONTENT("missing-content", "Every file has content.inline."),
    FILE_PATH("file-path", "A file's path is absolute and names a file."),
    DUPLICATE_PATH("duplicate-path", "Each path is written once, the files of the container runtime included."),
    FILE_PERMISSIONS(
            "file-permissions", "Permissions are octal digits that cloud-init or Ignition reads as they look."),
    FILE_ENCODING("file-encoding", "The encoding is one that is applied, or that the content really has."),
    TEMPLATE_SYNTAX("template-syntax", "Every file and snippet parses, and calls functions that exist."),
    TEMPLATE_EXECUTION("template-execution", "Every file and snippet renders in every combination."),
    TEMPLATE_LIMIT("template-limit", "Rendering stays within the limits of output, steps, depth and time."),
    TEMPLATE_NOT_REPEATABLE(
            "template-not-repeatable", "Two renderings give the same text: no random values, no time of day."),
    TEMPLATE_NOT_RENDERED(
            "template-not-rendered", "Units and modules are copied as they are; an action in them is plain text."),
    FUNCTION_INERT("function-inert", "env and expandenv give an empty text here."),
    FILE_CONTENT(
            "file-content", "What is rendered is the YAML, JSON or TOML that the file's path or first line promises."),
    SHELL_SYNTAX("shell-syntax", "Scripts and commands are syntactically right; heredocs are terminated."),
    USER_DATA("user-data", "The user-data documents can be made, and cloud-init or Ignition can read them."),
    USER_DATA_SIZE("user-data-size", "The documents fit the cloud provider's limit and a Secret, with room to spare."),
    UNVERIFIED_DOWNLOAD("unverified-download", "No script downloads without checking who answers."),
    RENDERING("rendering", "Nothing else stands against rendering."),
    MATRIX_CUT("matrix-cut", "All combinations were rendered in the time allowed.");

    private final String word;
    private final String promise;

    Rule(String word, String promise) {
        this.word = word;
        this.promise = promise;
    }

    /** The rule's name. */
    public String word() {
        return word;
    }

    /** What holds of a profile in which the rule finds nothing. */
    public String promise() {
        return promise;
    }

    @Override
    public String toString() {
        return word;
    }
}

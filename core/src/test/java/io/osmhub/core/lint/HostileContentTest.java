package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that a template can make in one line, given to everything that reads rendered content. */
final class HostileContentTest {
    private static final int CHARS = 40_000;
    /** Of a file that is rendered and checked for several scenarios. */
    private static final int RENDERED_CHARS = 8_000;
    /** Of a thread unless it is started with another one. */
    private static final long STACK_BYTES = 1L << 20;
    /** A parser whose work grows with the square of the text exceeds this by far. */
    private static final long BYTES_PER_CHAR = 20_000;

    /** What following a short script to the limit of steps allocates at most. */
    private static final long LARGEST_TRACE = 2_000_000_000;

    private static final MatrixFilter ONE_VERSION = new MatrixFilter(Set.of(), Set.of(), Set.of("1.34"));

    /** Reads a text; may refuse it as a mistake of its tenant. */
    interface Parser {
        void read(String text);
    }

    private static final List<String> REPEATED = List.of(
            "[",
            "{",
            "]",
            "}",
            "- ",
            "? ",
            "\"",
            "'",
            "`",
            "\\",
            "\t",
            " ",
            "\n",
            "\r\n",
            "\r",
            "a: ",
            "&a ",
            "*a ",
            "! ",
            "|\n",
            ">",
            "# ",
            "<<EOF\n",
            "<<E ",
            "$(",
            "${",
            "${a:-",
            "$((",
            "((",
            "(",
            "`a ",
            "[[",
            "[[ ",
            "]]",
            "[a]\n",
            "[[a]]\n",
            "a.",
            "a=",
            "a=1\n",
            "9",
            "0",
            "1_",
            "1:",
            "-",
            "---\na: 1\n",
            "%",
            "\u0000",
            "\u001b",
            "\u00e9",
            "if ",
            "if true; then ",
            "case a in a) ",
            "for i in a; do ",
            "while ",
            "{ ",
            "f() ",
            "f() { ",
            "function ",
            "| ",
            "a | ",
            "a && ",
            ";;",
            "& ",
            "<( ",
            "\"$(",
            "\"${",
            "a=(",
            "eval ",
            "$a ",
            "[\"a\",",
            "{\"a\":",
            "{\"a\":1,",
            "[[],",
            "[1,",
            "\"\\u0041",
            "[Unit]\n",
            "[Unit",
            "[Unit]\na=\\\n",
            "=\n",
            "ExecStart=curl \n",
            "curl http://a\n",
            " curl a \\\n",
            "curl -k ",
            "- - ",
            "- a: ",
            "a = {",
            "a={b=",
            "deb http://a\n",
            "baseurl=http://a,",
            "image: a\n",
            "{{ ",
            "a: \"b\n",
            "a:\n\tb: 1\n",
            "k: 1\n",
            "1e9,",
            "\u2028",
            "\ue000",
            "eyJ",
            "<MACHINE_NAME>");

    private static final Map<String, IntFunction<String>> SHAPES = new LinkedHashMap<>();

    static {
        for (String part : REPEATED) {
            SHAPES.put(part, length -> part.repeat(length / part.length()));
        }
        SHAPES.put("deep indentation", length -> joined((int) Math.sqrt(length), i -> " ".repeat(i) + "a:\n"));
        SHAPES.put("YAML keys", length -> joined(length / 8, i -> "k" + i + ": 1\n"));
        SHAPES.put("cloud-config keys", length -> "#cloud-config\n" + joined(length / 8, i -> "k" + i + ": 1\n"));
        SHAPES.put("cloud-config files", length -> "#cloud-config\nwrite_files:\n" + "- a: 1\n".repeat(length / 7));
        SHAPES.put("JSON keys", length -> "{" + joined(length / 10, i -> "\"k" + i + "\":1,") + "\"z\":1}");
        SHAPES.put(
                "Ignition units",
                length -> "{\"ignition\":{\"version\":\"2.3.0\"},\"systemd\":{\"units\":[" + "{},".repeat(length / 3)
                        + "{}]}}");
        SHAPES.put("TOML tables", length -> joined(length / 20, i -> "[s.a.b.c" + i + "]\nk=1\n"));
        SHAPES.put(
                "a long TOML table",
                length -> "[" + "a".repeat(length / 2) + "]\n" + joined(length / 20, i -> "k" + i + "=1\n"));
        SHAPES.put("unit sections", length -> joined(length / 12, i -> "[s" + i + "]\na=b\n"));
        SHAPES.put("digits", length -> "a: " + "9".repeat(length));
        SHAPES.put("JSON digits", "9"::repeat);
        SHAPES.put("decimals", length -> "a: 0." + "9".repeat(length));
        SHAPES.put("TOML digits", length -> "a = " + "9".repeat(length));
        SHAPES.put("exponents", length -> "- 1e999999999\n- 1e-999999999\n".repeat(length / 30));
        SHAPES.put("a long key", length -> "a".repeat(length) + ": 1");
        SHAPES.put(
                "YAML laughs",
                _ -> "a0: &a0 [x,x,x,x]\n"
                        + joined(
                                29,
                                i -> "a" + (i + 1) + ": &a" + (i + 1) + " [*a" + i + ",*a" + i + ",*a" + i + "]\n"));
        SHAPES.put(
                "YAML merges",
                _ -> "a0: &a0 {x: 1}\n"
                        + joined(29, i -> "a" + (i + 1) + ": &a" + (i + 1) + " {<<: [*a" + i + ",*a" + i + "]}\n"));
        SHAPES.put("an alias of itself", _ -> "a: &a [*a]");
        SHAPES.put(
                "calls",
                _ -> "f0() { curl a; }\n"
                        + joined(39, i -> "f" + (i + 1) + "() { f" + i + "; f" + i + "; f" + i + "; }\n") + "f39\n");
        SHAPES.put(
                "loops",
                _ -> joined(12, i -> "for i" + i + " in 1 2 3 4 5 6 7 8 9; do ") + "curl $i1;" + " done;".repeat(12));
        SHAPES.put("a doubled value", _ -> "a=xxxxxxxx\n" + "a=$a$a\n".repeat(60) + "curl $a\n");
        SHAPES.put("a doubled array", _ -> "a=(x y)\n" + "a=(${a[@]} ${a[@]})\n".repeat(60));
        SHAPES.put("an evaluated value", _ -> "a='eval $a; eval $a'\neval $a\n");
        SHAPES.put("a glob", length -> "case " + "a".repeat(length) + " in " + "*a".repeat(20) + "b) x;; esac");
        SHAPES.put("functions", length -> joined(length / 20, i -> "f" + i + "() {\n curl a\n}\n"));
        SHAPES.put("an uncalled function", length -> "f() {\n" + " curl http://a\n".repeat(length / 15) + "}\n");
    }

    private static String joined(int count, IntFunction<String> part) {
        return String.join("", IntStream.range(0, count).mapToObj(part).toList());
    }

    private static final Provisioning AIR_GAPPED = new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY)
            .toTenantSettings()
            .provisioning();

    private static final Map<String, Parser> PARSERS = new LinkedHashMap<>();

    static {
        PARSERS.put("YamlDocumentReader", text -> YamlDocumentReader.read("text", text, Reason.SettingsInvalid));
        for (String path : List.of("/x.yaml", "/x.json", "/x.toml", "/x.sh", "/etc/systemd/system/x.service")) {
            PARSERS.put(
                    "content of " + path.substring(1),
                    text -> ContentChecks.check(ScriptChecker.NONE, false, path, text, ""));
        }
        PARSERS.put("cloud-config", text -> ContentChecks.checkDocument("#cloud-config\n" + text));
        PARSERS.put("Ignition", ContentChecks::checkDocument);
        PARSERS.put("RemovedOptions", text -> RemovedOptions.find("kubelet", text));
        PARSERS.put("lint of a file", text -> linter().lint("text", text, ONE_VERSION));
        for (String path :
                List.of("/x", "/x.yaml", "/x.json", "/x.toml", "/x.sh", "/x.ign", "/etc/systemd/system/x.service")) {
            PARSERS.put("lint of " + path, text -> linter().lint("text", profile("ubuntu", path, text), ONE_VERSION));
        }
        PARSERS.put("Ignition of a file", text -> linter().lint("text", profile("flatcar", "/x", text), ONE_VERSION));
        for (String path : List.of(
                "/x.sh", "/etc/systemd/system/x.service", "/etc/apt/sources.list", "/etc/containerd/config.toml")) {
            PARSERS.put("downloads of " + path, text -> linter().downloads(
                            "text",
                            profile("ubuntu", path, text),
                            ONE_VERSION,
                            new Linter.AirGap(AIR_GAPPED, spec -> null)));
        }
    }

    private static Linter linter() {
        return new Linter(ScriptChecker.NONE, () -> 0);
    }

    private static String profile(String osName, String path, String text) {
        // Not executed as a template.
        String data = text.contains("{{") ? "{{`" + text.replace('`', '\'') + "`}}" : text;
        return "{\"apiVersion\":\"operatingsystemmanager.k8c.io/v1alpha1\",\"kind\":\"OperatingSystemProfile\","
                + "\"metadata\":{\"name\":\"p\"},\"spec\":{\"osName\":\"" + osName + "\",\"osVersion\":\"24.04\","
                + "\"version\":\"v1.0.0\",\"provisioningUtility\":\""
                + (osName.equals("flatcar") ? "ignition" : "cloud-init") + "\",\"supportedCloudProviders\":["
                + "{\"name\":\"aws\"}],\"provisioningConfig\":{},\"bootstrapConfig\":{\"files\":[{\"path\":\"" + path
                + "\",\"content\":{\"inline\":{\"data\":" + JsonWriter.quote(data) + "}}}]}}}";
    }

    static Stream<String> parsers() {
        return PARSERS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("parsers")
    void everyParserEndsWithAResultOrAMistakeOfTheTenant(String name) {
        Parser parser = Objects.requireNonNull(PARSERS.get(name));
        List<String> failures = new ArrayList<>();
        SHAPES.forEach((shape, text) -> {
            String failure = failureOf(parser, text.apply(name.contains("/") ? RENDERED_CHARS : CHARS));
            if (failure != null) {
                failures.add(shape.strip() + ": " + failure);
            }
        });

        assertThat(failures).isEmpty();
    }

    /** Null if the parser answers within its limits. */
    private static @Nullable String failureOf(Parser parser, String text) {
        AtomicReference<@Nullable String> failure = new AtomicReference<>();
        Thread thread = new Thread(
                null,
                () -> {
                    long before = allocated();
                    try {
                        parser.read(text);
                    } catch (TenantMistake refused) {
                        assertThat(refused.findings()).isNotEmpty();
                    } catch (RuntimeException | Error e) {
                        failure.set(e.getClass().getName());
                    }
                    long bytes = allocated() - before;
                    if (failure.get() == null && bytes > LARGEST_TRACE + BYTES_PER_CHAR * text.length()) {
                        failure.set(bytes + " bytes allocated for " + text.length() + " characters");
                    }
                },
                "parser",
                STACK_BYTES);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return failure.get();
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static List<LintFinding> findings(String path, String template) {
        return linter().lint(
                        "text",
                        profile("ubuntu", path, "").replace("\"data\":\"\"", "\"data\":" + JsonWriter.quote(template)),
                        ONE_VERSION)
                .getFirst()
                .findings();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "- ", "{\"a\":"})
    void aFileThatIsNestedTooDeeplyIsNamedWithTheLimit(String part) {
        for (String path : List.of("/etc/x.yaml", "/etc/x.json")) {
            if (path.endsWith("json") && part.equals("- ")) {
                continue;
            }
            assertThat(findings(
                            path, "{{ repeat 200000 " + JsonWriter.quote(part).replace("\"\\", "\"\\") + " }}"))
                    .filteredOn(finding -> finding.rule() == LintRule.FILE_CONTENT)
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.field()).contains(path);
                        assertThat(finding.what())
                                .contains("is not checked", "nest", "" + NestingTracker.DOCUMENT_DEPTH);
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/x.yaml", "/etc/x.json", "/etc/x.toml", "/etc/systemd/system/x.service", "/x.sh"})
    void aFileThatIsTooLongIsNamedWithTheLimit(String path) {
        assertThat(findings(path, "{{ repeat 400000 \"a: 1\\n\" }}"))
                .filteredOn(finding -> finding.rule() == LintRule.FILE_CONTENT)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.field()).contains(path);
                    assertThat(finding.what())
                            .isEqualTo("the content is not checked: 2,000,000 B, checked are up to 1,048,576 B");
                });
    }

    @Test
    void aDocumentBeyondALimitIsRefusedWithTheLimit() {
        assertThat(refusal("[".repeat(200_000))).contains("is nested more than 100 levels deep");
        assertThat(refusal("- ".repeat(200_000))).contains("is nested more than 100 levels deep");
        assertThat(refusal("- a\n".repeat(300_000))).contains("has more than 200000 parts");
        assertThat(refusal("#".repeat(9 << 20))).contains("has more than 8 MiB");
    }

    private static String refusal(String text) {
        try {
            YamlDocumentReader.read("text", text, Reason.SettingsInvalid);
            return "";
        } catch (TenantMistake e) {
            return e.findings().stream().map(Problem::cause).findFirst().orElse("");
        }
    }

    @Test
    void aProfileWithManyMistakesGetsALimitedReport() {
        String files = "    - {path: a, permissions: x}\n".repeat(20_000);
        String text =
                "apiVersion: operatingsystemmanager.k8c.io/v1alpha1\nkind: OperatingSystemProfile\nmetadata: {name: a}\n"
                        + "spec:\n  osName: ubuntu\n  osVersion: '24.04'\n  version: v1.0.0\n  provisioningUtility: cloud-init\n"
                        + "  supportedCloudProviders: [{name: aws}]\n  provisioningConfig: {}\n  bootstrapConfig:\n    files:\n"
                        + files;

        List<LintFinding> findings =
                linter().lint("p", text, ONE_VERSION).getFirst().findings();

        assertThat(findings).hasSizeLessThanOrEqualTo(1_001);
        assertThat(findings.getLast().what()).isEqualTo("at least 1000 findings; others are not listed");
    }

    private static final Map<String, IntFunction<String>> MANY = new LinkedHashMap<>();

    static {
        MANY.put("snippets", count -> snippets(count, "x", "x"));
        MANY.put("snippets and a mistake", count -> snippets(count, "x", "{{ if"));
        MANY.put(
                "snippets and files",
                count -> snippets(count, "x", "x") + ",\"files\":[" + list(count, i -> file("/f" + i, "x")) + "]");
        MANY.put("files", count -> "\"files\":[" + list(count, i -> file("/f" + i, "x")) + "]");
        MANY.put("files of one path", count -> "\"files\":[" + list(count, _ -> file("/f", "x")) + "]");
        MANY.put("wrong files", count -> "\"files\":[" + list(count, i -> file("/f" + i + ".yaml", "[")) + "]");
        MANY.put(
                "units",
                count -> "\"units\":[" + list(count, i -> "{\"name\":\"u" + i + ".service\",\"content\":\"[Unit]\"}")
                        + "]");
        MANY.put(
                "drop-ins",
                count -> "\"units\":[{\"name\":\"u.service\",\"dropIns\":["
                        + list(count, i -> "{\"name\":\"d" + i + ".conf\",\"content\":\"[Unit]\"}") + "]}]");
        MANY.put("uses of a function", count -> "\"files\":[" + file("/f", "{{ now }}".repeat(count)) + "]");
        MANY.put(
                "snippets of a runtime",
                count ->
                        "\"supportedContainerRuntimes\":[{\"name\":\"containerd\"," + snippets(count, "x", "x") + "}]");
        MANY.put(
                "runtimes",
                count -> "\"supportedContainerRuntimes\":[" + list(count, _ -> "{\"name\":\"containerd\"}") + "]");
        MANY.put("modules", count -> "\"modules\":{\"runcmd\":[" + list(count, _ -> "\"a\"") + "]}");
    }

    private static String list(int count, IntFunction<String> item) {
        return String.join(",", IntStream.range(0, count).mapToObj(item).toList());
    }

    private static String snippets(int count, String text, String last) {
        return "\"templates\":{" + joined(count, i -> "\"s" + i + "\":\"" + text + "\",") + "\"z\":\"" + last + "\"}";
    }

    private static String file(String path, String text) {
        return "{\"path\":\"" + path + "\",\"content\":{\"inline\":{\"data\":\"" + text + "\"}}}";
    }

    static Stream<String> manyParts() {
        return MANY.keySet().stream();
    }

    /** Otherwise a profile that an API server stores would keep a thread for minutes. */
    @ParameterizedTest
    @MethodSource("manyParts")
    void theWorkGrowsAsTheProfile(String name) {
        IntFunction<String> parts = Objects.requireNonNull(MANY.get(name));

        long few = lintedBytes(parts.apply(250));
        long many = lintedBytes(parts.apply(1_000));

        assertThat(many).as("bytes allocated for four times as many").isLessThan(8 * few);
    }

    private static long lintedBytes(String config) {
        String text = profile("ubuntu", "/x", "")
                .replaceFirst("\"bootstrapConfig\":.*", "\"bootstrapConfig\":{" + config + "}}}");
        linter().lint("p", text, ONE_VERSION); // fills caches
        long before = allocated();
        linter().lint("p", text, ONE_VERSION);
        return allocated() - before;
    }

    @Test
    void aLintTakesATurnForEachPart() {
        List<String> turns = new ArrayList<>();
        Linter linter = new Linter(ScriptChecker.NONE, () -> 0, Duration.ofSeconds(1), part -> {
            turns.add("turn");
            part.run();
        });

        int renderings = linter.lint("p", profile("ubuntu", "/x.yaml", "a: 1\n"))
                .getFirst()
                .matrix()
                .renderings();

        assertThat(turns).hasSizeGreaterThan(2 * renderings);
    }
}

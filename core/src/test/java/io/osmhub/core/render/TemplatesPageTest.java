package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference;
import io.osmhub.core.template.FunctionCatalog.FunctionReference.Language;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.functions.RefusedFunction;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds docs/how-to/write-templates.md with its examples, and docs/reference/functions.md with its tables, to the code. */
class TemplatesPageTest {
    private static final Path DOCS =
            Path.of(System.getProperty("osmhub.root", "..")).resolve("docs");
    private static final Path GUIDE = DOCS.resolve("how-to/write-templates.md");
    private static final Path REFERENCE = DOCS.resolve("reference/functions.md");
    private static final Pattern EXAMPLE =
            Pattern.compile("```(gotemplate|handlebars|yaml)\n(.*?)```\n\n```(text|console)\n(.*?)```", Pattern.DOTALL);
    private static final TemplateEngines LANGUAGES = new TemplateEngines();

    /** A template of the page and its documented result. */
    record Example(String language, String template, boolean fails, String result) {}

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        Matcher matcher = EXAMPLE.matcher(Files.readString(GUIDE));
        while (matcher.find()) {
            examples.add(new Example(
                    matcher.group(1), matcher.group(2), matcher.group(3).equals("console"), matcher.group(4)));
        }
        return examples;
    }

    private static GoValue data(TemplateLanguage language) {
        return new TemplateData(SampleContext.withToken("token"), language).dot();
    }

    private static String render(TemplateLanguage language, TemplateSources sources) throws TemplateException {
        Sandbox sandbox = new Sandbox.Factory(RenderLimits.DEFAULT, () -> 0L).open();
        return LANGUAGES
                .apply(language)
                .compile(sources)
                .render(data(language), sandbox)
                .getFirst();
    }

    private static String render(Example example) throws TemplateException {
        if (example.language().equals("yaml")) {
            return renderProfile(example.template());
        }
        TemplateLanguage language =
                example.language().equals("handlebars") ? TemplateLanguage.HANDLEBARS : TemplateLanguage.GO;
        TemplateSources.File file = new TemplateSources.File("/etc/example", example.template());
        return render(language, new TemplateSources(Map.of(), List.of(file)));
    }

    /** The part of a profile that has snippets and one file. */
    private static String renderProfile(String yaml) throws TemplateException {
        JsonNode profile = json(yaml);
        TemplateLanguage language = profile.path("templateEngine").asText("go").equals("handlebars")
                ? TemplateLanguage.HANDLEBARS
                : TemplateLanguage.GO;
        Map<String, String> snippets = new TreeMap<>();
        profile.path("templates")
                .properties()
                .forEach(entry -> snippets.put(entry.getKey(), entry.getValue().asText()));
        String text = profile.at("/files/0/content/inline/data").asText();
        return render(language, new TemplateSources(snippets, List.of(new TemplateSources.File("/etc/example", text))));
    }

    private static JsonNode json(String yaml) {
        try {
            return new ObjectMapper()
                    .readTree(SourceDocument.jsonText(YamlDocumentReader.read("page", yaml, Reason.SettingsInvalid)
                            .getFirst()
                            .root()));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleGivesWhatThePageSays(Example example) throws TemplateException {
        if (example.fails()) {
            assertThatExceptionOfType(TemplateException.class)
                    .isThrownBy(() -> render(example))
                    .withMessage(example.result().strip());
        } else {
            assertThat(render(example)).isEqualTo(example.result());
        }
    }

    @Test
    void noTemplateOnThePageIsWithoutAResult() throws IOException {
        String page = Files.readString(GUIDE);

        long blocks = Pattern.compile("^```(gotemplate|handlebars|yaml)$", Pattern.MULTILINE)
                .matcher(page)
                .results()
                .count();

        assertThat(examples()).hasSize((int) blocks).hasSizeGreaterThan(8);
    }

    @Test
    void theTableOfFieldsIsWhatTemplatesSee() throws IOException {
        List<String> told = new ArrayList<>();
        for (String row :
                section(Files.readString(REFERENCE), "context").lines().skip(2).toList()) {
            String[] cells = row.split(" *\\| *", -1);
            told.add(cells[1].replace("`", "") + " " + cells[2].replace("`", ""));
        }

        GoType type =
                ((GoStruct) Objects.requireNonNull(((GoPointer) data(TemplateLanguage.HANDLEBARS)).target())).type();
        assertThat(told)
                .containsExactlyElementsOf(type.fields().stream()
                        .map(field -> field.name() + " " + field.type())
                        .toList());
    }

    @Test
    void theTableOfLimitsNamesTheDefaults() throws IOException {
        RenderLimits limits = RenderLimits.DEFAULT;

        assertThat(Files.readString(GUIDE))
                .contains("| text | " + (limits.outputBytes() >> 20) + " MiB |")
                .contains("| steps | " + limits.steps() + " |")
                .contains("| depth | " + limits.depth() + " |")
                .contains("| time | " + limits.time().toSeconds() + "s |");
    }

    /** With UPDATE=true the page is rewritten first. */
    @Test
    void theTablesOfFunctionsAreWhatTheCodeSays() throws IOException {
        String page = Files.readString(REFERENCE);
        String written = with(with(page, "refused", refused()), "functions", functions());
        if (Boolean.getBoolean("osmhub.update")) {
            Files.writeString(REFERENCE, written);
        }

        assertThat(Files.readString(REFERENCE))
                .as("run: UPDATE=true ./hub test core TemplatesPageTest")
                .isEqualTo(written);
    }

    private static String section(String page, String name) {
        int start = page.indexOf("<!-- " + name + " -->\n") + name.length() + 10;
        return page.substring(start, page.indexOf("<!-- end -->", start));
    }

    private static String with(String page, String name, String text) {
        int start = page.indexOf("<!-- " + name + " -->\n") + name.length() + 10;
        return page.substring(0, start) + text + page.substring(page.indexOf("<!-- end -->", start));
    }

    /** Functions with one reason and alternative share a row. */
    private static String refused() {
        Map<String, StringJoiner> rows = new TreeMap<>();
        for (RefusedFunction function : RefusedFunction.all()) {
            rows.computeIfAbsent(function.reason() + " | " + function.alternative(), reason -> new StringJoiner(", "))
                    .add("`" + function.name() + "`");
        }
        StringBuilder text = new StringBuilder("| function | why | instead |\n|---|---|---|\n");
        rows.forEach((reason, names) ->
                text.append("| ").append(names).append(" | ").append(reason).append(" |\n"));
        return text.toString();
    }

    private static String functions() {
        StringBuilder text = new StringBuilder();
        for (Language language : Language.values()) {
            List<FunctionReference> all = new ArrayList<>(FunctionCatalog.of(language));
            all.sort(Comparator.comparing(FunctionReference::origin).thenComparing(FunctionReference::family));
            String heading = "";
            for (FunctionReference function : all) {
                String own = language.title() + ": " + function.family() + " ("
                        + function.origin().title() + ")";
                if (!own.equals(heading)) {
                    heading = own;
                    text.append(text.isEmpty() ? "" : "\n")
                            .append("### ")
                            .append(own)
                            .append("\n\n| call | what it does | example | gives |\n|---|---|---|---|\n");
                }
                text.append("| ")
                        .append(code(function.signature()))
                        .append(" | ")
                        .append(function.description().replace("|", "\\|"))
                        .append(" | ")
                        .append(code(function.example()))
                        .append(" | ")
                        .append(code(function.result().replace("\n", "⏎")))
                        .append(" |\n");
            }
        }
        return text.toString();
    }

    private static String code(String text) {
        return "`" + text.replace("|", "\\|") + "`";
    }
}

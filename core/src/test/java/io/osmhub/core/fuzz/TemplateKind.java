package io.osmhub.core.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.render.FilesDataForm;
import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.corpus.CorpusValues;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Templates of one language: written by its grammar, or mutated. */
final class TemplateKind implements FuzzKind {
    /** Small, so that many cases reach them; the time is none of these but the harness' to watch. */
    private static final RenderLimits TIGHT = new RenderLimits(64L << 10, 50_000, 50, Duration.ofMinutes(10));

    private static final String TEMPLATE = "template";
    private static final String SNIPPET = "snippet";
    private static final String DATA = "data";
    private static final String LIMITS = "limits";
    private static final List<String> HANDLEBARS = List.of(
            "{{KubeVersion}}\n{{#if HTTPProxy}}proxy={{HTTPProxy}}{{else}}none{{/if}}\n",
            "{{#each ClusterDNSIPs as |ip i|}}{{i}}: {{ip}}{{#unless @last}},{{/unless}}\n{{/each}}",
            "{{#with NetworkConfig}}{{CIDR}} {{../KubeVersion}} {{@root.ServerURL}}{{/with}}",
            "{{> a x=(default CloudConfig \"none\")}}\n{{indent 4 (toYaml KubeletFeatureGates)}}\n",
            "{{#each KubeReserved}}{{@key}}={{this}}{{#if @first}}!{{/if}}{{/each}}{{{raw}}}{{!-- c --}}",
            "{{#if (and (eq CloudProviderName \"aws\") (not ExternalCloudProvider))}}{{sha256 Token}}{{/if}}");

    private final String name;
    private final int weight;
    private final TemplateEngine engine;
    private final Function<Chance, String> writer;
    private final TextMutator mutator;
    private final List<String> templates;
    private final List<String> data;
    private final CorpusValues values = FilesDataForm.values();

    private TemplateKind(
            TemplateLanguage language,
            String name,
            int weight,
            Function<Chance, String> writer,
            List<String> words,
            List<String> templates,
            List<String> data) {
        this.name = name;
        this.weight = weight;
        this.engine = new TemplateEngines().apply(language);
        this.writer = writer;
        this.mutator = new TextMutator(words);
        this.templates = templates;
        this.data = data;
    }

    static TemplateKind go(List<JsonNode> corpus) {
        List<String> templates = Seeds.texts(corpus, TEMPLATE);
        GoTemplateWriter writer = new GoTemplateWriter(TemplateEngines.goFunctions(), Seeds.fields(templates));
        List<String> words = List.of(
                "{{",
                "}}",
                "{{-",
                "-}}",
                "{{if .}}",
                "{{else}}",
                "{{end}}",
                "{{range .}}",
                "{{with .}}",
                "{{/*",
                "*/}}",
                "{{define \"a\"}}",
                "{{template \"a\" .}}",
                "{{break}}",
                "(",
                ")",
                "|",
                ".",
                "$",
                ":=",
                "\"",
                "`",
                "'",
                "(list ",
                "(dict ",
                " | toYaml",
                " | fromYaml",
                " | quote",
                "printf ",
                "repeat ",
                "until ",
                "nil",
                "1");
        return new TemplateKind(TemplateLanguage.GO, "go-template", 45, writer::write, words, templates, data(corpus));
    }

    static TemplateKind handlebars(List<JsonNode> corpus) {
        List<String> helpers = FunctionCatalog.of(FunctionCatalog.FunctionReference.Language.HANDLEBARS).stream()
                .map(FunctionReference::signature)
                .toList();
        // The data of profiles; of the rest of the corpus nothing has a name that a template would ask for.
        List<JsonNode> profiles = corpus.stream()
                .filter(line -> line.path(DATA).has("$filesData"))
                .toList();
        HandlebarsWriter writer = new HandlebarsWriter(helpers, Seeds.fields(Seeds.texts(profiles, TEMPLATE)));
        List<String> words = List.of(
                "{{",
                "}}",
                "{{{",
                "}}}",
                "{{~",
                "~}}",
                "{{#if this}}",
                "{{else}}",
                "{{/if}}",
                "{{#each this}}",
                "{{/each}}",
                "{{#with this}}",
                "{{/with}}",
                "{{> a}}",
                "{{!--",
                "--}}",
                "{{^",
                "(",
                ")",
                "[",
                "]",
                "../",
                "@root",
                "@index",
                "this",
                "|",
                "=",
                "\"",
                "'",
                "\\{{",
                "&",
                "{{#*inline",
                "(indent 2 ",
                "(default ");
        return new TemplateKind(
                TemplateLanguage.HANDLEBARS, "handlebars", 20, writer::write, words, HANDLEBARS, data(profiles));
    }

    private static List<String> data(List<JsonNode> corpus) {
        return corpus.stream().map(line -> line.path(DATA).toString()).toList();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int weight() {
        return weight;
    }

    @Override
    public FuzzInput make(Chance chance) {
        Map<String, String> parts = new LinkedHashMap<>();
        int seed = chance.below(templates.size());
        parts.put(TEMPLATE, template(templates.get(seed), chance));
        if (chance.oneIn(3)) {
            parts.put(SNIPPET, template(chance));
        }
        // A template has more data of its own profile.
        parts.put(DATA, seed < data.size() && chance.oneIn(2) ? data.get(seed) : chance.of(data));
        parts.put(LIMITS, chance.oneIn(200) ? "usual" : "tight");
        return new FuzzInput(name, parts);
    }

    String template(Chance chance) {
        return template(chance.of(templates), chance);
    }

    private String template(String seed, Chance chance) {
        return switch (chance.below(5)) {
            case 0, 1 -> writer.apply(chance);
            case 2 -> mutator.mutate(writer.apply(chance), chance.of(templates), chance);
            case 3 -> seed + writer.apply(chance);
            default -> mutator.mutate(seed, chance.of(templates), chance);
        };
    }

    @Override
    public Duration cpuBudget(FuzzInput input) {
        // The parser of Handlebars' library learns: the first time that it sees some mistakes it takes a second, later
        // milliseconds.
        Duration parsing = Duration.ofSeconds(name.equals("handlebars") ? 5 : 1);
        return input.part(LIMITS).equals("usual")
                ? parsing.plus(RenderLimits.DEFAULT.time().multipliedBy(2))
                : parsing;
    }

    @Override
    public Verdict run(FuzzInput input) {
        RenderLimits limits = input.part(LIMITS).equals("usual") ? RenderLimits.DEFAULT : TIGHT;
        Map<String, String> snippets = input.parts().containsKey(SNIPPET) ? Map.of("a", input.part(SNIPPET)) : Map.of();
        TemplateSources sources =
                new TemplateSources(snippets, List.of(new TemplateSources.File("/f", input.part(TEMPLATE))));
        GoValue value = values.decode(Seeds.json(input.part(DATA)));
        Sandbox sandbox = new Sandbox.Factory(limits, System::nanoTime).open();
        List<String> texts;
        try {
            texts = engine.compile(sources).render(value, sandbox);
        } catch (TemplateException failure) {
            return switch (failure.stage()) {
                case PARSE, EXECUTE -> Verdict.REFUSED;
                case LIMIT, TIME_LIMIT -> Verdict.LIMITED;
            };
        }
        long bytes = texts.getFirst().getBytes(StandardCharsets.UTF_8).length;
        // Invalid UTF-8 becomes a longer character in text.
        if (bytes > 3 * limits.outputBytes()) {
            throw new Misbehaviour("gave " + bytes + " bytes, the limit is " + limits.outputBytes());
        }
        return Verdict.ACCEPTED;
    }
}

package io.osmhub.core.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.template.FunctionCatalog.FunctionReference;
import io.osmhub.core.template.FunctionCatalog.FunctionReference.Language;
import io.osmhub.core.template.FunctionCatalog.FunctionReference.Origin;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.handlebars.HandlebarsEngine;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FunctionCatalogTest {
    private static final TemplateEngines LANGUAGES = new TemplateEngines();

    static List<FunctionReference> functions() {
        return FunctionCatalog.all();
    }

    private static String render(FunctionReference function) throws TemplateException {
        ExecutionEnvironment environment = new Sandbox.Factory(RenderLimits.DEFAULT, () -> 0L).open();
        TemplateLanguage language =
                switch (function.language()) {
                    case GO -> TemplateLanguage.GO;
                    case HANDLEBARS -> TemplateLanguage.HANDLEBARS;
                };
        TemplateSources.File file = new TemplateSources.File("example", function.example());
        return LANGUAGES
                .apply(language)
                .compile(new TemplateSources(Map.of(), List.of(file)))
                .render(GoNil.ANY, environment)
                .getFirst();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void everyExampleGivesWhatItSays(FunctionReference function) throws TemplateException {
        assertThat(render(function)).isEqualTo(function.result());
    }

    @ParameterizedTest
    @MethodSource("functions")
    void everyEntryIsWhole(FunctionReference function) {
        assertThat(function.description()).endsWith(".").hasSizeBetween(8, 200);
        assertThat(function.signature()).contains(function.name());
        assertThat(function.example()).containsPattern("\\b" + function.name() + "\\b");
        assertThat(function.family()).isNotEmpty();
    }

    @Test
    void everyFunctionOfGoTemplatesHasAnEntryAndEveryEntryAFunction() {
        Set<String> documented = new TreeSet<>();
        for (FunctionReference function : FunctionCatalog.of(Language.GO)) {
            assertThat(documented.add(function.name())).as(function.name()).isTrue();
        }

        assertThat(documented)
                .containsExactlyElementsOf(
                        new TreeSet<>(TemplateEngines.goFunctions().names()));
    }

    @Test
    void everyHandlebarsHelperHasAnEntryAndEveryEntryAHelper() {
        assertThat(FunctionCatalog.of(Language.HANDLEBARS))
                .extracting(FunctionReference::name)
                .containsExactlyInAnyOrderElementsOf(HandlebarsEngine.helperNames());
    }

    @Test
    void namesAreUniqueInALanguage() {
        Set<String> seen = new HashSet<>();
        for (FunctionReference function : FunctionCatalog.all()) {
            assertThat(seen.add(function.language() + function.name())).isTrue();
        }
    }

    @Test
    void findsAFunctionInEachLanguageThatHasIt() {
        assertThat(FunctionCatalog.find(Language.GO, "indent")).isPresent();
        assertThat(FunctionCatalog.find(Language.HANDLEBARS, "indent")).isPresent();
        assertThat(FunctionCatalog.find(Language.GO, "toYaml"))
                .map(FunctionReference::origin)
                .contains(Origin.OSM);
        assertThat(FunctionCatalog.find(Language.HANDLEBARS, "toYaml"))
                .map(FunctionReference::origin)
                .contains(Origin.HUB);
        assertThat(FunctionCatalog.find(Language.HANDLEBARS, "sha1sum")).isEmpty();
    }
}

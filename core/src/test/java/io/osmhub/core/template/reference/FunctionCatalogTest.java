package io.osmhub.core.template.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.render.TemplateLanguages;
import io.osmhub.core.template.FunctionReference;
import io.osmhub.core.template.FunctionReference.Language;
import io.osmhub.core.template.FunctionReference.Origin;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateSources;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FunctionCatalogTest {
    private static final TemplateLanguages LANGUAGES = new TemplateLanguages();

    static List<FunctionReference> functions() {
        return FunctionCatalog.all();
    }

    private static String render(FunctionReference function, int seed, String instant) throws TemplateFailure {
        Environment environment = new Sandbox.Factory(
                        Limits.DEFAULT,
                        InstantSource.fixed(Instant.parse(instant)),
                        ZoneOffset.UTC,
                        new Random(seed),
                        () -> 0L)
                .open();
        TemplateLanguage language =
                switch (function.language()) {
                    case GO -> TemplateLanguage.GO;
                    case HANDLEBARS -> TemplateLanguage.HANDLEBARS;
                };
        TemplateSources.File file = new TemplateSources.File("example", function.example());
        return LANGUAGES
                .apply(language)
                .compile(new TemplateSources(Map.of(), List.of(file)))
                .render(Nil.ANY, environment)
                .getFirst();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void everyExampleGivesWhatItSays(FunctionReference function) throws TemplateFailure {
        assertThat(render(function, 1, "2026-01-02T03:04:05Z")).isEqualTo(function.result());
        assertThat(render(function, 2, "2027-12-31T23:59:59Z")).isEqualTo(function.result());
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
                        new TreeSet<>(TemplateLanguages.goFunctions().names()));
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
        assertThat(FunctionCatalog.named("indent"))
                .extracting(FunctionReference::language)
                .containsExactly(Language.GO, Language.HANDLEBARS);
        assertThat(FunctionCatalog.named("toYaml"))
                .extracting(FunctionReference::origin)
                .containsExactly(Origin.OSM, Origin.HUB);
        assertThat(FunctionCatalog.find(Language.HANDLEBARS, "genCA")).isEmpty();
        assertThat(FunctionCatalog.named("nothing")).isEmpty();
    }

    @Test
    void suggestsTheNearestName() {
        assertThat(FunctionCatalog.closest("toYamll")).contains("toYaml");
        assertThat(FunctionCatalog.closest("shelQuote")).contains("shellQuote");
        assertThat(FunctionCatalog.closest("completely-else")).isEmpty();
    }

    @Test
    void knowsWhichFunctionsChangeFromRenderingToRendering() {
        assertThat(FunctionCatalog.changing(Language.GO))
                .contains("now", "uuidv4", "randAlphaNum", "genCA", "genPrivateKey", "bcrypt", "htpasswd", "encryptAES")
                .doesNotContain("date", "derivePassword", "sha256sum", "decryptAES", "buildCustomCert");
        assertThat(FunctionCatalog.changing(Language.HANDLEBARS)).isEmpty();
    }

    @Test
    void knowsWhichFunctionsAreClosed() {
        assertThat(FunctionCatalog.all().stream().filter(FunctionReference::closed))
                .extracting(FunctionReference::name)
                .containsExactly("env", "expandenv", "getHostByName");
    }
}

package io.osmhub.core.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.CredentialRemover.CredentialPlaceholder;
import io.osmhub.core.render.Renderer.PartRenderer;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles that spend time, as whole objects: what a tenant would store to keep the hub busy. */
class HostileProfilesTest {
    private static final RenderLimits SMALL = new RenderLimits(1 << 20, 100_000, 200, Duration.ofSeconds(2));

    /** The clock stands still, so that only what is charged ends a rendering. */
    private static PartRenderer.FileVariants render(String name) throws IOException {
        Sandbox.Factory sandboxes = new Sandbox.Factory(SMALL, () -> 0L);
        return new PartRenderer(
                        ProblemObject.of("OperatingSystemProfile", "hostile/" + name),
                        new TemplateData(SampleContext.withToken("token"), TemplateLanguage.GO),
                        new TemplateData(
                                SampleContext.withToken(CredentialPlaceholder.FETCH_TOKEN.text()), TemplateLanguage.GO),
                        sandboxes.open())
                .render(compiled(name).provisioning());
    }

    private static CompiledProfile compiled(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                HostileProfilesTest.class.getResourceAsStream("/hostile-profiles/" + name + ".yaml"))) {
            String text = new String(in.readAllBytes(), UTF_8);
            return new CompiledProfileCache(new TemplateEngines(), 1)
                    .getOrCompile(ProfileReader.strict()
                            .read(YamlDocumentReader.read(name, text, Reason.SettingsInvalid)
                                    .getFirst())
                            .spec());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashes", "searches", "expressions"})
    void theBudgetOfARenderingEndsThem(String name) {
        assertThatExceptionOfType(TenantMistake.class)
                .isThrownBy(() -> render(name))
                .satisfies(mistake ->
                        assertThat(mistake.findings().getFirst().reason()).isEqualTo(Reason.TemplateLimitExceeded));
    }
}

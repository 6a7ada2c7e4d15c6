package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CredentialRemover.CredentialPlaceholder;
import io.osmhub.core.render.Renderer.PartRenderer;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartRendererTest {
    private static final String SECRET = "eyJhbGciOiJSUzI1NiJ9";

    private static PartRenderer.FileVariants render(TemplateLanguage language, String text) throws TemplateException {
        TemplateSources sources = new TemplateSources(Map.of(), List.of(new TemplateSources.File("/etc/x", text)));
        CompiledProfile.Part part = new CompiledProfile.Part(
                "spec.bootstrapConfig",
                List.of(new CompiledProfile.SourceFile(
                        "spec.bootstrapConfig.files[0]", new File("/etc/x", 0, new Inline("", "")))),
                new TemplateEngines().apply(language).compile(sources));
        Sandbox.Factory sandboxes = new Sandbox.Factory(RenderLimits.DEFAULT, () -> 0L);
        return new PartRenderer(
                        ProblemObject.of("OperatingSystemProfile", "kube-system/osp"),
                        new TemplateData(SampleContext.withToken(SECRET), language),
                        new TemplateData(SampleContext.withToken(CredentialPlaceholder.FETCH_TOKEN.text()), language),
                        sandboxes.open())
                .render(part);
    }

    @Test
    void aFileWithACredentialIsStoredWithAPlaceholder() throws TemplateException {
        PartRenderer.FileVariants pair = render(TemplateLanguage.GO, "t={{ .Token }}");

        assertThat(pair.revealed().getFirst().data()).isEqualTo("t=" + SECRET);
        assertThat(pair.redacted().getFirst().data()).isEqualTo("t=<redacted:fetch-token>");
    }

    @Test
    void theWholeContextIsPrintedWithThePeersNestingAndItsCredentialsReplaced() throws TemplateException {
        PartRenderer.FileVariants pair = render(TemplateLanguage.GO, "{{ printf \"%+v\" . }}");

        String shown = pair.redacted().getFirst().data();
        assertThat(shown)
                .startsWith(
                        "&{KubeVersion:v1.33.2 KubeletConfiguration: KubeletSystemdUnit: BootstrapKubeconfig:apiVersion: v1")
                .contains(" NetworkIPFamily: kubeletConfig:{KubeReserved:<nil> ")
                .contains(" ImageMaximumGCAge:nil} operatingSystemConfig:{AmazonLinuxConfig:{DistUpgradeOnBoot:false} ")
                .contains(
                        " bootstrapConfig:{Token:<redacted:fetch-token> ServerURL:https://k8s.example:6443 SecretName:")
                .endsWith("}}");
        assertThat(pair.revealed().getFirst().data()).contains("bootstrapConfig:{Token:" + SECRET + " ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "GO→{{ fail .Token }}→fail: <redacted:fetch-token>",
                "GO→{{ fail (b64enc .Token) }}→fail: PHJlZGFjdGVkOmZldGNoLXRva2VuPg==",
                "GO→{{ range .Token }}{{ end }}→range can't iterate over a value of type string",
                "GO→{{ semver .Token }}→invalid semantic version",
                "GO→{{ index .KubeletFeatureGates .Token 1 }}→error calling index",
                "GO→{{ if eq .Token `<redacted:fetch-token>` }}{{ else }}{{ fail .Token }}{{ end }}→withheld because it may contain one",
                "HANDLEBARS→{{fail Token}}→fail: <redacted:fetch-token>",
                "HANDLEBARS→{{fail (base64 Token)}}→fail: PHJlZGFjdGVkOmZldGNoLXRva2VuPg==",
                "HANDLEBARS→{{Token.x}}→a text has no field",
                "HANDLEBARS→{{add Token 1}}→must be a whole number, not a text",
                "HANDLEBARS→{{semver `>1` Token}}→invalid semantic version",
                "HANDLEBARS→{{#each Token}}{{/each}}→each expects a list or a map, not a text",
                "HANDLEBARS→{{get KubeVersion Token}}→must be a map, not a text",
                "HANDLEBARS→{{> (concat Token)}}→no snippet named \"<redacted:fetch-token>\"",
                "HANDLEBARS→{{#if (ne Token `<redacted:fetch-token>`)}}{{fail Token}}{{/if}}→withheld because it may contain one"
            })
    void noMessageShowsACredential(TemplateLanguage language, String template, String cause) {
        assertThatExceptionOfType(TenantMistake.class)
                .isThrownBy(() -> render(language, template.replace('`', '"')))
                .satisfies(mistake -> {
                    assertThat(mistake.toString() + mistake.findings())
                            .doesNotContain(SECRET)
                            .doesNotContain("ZXlKaGJHY2lPaUpTVXpJMU5pSjk");
                    assertThat(mistake.findings().getFirst().toString()).contains(cause);
                });
    }
}

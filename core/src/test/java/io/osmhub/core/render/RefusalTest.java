package io.osmhub.core.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineResult;
import io.osmhub.core.corpus.PipelineRun;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalTest {
    private static final String TOKEN = "fetch-secret-of-the-seed";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ fail .Token }}",
                "{{ fail (b64enc .Token) }}",
                "{{ range . }}{{ end }}",
                "{{ mustToDate \"2006\" .Token }}",
                "{{ fromJsonArray .BootstrapKubeconfig | index 1 }}{{ fail .BootstrapKubeconfig }}",
                "{{ if contains \"secret\" .Token }}{{ fail .Token }}{{ end }}"
            })
    void quotesNoCredential(String template) throws IOException {
        PipelineResult result = render(template);

        assertThat(result.findings()).hasSize(1);
        assertThat(result.findings().toString())
                .doesNotContain(TOKEN, "ZmV0Y2gtc2VjcmV0", "secretoftheseed0")
                .contains("spec.bootstrapConfig.files[0] (/opt/bin/bootstrap)");
    }

    @Test
    void saysWhereACredentialAloneMakesATemplateFail() throws IOException {
        PipelineResult result = render("\n{{ if contains \"secret\" .Token }}{{ fail .Token }}{{ end }}");

        assertThat(result.findings().getFirst().position().line()).isEqualTo(2);
        assertThat(result.findings().getFirst().cause()).contains("withheld because it may contain one");
    }

    private static PipelineResult render(String template) throws IOException {
        JsonNode profile = json(document("osp.yaml"));
        ((ObjectNode) profile.at("/spec/bootstrapConfig/files/0/content/inline")).put("data", template);
        return new PipelineRun()
                .run(new PipelineCase(
                        "refused",
                        Path.of("refused"),
                        json(document("case.yaml")),
                        document("machinedeployment.yaml"),
                        YamlDocumentReader.read("osp.yaml", profile.toString(), Reason.SettingsInvalid)
                                .getFirst()));
    }

    private static JsonNode json(SourceDocument document) throws IOException {
        return new ObjectMapper().readTree(SourceDocument.jsonText(document.root()));
    }

    private static SourceDocument document(String name) throws IOException {
        try (InputStream file = RefusalTest.class.getResourceAsStream("/fuzz/cloud-init/" + name)) {
            String text = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
            return YamlDocumentReader.read(name, text, Reason.SettingsInvalid).getFirst();
        }
    }
}

package io.osmhub.core.osc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.problem.ProblemObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** OperatingSystemConfigWriter and ConfigReader. */
class ConfigTextTest {
    private static final OperatingSystemConfig CONFIG = new OperatingSystemConfig(
            "ns",
            "md-ns-config",
            Map.of("b", "2", "a", "1"),
            new OperatingSystemConfig.Spec(
                    "ubuntu",
                    "24.04",
                    "aws",
                    "{\"size\":1.50}",
                    "cloud-init",
                    new Config(
                            List.of(new SystemdUnit(
                                    "u.service", false, null, "", List.of(new SystemdUnit.DropIn("d.conf", "<x>")))),
                            List.of(new File("/a", 755, "data\n", "b64"), new File("/b", 644, "", "")),
                            List.of(" key "),
                            new CloudInitModules(List.of("boot"), Map.of(), List.of(), Map.of("r", Map.of()), "")),
                    new Config(List.of(), List.of(), List.of(), null)));

    @Test
    void leavesOutWhatIsEmpty() {
        assertThat(OperatingSystemConfigWriter.object(CONFIG))
                .isEqualTo(
                        "{\"apiVersion\":\"operatingsystemmanager.k8c.io/v1alpha1\",\"kind\":\"OperatingSystemConfig\","
                                + "\"metadata\":{\"annotations\":{\"a\":\"1\",\"b\":\"2\"},\"name\":\"md-ns-config\",\"namespace\":\"ns\"},"
                                + "\"spec\":{\"bootstrapConfig\":{\"files\":[{\"content\":{\"inline\":{\"data\":\"data\\n\",\"encoding\":\"b64\"}},"
                                + "\"path\":\"/a\",\"permissions\":755},{\"content\":{\"inline\":{\"data\":\"\"}},\"path\":\"/b\",\"permissions\":644}],"
                                + "\"modules\":{\"bootcmd\":[\"boot\"],\"yum_repos\":{\"r\":{}}},"
                                + "\"units\":[{\"content\":\"\",\"dropIns\":[{\"content\":\"\\u003cx\\u003e\",\"name\":\"d.conf\"}],\"enable\":false,\"name\":\"u.service\"}],"
                                + "\"userSSHKeys\":[\" key \"]},\"cloudProvider\":{\"name\":\"aws\",\"spec\":{\"size\":1.50}},\"osName\":\"ubuntu\","
                                + "\"osVersion\":\"24.04\",\"provisioningConfig\":{},\"provisioningUtility\":\"cloud-init\"}}");
    }

    @Test
    void isReadBackAsItWasWritten() throws JsonProcessingException {
        SourceDocument document = SourceDocument.of(
                ProblemObject.input("osc"), new ObjectMapper().readTree(OperatingSystemConfigWriter.object(CONFIG)));

        OperatingSystemConfig read = OperatingSystemConfig.read(document);

        assertThat(OperatingSystemConfigWriter.object(read).replace("1.5}", "1.50}"))
                .isEqualTo(OperatingSystemConfigWriter.object(CONFIG));
    }

    @Test
    void printsNoContent() {
        assertThat(CONFIG.toString()).doesNotContain("data\n", "1.50").contains("File[/a, 5 characters]");
    }
}

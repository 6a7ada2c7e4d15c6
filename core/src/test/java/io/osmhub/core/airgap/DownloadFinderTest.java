package io.osmhub.core.airgap;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is found by pattern in the files, units and modules of a rendering. */
final class DownloadFinderTest {
    private static List<String> find(String path, String text) {
        return find(new Config(List.of(), List.of(new File(path, 644, text, "")), List.of(), null));
    }

    private static List<String> find(Config config) {
        Config empty = new Config(List.of(), List.of(), List.of(), null);
        return DownloadFinder.find(
                        new OperatingSystemConfig.Spec("ubuntu", "24.04", "aws", null, "cloud-init", empty, config))
                .stream()
                .map(download -> download.kind().wireName() + " " + download.value() + " " + download.file() + ":"
                        + download.line())
                .toList();
    }

    @Test
    void urlsAreFoundWithTheirLinesAndKeepTheirVariables() {
        assertThat(find("/setup", """
                        #!/bin/bash
                        # see https://docs.example.org
                        curl -fo tool "https://files.example.org/tool" && wget http://files.example.org/a
                        curl -fo kubelet "https://dl.example.org/${version}/$(uname -m)/kubelet"
                        """))
                .containsExactly(
                        "url https://files.example.org/tool /setup:3",
                        "url http://files.example.org/a /setup:3",
                        "unresolved https://dl.example.org/${version}/$(uname /setup:4");
    }

    @Test
    void aDownloadWithoutAUrlIsListedWithItsLine() {
        assertThat(find("/setup", "get() {\n  curl -Lo \"$2\" \"$1\"\n}\ncommand -v curl\n"))
                .containsExactly("unresolved curl -Lo \"$2\" \"$1\" /setup:2");
    }

    @Test
    void theMachineItselfAndItsApiServerAreNoDownloads() {
        assertThat(find("/setup", """
                        curl http://127.0.0.1:10248/healthz
                        curl https://api.example.org/api/v1/namespaces/cloud-init-settings/secrets/a
                        """)).isEmpty();
    }

    @Test
    void thePauseImageIsFoundInTheConfigurationOfContainerdAndInFlags() {
        assertThat(find("/etc/containerd/config.toml", "  sandbox_image = \"registry.example.org/pause:3.10\"\n"))
                .containsExactly("image registry.example.org/pause:3.10 /etc/containerd/config.toml:1");
        assertThat(find("/kubelet.service", "ExecStart=kubelet --pod-infra-container-image=a/pause:1 \\\n"))
                .containsExactly("image a/pause:1 /kubelet.service:1");
    }

    @Test
    void unitsAndModulesAreRead() {
        SystemdUnit unit = new SystemdUnit(
                "a.service",
                true,
                null,
                "[Service]\nExecStart=curl https://a.example.org\n",
                List.of(new SystemdUnit.DropIn("10.conf", "Environment=U=https://b.example.org")));
        CloudInitModules modules = new CloudInitModules(
                List.of(),
                Map.of(),
                List.of("curl https://c.example.org"),
                Map.of("r", Map.of("baseurl", "https://d.example.org/$basearch")),
                "");

        assertThat(find(new Config(List.of(unit), List.of(), List.of(), modules)))
                .containsExactly(
                        "url https://a.example.org a.service:2",
                        "url https://b.example.org a.service/10.conf:1",
                        "url https://c.example.org runcmd:1",
                        "unresolved https://d.example.org/$basearch yum_repos.r:1");
    }
}

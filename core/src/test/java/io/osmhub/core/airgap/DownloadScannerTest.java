package io.osmhub.core.airgap;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.airgap.NodeDownload.DownloadKind;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DownloadScannerTest {
    private final List<File> files = new ArrayList<>();
    private final List<SystemdUnit> units = new ArrayList<>();
    private @Nullable CloudInitModules modules;
    private String system = "ubuntu";

    @Test
    void aUrlIsComposedFromVariablesBranchesAndTheProcessor() {
        script("""
                arch=${HOST_ARCH-}
                if [ -z "$arch" ]; then
                  case $(uname -m) in
                    x86_64) arch="amd64" ;;
                    aarch64) arch="arm64" ;;
                    *) exit 1 ;;
                  esac
                fi
                VERSION="${VERSION:-v1.9.1}"
                base="https://files.example.org/$VERSION"
                name="tool-$arch-$VERSION.tgz"
                curl -Lfo "/opt/$name" "$base/$name"
                """);

        assertThat(lines())
                .containsExactly(
                        "url https://files.example.org/v1.9.1/tool-amd64-v1.9.1.tgz /setup.sh:12",
                        "url https://files.example.org/v1.9.1/tool-arm64-v1.9.1.tgz /setup.sh:12");
    }

    @Test
    void functionsOfSourcedScriptsAreFollowedToTheLineThatCallsThem() {
        file("/lib.sh", """
                get() {
                  curl --silent --output "$2" "$1" || exit 1
                }
                fetch() {
                  local url=$1
                  get "$url.sha256" sum
                  get "$url" file
                }
                """);
        script("""
                source /lib.sh
                for bin in kubelet kubectl; do
                  fetch "https://dl.example.org/$bin" "$bin"
                done
                """);

        assertThat(lines())
                .containsExactly(
                        "url https://dl.example.org/kubelet.sha256 /setup.sh:3",
                        "url https://dl.example.org/kubelet /setup.sh:3",
                        "url https://dl.example.org/kubectl.sha256 /setup.sh:3",
                        "url https://dl.example.org/kubectl /setup.sh:3");
    }

    @Test
    void packageSourcesAreReadFromHereDocumentsPipesAndGroups() {
        script("""
                source /etc/os-release
                echo "deb [signed-by=/key] https://download.example.org/$ID $VERSION_CODENAME stable" | tee /etc/apt/sources.list.d/a.list
                for suite in main updates; do
                  echo "deb https://mirror.example.org/$suite x main"
                done >/etc/apt/sources.list.d/b.list
                cat >/etc/yum.repos.d/c.repo <<EOF
                [c]
                baseurl=https://rpm.example.org/$(uname -m)
                gpgkey=file:///etc/key https://rpm.example.org/gpg
                EOF
                apt-get update
                apt-get install -y -o Dpkg::Options::=--force-confold socat \\
                  conntrack
                """);

        assertThat(values(DownloadKind.PACKAGE_SOURCE))
                .containsExactly(
                        "https://download.example.org/ubuntu",
                        "https://mirror.example.org/main",
                        "https://mirror.example.org/updates",
                        "https://rpm.example.org/x86_64",
                        "https://rpm.example.org/gpg",
                        "repositories of the ubuntu image",
                        "https://rpm.example.org/aarch64");
        assertThat(values(DownloadKind.PACKAGE)).containsExactly("socat", "conntrack");
        assertThat(values(DownloadKind.UNRESOLVED)).isEmpty();
    }

    @Test
    void whatDoesNotFollowFromTheScriptIsListedWithItsLine() {
        script("""
                url=$(jq -r .url answer)
                curl -o file "$url"
                never_called() {
                  wget https://later.example.org/$1
                }
                """);

        assertThat(lines())
                .containsExactly(
                        "unresolved $(jq -r .url answer) /setup.sh:2",
                        "unresolved wget https://later.example.org/$1 /setup.sh:4");
    }

    @Test
    void theApiServerTheMachineAndCommentsAreNoDownloads() {
        script("""
                # curl https://commented.example.org
                curl -H "Authorization: Bearer t" https://api.example.org:6443/api/v1/namespaces/cloud-init-settings/secrets/s | jq .data
                if ! output=$(curl -m 5 -f http://127.0.0.1:10248/healthz 2>&1); then exit 1; fi
                """);

        assertThat(lines()).isEmpty();
    }

    @Test
    void unitsModulesAndImagesAreScanned() {
        system = "flatcar";
        units.add(new SystemdUnit(
                "tool.service",
                true,
                null,
                "[Service]\nExecStart=/usr/bin/bash -c 'curl -o t https://tool.example.org/t'\n",
                List.of()));
        modules = new CloudInitModules(
                List.of(),
                Map.of("username", "u"),
                List.of("curl -O https://run.example.org/r"),
                Map.of("epel", Map.of("baseurl", "https://epel.example.org/$basearch")),
                "");
        file(
                "/etc/containerd/config.toml",
                "version = 3\n[plugins]\nsandbox_image = \"registry.example.org/pause:3\"\n");

        assertThat(lines())
                .contains(
                        "url https://tool.example.org/t tool.service:2",
                        "url https://run.example.org/r runcmd:1",
                        "url https://subscription.rhsm.redhat.com rh_subscription:1",
                        "package-source https://epel.example.org/$basearch yum_repos.epel:1",
                        "image registry.example.org/pause:3 /etc/containerd/config.toml:3",
                        "update-server https://public.update.flatcar-linux.net/v1/update/ update-engine.service:1");
    }

    @Test
    void aMaskedUpdateEngineAsksNoServer() {
        system = "flatcar";
        script("systemctl mask --now update-engine\n");

        assertThat(lines()).isEmpty();
    }

    @Test
    void aDisabledRepositoryIsNoSource() {
        script("""
                options=(-y)
                options+=(--disablerepo='*' --enablerepo='own-*')
                yum=$(command -v dnf || command -v yum)
                "$yum" install "${options[@]}" socat ${extra:+"$extra"}
                """);

        assertThat(lines()).containsExactly("package socat /setup.sh:4");
    }

    private void script(String text) {
        file("/setup.sh", text);
    }

    private void file(String path, String text) {
        files.add(new File(path, 644, text, "b64"));
    }

    private List<NodeDownload> scan() {
        return DownloadScanner.scan(new OperatingSystemConfig.Spec(
                system,
                "24.04",
                "aws",
                null,
                "cloud-init",
                new Config(List.of(), List.of(), List.of(), null),
                new Config(units, files, List.of(), modules)));
    }

    private List<String> lines() {
        return scan().stream()
                .map(it -> it.kind().wireName() + " " + it.value() + " " + it.file() + ":" + it.line())
                .toList();
    }

    private List<String> values(DownloadKind kind) {
        return scan().stream()
                .filter(it -> it.kind() == kind)
                .map(NodeDownload::value)
                .distinct()
                .toList();
    }
}

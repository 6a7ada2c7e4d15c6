package io.osmhub.core.lint;

import io.osmhub.core.userdata.UserDataSize;
import java.util.List;

/** Faults that people make in profiles: each is one edit of an example profile, and the line that a finding must name. */
final class SeededFaults {
    /**
     * One fault.
     *
     * @param base file below docs/examples
     * @param find text of the base, present once, that is replaced
     * @param by the faulty text
     * @param rule the rule that must find it
     * @param line text of the line, in the faulty file, that the finding must point at; empty if it names a file or unit only
     */
    record Fault(String name, String base, String find, String by, String rule, String line) {
        String apply(String text) {
            int at = text.indexOf(find);
            if (at < 0 || text.indexOf(find, at + 1) >= 0) {
                throw new IllegalStateException(name + ": the text to replace must be there once: " + find);
            }
            return text.substring(0, at) + by + text.substring(at + find.length());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final String UBUNTU = "osp.yaml";
    private static final String FLATCAR = "osp-flatcar.yaml";

    private SeededFaults() {}

    private static Fault ubuntu(String name, String find, String by, String rule, String line) {
        return new Fault(name, UBUNTU, find, by, rule, line);
    }

    private static Fault flatcar(String name, String find, String by, String rule, String line) {
        return new Fault(name, FLATCAR, find, by, rule, line);
    }

    static final List<Fault> ALL = List.of(
            // The document
            ubuntu("tab as indentation", "  osName: ubuntu", "\tosName: ubuntu", "document-syntax", "\tosName: ubuntu"),
            ubuntu(
                    "unclosed quote, which the next quote closes",
                    "osVersion: \"24.04\"",
                    "osVersion: \"24.04",
                    "document-syntax",
                    "            {{- template \"proxy\" }}"),
            ubuntu(
                    "duplicate key",
                    "  version: v1.0.0\n",
                    "  version: v1.0.0\n  version: v1.0.1\n",
                    "document-syntax",
                    "  version: v1.0.1"),
            ubuntu("unknown field", "  osVersion: ", "  osVersionn: ", "schema", "  osVersionn: "),
            ubuntu(
                    "field in the wrong place",
                    "    modules:\n      runcmd:",
                    "    runcmd:\n      runcmd:",
                    "schema",
                    "    runcmd:"),
            ubuntu("no version", "  version: v1.0.0\n", "", "schema", "\nspec:"),
            ubuntu("version without v", "version: v1.0.0", "version: 1.0.0", "schema", "version: 1.0.0"),
            ubuntu("unknown operating system", "osName: ubuntu", "osName: ubunto", "schema", "osName: ubunto"),
            ubuntu("unknown provider", "- name: hetzner", "- name: hetzner-cloud", "schema", "- name: hetzner-cloud"),
            ubuntu(
                    "provider twice",
                    "- name: hetzner",
                    "- name: aws",
                    "duplicate-provider",
                    "  - name: aws\n  - name: openstack"),
            ubuntu(
                    "content as text",
                    "        inline:\n          data: |\n            net.ipv4.ip_forward = 1",
                    "        data: |\n            net.ipv4.ip_forward = 1",
                    "schema",
                    "        data: |\n            net.ipv4.ip_forward = 1"),
            ubuntu(
                    "content without inline",
                    "      content:\n        inline:\n          data: |\n            {{ .KubernetesCACert | trim }}\n",
                    "      content: {}\n",
                    "missing-content",
                    "      content: {}"),
            ubuntu("permissions as text", "permissions: 600", "permissions: rw", "schema", "permissions: rw"),
            // Templates
            ubuntu(
                    "unknown function",
                    "{{ .KubernetesCACert | trim }}",
                    "{{ .KubernetesCACert | trimm }}",
                    "template-syntax",
                    "{{ .KubernetesCACert | trimm }}"),
            ubuntu(
                    "unclosed action",
                    "{{ .ServerURL }}/api",
                    "{{ .ServerURL /api",
                    "template-syntax",
                    "{{ .ServerURL /api"),
            ubuntu(
                    "missing end",
                    "            {{- with .MaxPods }}\n            maxPods: {{ . }}\n            {{- end }}\n",
                    "            {{- with .MaxPods }}\n            maxPods: {{ . }}\n",
                    "template-syntax",
                    "serverTLSBootstrap: true"),
            ubuntu(
                    "end too many",
                    "            kernel.panic = 10",
                    "            {{- end }}\n            kernel.panic = 10",
                    "template-syntax",
                    "            {{- end }}\n            kernel.panic"),
            ubuntu(
                    "variable that is not declared",
                    "  {{ $name }}: {{ $on }}",
                    "  {{ $name }}: {{ $enabled }}",
                    "template-syntax",
                    "{{ $enabled }}"),
            ubuntu(
                    "missing field",
                    "cat > /run/osm-header",
                    "echo {{ .Tokens }} > /run/osm-header",
                    "template-execution",
                    "{{ .Tokens }}"),
            ubuntu(
                    "missing field in a branch that few take",
                    "net.ipv6.conf.all.forwarding = 1",
                    "net.ipv6.conf.all.forwarding = {{ .Forwarding }}",
                    "template-execution",
                    "{{ .Forwarding }}"),
            ubuntu(
                    "snippet that is not there",
                    "{{- template \"proxy\" }}",
                    "{{- template \"proxies\" }}",
                    "template-execution",
                    "{{- template \"proxies\" }}"),
            ubuntu(
                    "snippet uses a snippet",
                    "      proxy: |\n",
                    "      all: |\n        {{ template \"proxy\" . }}\n      proxy: |\n",
                    "template-execution",
                    "{{ template \"proxy\" . }}"),
            ubuntu(
                    "named string where a string is wanted",
                    "version={{ .KubeVersion }}",
                    "version={{ .CloudProviderName | upper }}",
                    "template-execution",
                    "{{ .CloudProviderName | upper }}"),
            ubuntu(
                    "int compared with a pointer",
                    "{{- with .MaxPods }}",
                    "{{- if eq .MaxPods 110 }}",
                    "template-execution",
                    "{{- if eq .MaxPods 110 }}"),
            ubuntu(
                    "bad version constraint",
                    "semverCompare \">=1.33-0\"",
                    "semverCompare \">=one\"",
                    "template-execution",
                    "semverCompare \">=one\""),
            ubuntu(
                    "endless output",
                    "kernel.panic = 10",
                    "{{ range until 100000000 }}x{{ end }}",
                    "template-limit",
                    "{{ range until 100000000 }}x{{ end }}"),
            ubuntu(
                    "not the same each time",
                    "kernel.panic = 10",
                    "kernel.panic = {{ randNumeric 2 }}",
                    "function-refused",
                    "{{ randNumeric 2 }}"),
            // Files
            ubuntu(
                    "path twice",
                    "path: /etc/kubernetes/kubelet.conf",
                    "path: /etc/sysctl.d/99-kubernetes.conf",
                    "duplicate-path",
                    "path: /etc/sysctl.d/99-kubernetes.conf\n      content:\n        inline:\n          data: |\n            apiVersion"),
            ubuntu(
                    "path twice with the runtime's files",
                    "path: /opt/bin/setup\n",
                    "path: /etc/containerd/config.toml\n",
                    "duplicate-path",
                    "path: /etc/containerd/config.toml\n        permissions: 600"),
            ubuntu(
                    "relative path",
                    "path: /opt/bin/setup\n",
                    "path: opt/bin/setup\n",
                    "file-path",
                    "path: opt/bin/setup"),
            ubuntu("mode with an 8", "permissions: 600", "permissions: 680", "file-permissions", "permissions: 680"),
            ubuntu(
                    "mode with too many digits",
                    "permissions: 600",
                    "permissions: 100644",
                    "file-permissions",
                    "permissions: 100644"),
            ubuntu("unknown encoding", "encoding: b64", "encoding: base65", "file-encoding", "encoding: base65"),
            ubuntu(
                    "encoding that the peer does not apply",
                    "encoding: b64",
                    "encoding: gzip",
                    "file-encoding",
                    "encoding: gzip"),
            // What comes out
            ubuntu(
                    "indentation that breaks YAML",
                    "            featureGates:\n",
                    "             featureGates:\n",
                    "file-content",
                    "             featureGates:"),
            ubuntu(
                    "tab in YAML",
                    "            cgroupDriver: systemd",
                    "            \tcgroupDriver: systemd",
                    "file-content",
                    "            \tcgroupDriver: systemd"),
            ubuntu(
                    "YAML key twice",
                    "            rotateCertificates: true\n",
                    "            rotateCertificates: true\n            rotateCertificates: true\n",
                    "file-content",
                    ""),
            ubuntu(
                    "broken TOML",
                    "{{ .ContainerRuntimeConfig | trim }}",
                    "{{ .ContainerRuntimeConfig | trim }}\n              [plugins",
                    "file-content",
                    "              [plugins"),
            ubuntu(
                    "unterminated heredoc",
                    "            HEADER\n            chmod",
                    "            HEADERS\n            chmod",
                    "shell-syntax",
                    ""),
            ubuntu(
                    "if without fi",
                    "              exit 1\n            fi\n",
                    "              exit 1\n",
                    "shell-syntax",
                    ""),
            ubuntu(
                    "unterminated quote in a script",
                    "echo \"waiting for the provisioning secret\"",
                    "echo \"waiting for the provisioning secret",
                    "shell-syntax",
                    ""),
            ubuntu(
                    "unit file without a section",
                    "            [Service]\n            Type=oneshot",
                    "            Service\n            Type=oneshot",
                    "unit-syntax",
                    ""),
            ubuntu(
                    "too large for AWS",
                    "export http_proxy",
                    UserDataSize.standIn(24_000).reveal() + " export http_proxy",
                    "user-data-size",
                    "bootstrapConfig:"),
            ubuntu(
                    "too large everywhere",
                    "kernel.panic = 10",
                    "kernel.panic = {{ repeat 1100000 \"1\" }}",
                    "user-data-size",
                    "provisioningConfig:"),
            // Units and utility
            ubuntu(
                    "units on Ubuntu",
                    "    modules:\n      runcmd:\n",
                    "    units:\n    - name: a.service\n    modules:\n      runcmd:\n",
                    "units-not-supported",
                    "    units:"),
            ubuntu(
                    "Ignition on Ubuntu",
                    "provisioningUtility: cloud-init",
                    "provisioningUtility: ignition",
                    "provisioning-utility",
                    "provisioningUtility: ignition"),
            flatcar(
                    "unit without an install section",
                    "        [Install]\n        WantedBy=multi-user.target\n",
                    "",
                    "unit-install",
                    "      enable: true\n      content: |"),
            flatcar(
                    "unit with an unknown ending",
                    "name: bootstrap.service",
                    "name: bootstrap.svc",
                    "unit-name",
                    "name: bootstrap.svc"),
            flatcar(
                    "drop-in with an unknown ending",
                    "name: 10-config.conf",
                    "name: 10-config.cfg",
                    "unit-name",
                    "name: 10-config.cfg"),
            flatcar("unit with a bare word", "        Type=oneshot\n", "        oneshot\n", "unit-syntax", ""),
            flatcar(
                    "unit twice",
                    "    - name: containerd.service\n",
                    "    - name: containerd.service\n    - name: containerd.service\n",
                    "duplicate-unit",
                    "    - name: containerd.service\n      enable: true"),
            flatcar(
                    "Flatcar without Ignition",
                    "  provisioningUtility: ignition\n",
                    "",
                    "provisioning-utility",
                    "osName: flatcar"),
            flatcar(
                    "mode that Ignition reads as decimal",
                    "permissions: 755",
                    "permissions: 4755",
                    "file-permissions",
                    "permissions: 4755"),
            flatcar(
                    "content that begins with a tab",
                    "            net.ipv4.ip_forward = 1",
                    "            \tnet.ipv4.ip_forward = 1",
                    "document-syntax",
                    "\tnet.ipv4.ip_forward = 1"),
            // More of what comes out
            ubuntu(
                    "misspelt section",
                    "            [Service]\n            Type=oneshot",
                    "            [Servcie]\n            Type=oneshot",
                    "unit-syntax",
                    ""),
            ubuntu(
                    "broken JSON",
                    "    - path: /etc/systemd/system/setup.service\n",
                    """
                        - path: /etc/a.json
                          content:
                            inline:
                              data: |
                                {"a": 1,}
                        - path: /etc/systemd/system/setup.service
                    """,
                    "file-content",
                    "            {\"a\": 1,}"),
            ubuntu("done without do", "{{ .SecretName }}; do\n", "{{ .SecretName }}\n", "shell-syntax", ""),
            ubuntu(
                    "command that the shell cannot read",
                    "      - /opt/bin/bootstrap\n",
                    "      - \"if true; then /opt/bin/bootstrap\"\n",
                    "shell-syntax",
                    "if true; then"),
            ubuntu(
                    "command that is a mapping in YAML",
                    "      - /opt/bin/bootstrap\n",
                    "      - \"echo starting: now\"\n",
                    "user-data",
                    "echo starting: now"),
            ubuntu(
                    "only one provider and one version break",
                    "            kernel.panic = 10",
                    "            {{- if and (eq (toString .CloudProviderName) \"hetzner\") (semverCompare \"~1.31\" .KubeVersion) }}\n"
                            + "            {{ .Region }}\n            {{- end }}\n            kernel.panic = 10",
                    "template-execution",
                    "            {{ .Region }}"),
            ubuntu(
                    "call of the environment",
                    "version={{ .KubeVersion }}",
                    "version={{ env \"KUBE_VERSION\" }}",
                    "function-refused",
                    "version={{ env"),
            ubuntu(
                    "time of day",
                    "version={{ .KubeVersion }}",
                    "version={{ .KubeVersion }} # {{ now | date \"2006\" }}",
                    "function-refused",
                    "version={{ .KubeVersion }} # {{ now"),
            ubuntu(
                    "bad constraint of versions",
                    "metadata:\n",
                    "metadata:\n  annotations:\n    osmhub.io/supported-kubernetes-versions: \">=1.x.y.z\"\n",
                    "kubernetes-versions",
                    "    osmhub.io/supported-kubernetes-versions"),
            ubuntu(
                    "path that names no file",
                    "path: /opt/bin/setup\n",
                    "path: /opt/bin/setup/\n",
                    "file-path",
                    "path: /opt/bin/setup/"),
            ubuntu(
                    "kind misspelt",
                    "kind: OperatingSystemProfile",
                    "kind: OperatingSystemProfil",
                    "schema",
                    "kind: OperatingSystemProfil"),
            flatcar(
                    "drop-in with a misspelt section",
                    "          [Service]\n          Environment",
                    "          [Servce]\n          Environment",
                    "unit-syntax",
                    ""));
}

package io.osmhub.core.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles rendered with extensions: what each operation, hook and selection does, and what is refused. */
class ExtensionsTest {
    private static final String SHARED = "osm-profiles";
    private static final String TENANT = "cluster-7xk2m9";

    /** As OSM's: a unit runs a program of the profile. */
    private static final String OSM_PROFILE = """
            spec:
              osName: ubuntu
              osVersion: "24.04"
              version: v1.11.2
              supportedCloudProviders: [{name: aws}, {name: openstack}]
              bootstrapConfig:
                files:
                - {path: /opt/bin/bootstrap, permissions: 755, content: {inline: {data: "curl -H 'Authorization: Bearer {{ .Token }}'"}}}
                - {path: /etc/systemd/system/bootstrap.service, content: {inline: {data: "[Service]\\nType=oneshot\\nExecStart=/opt/bin/bootstrap\\n"}}}
                - {path: /opt/disable-swap.sh, permissions: 755, content: {inline: {data: "swapoff -a"}}}
              provisioningConfig:
                units:
                - {name: containerd.service, enable: true, content: "[Service]\\n"}
                files:
                - {path: /opt/bin/setup, permissions: 755, content: {inline: {encoding: b64, data: "fetch https://dl.k8s.io/a\\nfetch https://dl.k8s.io/b\\nfetch https://dl.k8s.io/{{ .KubeVersion }}\\n"}}}
                - {path: /etc/motd, permissions: 600, content: {inline: {data: "hello"}}}
                - {path: /etc/systemd/system/setup.service, content: {inline: {data: "[Service]\\nType=oneshot\\nExecStart=/opt/bin/setup\\n"}}}
                - {path: /etc/systemd/system/kubelet.service, content: {inline: {data: "[Service]\\nExecStart=/opt/bin/kubelet\\n"}}}
                - {path: /opt/disable-swap.sh, permissions: 755, content: {inline: {data: "swapoff -a"}}}
                - path: /etc/kubernetes/kubelet.conf
                  content:
                    inline:
                      data: |
                        apiVersion: kubelet.config.k8s.io/v1beta1
                        kind: KubeletConfiguration
                        failSwapOn: true
                        evictionHard:
                          memory.available: 100Mi
                          nodefs.available: 10%
            """;

    /** As the hub's: a program runs all steps. */
    private static final String HUB_PROFILE = OSM_PROFILE
            + "    - {path: /opt/osm/steps/10-system, permissions: 755, content: {inline: {data: \"true\"}}}\n";

    private final Map<String, String> annotations = new HashMap<>(Map.of(MachineDeployment.PROFILE, "osp-ubuntu"));
    private String profileText = OSM_PROFILE;

    // Order

    @Test
    void sharedExtensionsComeFirstThenOrderThenName() {
        RenderedConfig rendered = render(
                extension(TENANT, "b", 0, "provisioning: {beforeCommands: [echo b], " + append("tenant") + "}"),
                extension(SHARED, "z", 900, "provisioning: {beforeCommands: [echo z], " + append("shared z") + "}"),
                extension(SHARED, "a", 900, "provisioning: {beforeCommands: [echo a], " + append("shared a") + "}"));

        assertEquals("hello\nshared a\nshared z\ntenant", text(rendered, "/etc/motd"));
        assertEquals(
                List.of("S0900-a", "S0900-z", "T0000-b"),
                paths(rendered).stream()
                        .filter(path -> path.startsWith("/opt/osm/extensions/before/"))
                        .map(path -> path.substring(path.lastIndexOf('/') + 1))
                        .sorted()
                        .toList());
    }

    @Test
    void doesNotDependOnTheOrderInWhichExtensionsAreListed() {
        ProfileExtension first = extension(SHARED, "a", 500, "provisioning: {" + append("a") + "}");
        ProfileExtension second = extension(SHARED, "b", 500, "provisioning: {" + append("b") + "}");

        assertEquals(
                render(first, second).stored().spec(),
                render(second, first).stored().spec());
    }

    // Operations

    @Test
    void addsAFileWithItsModeAsText() {
        RenderedConfig rendered = render(
                extension(
                        "provisioning: {files: [{path: /etc/site/a, permissions: \"0600\", content: x}, {path: /etc/site/b, content: text}]}"));

        assertEquals(600, file(rendered, "/etc/site/a").permissions());
        assertEquals(644, file(rendered, "/etc/site/b").permissions());
        assertEquals("text", text(rendered, "/etc/site/b"));
    }

    @Test
    void replacesAFileAndKeepsItsMode() {
        RenderedConfig rendered =
                render(extension("provisioning: {files: [{path: /etc/motd, operation: Replace, content: bye}]}"));

        assertEquals("bye", text(rendered, "/etc/motd"));
        assertEquals(600, file(rendered, "/etc/motd").permissions());
    }

    @Test
    void editsEveryOccurrenceInTheRenderedText() {
        RenderedConfig rendered = render(edit("find: https://dl.k8s.io/, replace: https://mirror/", ""));

        assertEquals(
                "fetch https://mirror/a\nfetch https://mirror/b\nfetch https://mirror/v1.33.2\n",
                text(rendered, "/opt/bin/setup"));
    }

    @Test
    void refusesAnEditOfMissingTextUnlessItIsOptional() {
        Problem refused = onlyProblem(edit("find: nothing, replace: x", ""));
        assertEquals(Reason.ExtensionNotApplicable, refused.reason());
        assertEquals("spec.provisioning.files[0].edits[0]", refused.field());

        RenderedConfig rendered = render(edit("find: nothing, replace: x", ", optional: true"));
        assertEquals(
                "spec.provisioning.files[0].edits[0]",
                rendered.skipped().getFirst().field());
    }

    @Test
    void removesAFileFromBothDocuments() {
        RenderedConfig rendered =
                render(extension("provisioning: {files: [{path: /opt/disable-swap.sh, operation: Remove}]}"));

        assertFalse(paths(rendered).contains("/opt/disable-swap.sh"));
        assertTrue(paths(rendered).contains("/etc/motd"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Replace, content: x", "Append, content: x", "Edit, edits: [{find: a, replace: b}]", "Remove"})
    void refusesToChangeAFileThatTheProfileDoesNotHave(String operation) {
        String files = "provisioning: {files: [{path: /etc/none, operation: " + operation;

        Problem refused = onlyProblem(extension(files + "}]}"));
        assertEquals(Reason.ExtensionNotApplicable, refused.reason());
        assertTrue(refused.cause().startsWith("the profile has no file /etc/none"), refused.cause());
        assertEquals(
                1, render(extension(files + ", optional: true}]}")).skipped().size());
    }

    @Test
    void warnsAboutAnotherBaseThanItWasWrittenFor() {
        String file = "provisioning: {files: [{path: /etc/motd, operation: Replace, content: x, baseSHA256: ";
        RenderedConfig other = render(extension(file + "a".repeat(64) + "}]}"));
        RenderedConfig same = render(extension(file + Sha256.hex("hello") + "}]}"));

        assertEquals(
                Reason.ExtensionBaseChanged,
                other.warnings(profile(List.of())).getFirst().reason());
        assertEquals(List.of(), same.warnings(profile(List.of())));
    }

    // Conflicts

    @Test
    void twoExtensionsThatAddOnePathAreAConflictThatNamesBoth() {
        Problem conflict = onlyProblem(
                extension(SHARED, "corp-banner", 500, add("/etc/issue")),
                extension(TENANT, "banner", 500, add("/etc/issue")));

        assertEquals(Reason.ExtensionConflict, conflict.reason());
        assertEquals(
                "/etc/issue is written by OperatingSystemProfileExtension osm-profiles/corp-banner, "
                        + "spec.provisioning.files[0], and cluster-7xk2m9/banner, spec.provisioning.files[0]",
                conflict.cause());
    }

    @Test
    void editAndAppendOfTwoExtensionsAreAConflict() {
        ProfileExtension append = extension(SHARED, "a", 500, "provisioning: {" + append("x") + "}");
        String edit =
                "provisioning: {files: [{path: /etc/motd, operation: Edit, edits: [{find: hello, replace: bye}]}]}";

        assertEquals(
                Reason.ExtensionConflict,
                onlyProblem(append, extension(SHARED, "b", 500, edit)).reason());
        assertEquals(
                Reason.ExtensionConflict,
                onlyProblem(append, extension(SHARED, "0", 500, edit)).reason());
    }

    @Test
    void anAddedPathOfTheProfileIsAConflict() {
        Problem conflict = onlyProblem(extension(add("/etc/motd")));

        assertEquals("/etc/motd is written by OperatingSystemProfile osm-profiles/osp-ubuntu", conflict.cause());
        assertEquals("use Replace, Edit or Append", conflict.fix());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/machine-name",
                "/opt/osm/extensions/run",
                "/etc/systemd/system/setup.service.d/60-osm-extensions.conf",
                "/etc/systemd/system/containerd.service",
                "/etc/motd/today",
                "/opt/bin",
                "/etc/systemd/system/bootstrap.service"
            })
    void aPathOfTheHubAUnitAndAPathBelowAFileAreConflicts(String path) {
        assertEquals(Reason.ExtensionConflict, onlyProblem(extension(add(path))).reason());
    }

    @Test
    void aFileBelowTheFileOfAnotherExtensionIsAConflict() {
        assertEquals(
                Reason.ExtensionConflict,
                onlyProblem(extension(SHARED, "a", 500, add("/etc/x")), extension(SHARED, "b", 500, add("/etc/x/y")))
                        .reason());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/opt/osm/extensions", "/opt/osm", "/etc/systemd/system/setup.service.d"})
    void aFileWhereTheHubNeedsAFolderIsAConflict(String path) {
        ProfileExtension commands = extension(SHARED, "a", 500, "provisioning: {beforeCommands: [echo a]}");
        TenantMistake refused =
                assertThrows(TenantMistake.class, () -> render(commands, extension(TENANT, "b", 500, add(path))));

        assertTrue(refused.findings().stream().allMatch(problem -> problem.reason() == Reason.ExtensionConflict));
    }

    @Test
    void aStepThatTheHubWritesIsAConflict() {
        profileText = HUB_PROFILE;

        assertEquals(
                Reason.ExtensionConflict,
                onlyProblem(
                                extension(SHARED, "a", 500, "provisioning: {beforeCommands: [echo a]}"),
                                extension(TENANT, "b", 500, add("/opt/osm/steps/05-S0500-a")))
                        .reason());
    }

    @Test
    void appendedTextCannotBeEditedAwayByAnotherExtension() {
        ProfileExtension enforced = extension(SHARED, "a", 500, "provisioning: {" + append("kept") + "}");
        ProfileExtension both = extension(
                TENANT,
                "b",
                500,
                "bootstrap: {" + append("more") + "}",
                "provisioning: {files: [{path: /etc/motd, operation: Edit, edits: [{find: kept, replace: x}]}]}");

        assertEquals(Reason.ExtensionConflict, onlyProblem(enforced, both).reason());
    }

    @Test
    void aKubeletValueCannotOverrideAnEditOfItsFile() {
        ProfileExtension edit = extension(
                SHARED,
                "a",
                500,
                "provisioning: {files: [{path: /etc/kubernetes/kubelet.conf, operation: Edit, "
                        + "edits: [{find: \"failSwapOn: true\", replace: \"failSwapOn: false\"}]}]}");
        ProfileExtension merge =
                extension(TENANT, "b", 500, "provisioning: {kubeletConfiguration: {failSwapOn: true}}");

        assertEquals(Reason.ExtensionConflict, onlyProblem(edit, merge).reason());
    }

    @Test
    void anEditCannotGrowAFileWithoutLimit() {
        String grow = "find: e, replace: " + "e".repeat(10_000);
        ProfileExtension extension =
                extension("provisioning: {files: [{path: /opt/bin/setup, operation: Edit, edits: [{" + grow + "}, {"
                        + grow + "}, {" + grow + "}]}]}");
        TenantMistake refused = assertThrows(TenantMistake.class, () -> render(extension));

        assertEquals(Reason.TemplateLimitExceeded, refused.findings().getFirst().reason());
    }

    @Test
    void findsConflictsWithoutRendering() {
        assertEquals(
                Reason.ExtensionConflict,
                profile(List.of(compiled(extension(add("/etc/motd")))))
                        .findConflicts()
                        .getFirst()
                        .reason());
        assertEquals(
                List.of(),
                profile(List.of(compiled(edit("find: fetch https://dl.k8s.io/1.33.2, replace: x", ""))))
                        .findConflicts());
    }

    // Schema

    @ParameterizedTest
    @ValueSource(
            strings = {
                "provisioning: {files: [{path: /etc//issue, content: x}]}",
                "provisioning: {files: [{path: /etc/../etc/issue, content: x}]}",
                "provisioning: {files: [{path: /etc/issue/, content: x}]}",
                "provisioning: {files: [{path: etc/issue, content: x}]}",
                "provisioning: {files: [{path: /a, permissions: 0644, content: x}]}",
                "provisioning: {files: [{path: /a, permissions: \"4755\", content: x}]}",
                "provisioning: {files: [{path: /a}]}",
                "provisioning: {files: [{path: /a, operation: Remove, content: x}]}",
                "provisioning: {files: [{path: /a, operation: Edit}]}",
                "provisioning: {files: [{path: /a, operation: Append, content: x, permissions: \"0600\"}]}",
                "provisioning: {files: [{path: /a, content: x, optional: true}]}",
                "provisioning: {files: [{path: /a, content: x}, {path: /a, content: y}]}",
                "provisioning: {files: [{path: /etc/systemd/system/kubelet.service, operation: Remove}]}",
                "provisioning: {units: [{name: a.service}]}",
                "provisioning: {units: [{name: a.service, content: x, mask: true}]}",
                "provisioning: {files: [{path: /a, permissions: \"000\", content: x}]}",
                "provisioning: {units: [{name: ../a.service, mask: true}]}",
                "templateEngine: jinja, provisioning: {}",
                "order: 10000, provisioning: {}",
                ""
            })
    void theSchemaRefuses(String content) {
        TenantMistake refused = assertThrows(TenantMistake.class, () -> extension(content));

        assertEquals(Reason.ExtensionInvalid, refused.findings().getFirst().reason());
        assertEquals("site", refused.findings().getFirst().object().name());
    }

    // Hooks

    @Test
    void commandsOfAnOsmProfileRunInDropIns() {
        RenderedConfig rendered = render(extension("""
                bootstrap: {beforeCommands: [echo first]}
                provisioning: {beforeCommands: [echo one, "echo two\\n"], afterCommands: [echo done]}"""));

        assertEquals(
                """
                #!/bin/bash
                # OperatingSystemProfileExtension osm-profiles/site, content HASH
                set -euo pipefail
                echo one
                echo two
                """,
                text(rendered, "/opt/osm/extensions/before/S0500-site")
                        .replaceFirst("content [0-9a-f]{8}", "content HASH"));
        assertEquals(755, file(rendered, "/opt/osm/extensions/after/S0500-site").permissions());
        assertEquals("""
                [Service]
                TimeoutStartSec=infinity
                ExecStartPre=/opt/osm/extensions/run before setup.service
                ExecStartPost=/opt/osm/extensions/run after setup.service
                """, text(rendered, "/etc/systemd/system/setup.service.d/60-osm-extensions.conf"));
        assertEquals("""
                [Service]
                TimeoutStartSec=infinity
                ExecStartPre=/opt/osm/extensions/run bootstrap bootstrap.service
                """, text(rendered, "/etc/systemd/system/bootstrap.service.d/60-osm-extensions.conf"));
        assertEquals(
                2,
                paths(rendered).stream()
                        .filter("/opt/osm/extensions/run"::equals)
                        .count(),
                "each document has its own");
    }

    @Test
    void commandsOfAHubProfileAreSteps() {
        profileText = HUB_PROFILE;
        RenderedConfig rendered =
                render(extension("provisioning: {beforeCommands: [echo one], afterCommands: [echo done]}"));

        assertTrue(paths(rendered).contains("/opt/osm/steps/05-S0500-site"));
        assertTrue(paths(rendered).contains("/opt/osm/steps/95-S0500-site"));
        assertFalse(paths(rendered).contains("/opt/osm/extensions/run"));
    }

    @Test
    void aProfileWithoutProvisioningGetsAllInItsBootstrapDocument() {
        profileText = """
                spec:
                  osName: flatcar
                  osVersion: "1"
                  version: v1
                  supportedCloudProviders: [{name: aws}]
                  bootstrapConfig:
                    units:
                    - {name: setup.service, enable: true, content: "[Service]\\nType=oneshot\\n"}
                    files:
                    - {path: /opt/bin/setup, content: {inline: {data: x}}}
                  provisioningConfig: {}
                """;
        RenderedConfig rendered = render(new String[] {"flatcar"}, extension("""
                bootstrap: {beforeCommands: [echo first]}
                provisioning: {beforeCommands: [echo one], files: [{path: /etc/site, content: x}]}"""));

        OperatingSystemConfig.Spec spec = rendered.stored().spec();
        assertEquals(
                List.of("/etc/containerd/certs.d/docker.io/hosts.toml"),
                spec.provisioningConfig().files().stream()
                        .map(OperatingSystemConfig.File::path)
                        .toList());
        assertEquals("""
                [Service]
                TimeoutStartSec=infinity
                ExecStartPre=/opt/osm/extensions/run bootstrap setup.service
                ExecStartPre=/opt/osm/extensions/run before setup.service
                """, text(rendered, "/etc/systemd/system/setup.service.d/60-osm-extensions.conf"));
        assertTrue(paths(rendered).contains("/etc/site"));
    }

    @Test
    void refusesCommandsWhereNothingRunsThem() {
        profileText = OSM_PROFILE.replace("setup.service", "own.service");
        Problem refused = onlyProblem(
                extension(SHARED, "a", 500, "bootstrap: {beforeCommands: [echo first]}"),
                extension(TENANT, "b", 500, "provisioning: {beforeCommands: [echo one]}"));

        assertEquals(Reason.ExtensionNotApplicable, refused.reason());
        assertEquals("b", refused.object().name());
        assertEquals("spec.provisioning.beforeCommands", refused.field());
        assertEquals("put the commands into a unit, or select other profiles with target.profiles", refused.fix());
    }

    @Test
    void unitsAreFilesAndCommands() {
        RenderedConfig rendered = render(extension("""
                provisioning:
                  units:
                  - {name: agent.service, content: "[Service]\\n", enable: true, dropIns: [{name: 10-a.conf, content: "[Unit]\\n"}]}
                  - {name: apt-daily.timer, mask: true}
                  - {name: kubelet.service, dropIns: [{name: 50-swap.conf, content: "[Service]\\n"}]}
                  beforeCommands: [echo last]"""));

        assertTrue(paths(rendered)
                .containsAll(List.of(
                        "/etc/systemd/system/agent.service",
                        "/etc/systemd/system/agent.service.d/10-a.conf",
                        "/etc/systemd/system/kubelet.service.d/50-swap.conf")));
        assertTrue(text(rendered, "/opt/osm/extensions/before/S0500-site").endsWith("""
                        systemctl daemon-reload
                        systemctl enable --now agent.service
                        systemctl mask apt-daily.timer
                        echo last
                        """));
    }

    // Kubelet

    @Test
    void mergesTheKubeletConfiguration() {
        RenderedConfig rendered = render(extension("""
                provisioning:
                  kubeletConfiguration: {failSwapOn: false, evictionHard: {nodefs.available: null, memory.available: 1Gi}, allowedUnsafeSysctls: [a]}"""));

        assertEquals("""
                allowedUnsafeSysctls:
                - a
                apiVersion: kubelet.config.k8s.io/v1beta1
                evictionHard:
                  memory.available: 1Gi
                failSwapOn: false
                kind: KubeletConfiguration
                """, text(rendered, "/etc/kubernetes/kubelet.conf"));
    }

    @Test
    void twoExtensionsWithOneKeyOfTheKubeletAreAConflict() {
        String swap = "provisioning: {kubeletConfiguration: {failSwapOn: false}}";

        assertEquals(
                Reason.ExtensionConflict,
                onlyProblem(extension(SHARED, "a", 500, swap), extension(SHARED, "b", 500, swap))
                        .reason());
    }

    @Test
    void refusesAKubeletMergeWithoutAConfiguration() {
        profileText = OSM_PROFILE.replace("kind: KubeletConfiguration", "kind: Other");

        assertEquals(
                Reason.ExtensionNotApplicable,
                onlyProblem(extension("provisioning: {kubeletConfiguration: {failSwapOn: false}}"))
                        .reason());
    }

    // Languages and credentials

    @Test
    void eachExtensionHasItsOwnLanguage() {
        RenderedConfig rendered = render(
                extension(SHARED, "go", 1, "templateEngine: go", file("/a", "{{ .KubeVersion }}")),
                extension(SHARED, "handlebars", 2, "templateEngine: handlebars", file("/b", "{{KubeVersion}}")),
                extension(SHARED, "plain", 3, "", file("/c", "{{ .KubeVersion }} {{KubeVersion}} {{{x}}}")));

        assertEquals("v1.33.2", text(rendered, "/a"));
        assertEquals("v1.33.2", text(rendered, "/b"));
        assertEquals("{{ .KubeVersion }} {{KubeVersion}} {{{x}}}", text(rendered, "/c"));
    }

    @Test
    void credentialsAreOnlyInTheSecrets() {
        RenderedConfig rendered =
                render(extension(SHARED, "site", 500, "templateEngine: go", file("/etc/site", "{{ .Token }}")));

        assertEquals("fetch-secret", revealed(rendered, "/etc/site"));
        assertFalse(rendered.stored().spec().toString().contains("fetch-secret"));
    }

    @Test
    void anEditActsOnBothVariants() {
        RenderedConfig rendered = render(
                extension(
                        "bootstrap: {files: [{path: /opt/bin/bootstrap, operation: Edit, edits: [{find: curl, replace: wget}]}]}"));

        assertTrue(revealed(rendered, "/opt/bin/bootstrap").startsWith("wget -H 'Authorization: Bearer fetch-secret"));
        assertTrue(text(rendered, "/opt/bin/bootstrap").startsWith("wget"));
        assertFalse(text(rendered, "/opt/bin/bootstrap").contains("fetch-secret"));
    }

    @Test
    void aTemplateErrorNamesTheExtensionAndItsField() {
        ProfileExtension broken =
                extension(SHARED, "site", 500, "templateEngine: go", file("/etc/x", "one\\ntwo\\n      {{ end }}"));
        Problem mistake = onlyProblem(broken);

        assertEquals(Reason.TemplateSyntaxError, mistake.reason());
        assertEquals(
                new ProblemObject(ProblemObject.Cluster.MANAGEMENT, ProfileExtension.KIND, SHARED, "site"),
                mistake.object());
        assertEquals("spec.provisioning.files[0] (/etc/x)", mistake.field());
        assertEquals(3, mistake.position().line());
    }

    // Selection, version and hash

    @Test
    void policiesAndTheAnnotationDecide() {
        ProfileExtension enforced = extension("policy: Enforced", "ca");
        ProfileExtension standard = extension("policy: Default", "ntp");
        ProfileExtension optional = extension("policy: Optional", "gpu");

        assertEquals(List.of("ca", "ntp"), selected(enforced, standard, optional));
        annotations.put(ProfileExtension.CHOICE, "gpu, -ntp, -nothing");
        assertEquals(List.of("ca", "gpu"), selected(enforced, standard, optional));
        annotations.put(ProfileExtension.CHOICE, "-ca");
        Problem warning = select(enforced, standard).warnings().getFirst();
        assertEquals(Reason.ExtensionEnforced, warning.reason());
        assertEquals("remove -ca from the annotation", warning.fix());
        assertEquals(List.of("ca", "ntp"), selected(enforced, standard));
    }

    @Test
    void anUnknownNameIsRefusedWithASuggestion() {
        annotations.put(ProfileExtension.CHOICE, "gpu-drivr");
        TenantMistake refused =
                assertThrows(TenantMistake.class, () -> select(extension("policy: Optional", "gpu-driver")));

        assertEquals(Reason.ExtensionNotFound, refused.findings().getFirst().reason());
        assertEquals(
                "did you mean \"gpu-driver\"?", refused.findings().getFirst().fix());
    }

    @Test
    void theTargetNamesProfilesSystemsAndProviders() {
        ProfileExtension extension = read(
                SHARED,
                "x",
                "target: {profiles: [osp-ubuntu], operatingSystems: [ubuntu], cloudProviders: [aws]}, "
                        + "policy: Default, provisioning: {}");

        assertEquals(List.of("x"), selected(extension));
        assertEquals(List.of(), names(candidates(extension).select("mine", "ubuntu", machineDeployment())));
        assertEquals(List.of(), names(candidates(extension).select("osp-ubuntu", "debian", machineDeployment())));
        ProfileExtension elsewhere = read(
                SHARED,
                "x",
                "target: {operatingSystems: [ubuntu], cloudProviders: [gce]}, " + "policy: Default, provisioning: {}");
        assertEquals(List.of(), selected(elsewhere));
    }

    @Test
    void tenantsAreSelectedByLabels() {
        ProfileExtension.Target target = read(
                        SHARED,
                        "x",
                        "target: {operatingSystems: [ubuntu], tenants: {matchLabels: {dc: fra-1}, "
                                + "matchExpressions: [{key: tier, operator: NotIn, values: [test]}, {key: old, operator: DoesNotExist}]}}, "
                                + "policy: Default, provisioning: {}")
                .spec()
                .target();

        assertTrue(target.includesTenant(Map.of("dc", "fra-1")));
        assertTrue(target.includesTenant(Map.of("dc", "fra-1", "tier", "prod")));
        assertFalse(target.includesTenant(Map.of("dc", "fra-2")));
        assertFalse(target.includesTenant(Map.of("dc", "fra-1", "tier", "test")));
        assertFalse(target.includesTenant(Map.of("dc", "fra-1", "old", "")));
    }

    @Test
    void versionAndHashTellExtensionsApart() {
        RenderInput.Profile base = profile(List.of());
        RenderInput.Profile extended = profile(List.of(compiled(extension(add("/a")))));
        RenderInput.Profile changed = profile(List.of(compiled(extension(add("/b")))));

        assertEquals("v1.11.2", base.version());
        assertEquals(base.compiled().contentHash(), base.contentHash());
        assertEquals("v1.11.2+ext." + extended.contentHash().substring(0, 8), extended.version());
        assertFalse(extended.version().equals(changed.version()));
        assertEquals(extended.version(), render(extension(add("/a"))).stamps().profileVersion());
    }

    @Test
    void anotherVersionOfTheProfileIsAnotherComposedVersion() {
        String before = render(extension(add("/a"))).stamps().profileVersion();
        profileText = OSM_PROFILE.replace("v1.11.2", "v1.11.3+site");
        String after = render(extension(add("/a"))).stamps().profileVersion();

        assertTrue(before.startsWith("v1.11.2+ext."), before);
        assertTrue(after.startsWith("v1.11.3+site.ext."), after);
        assertEquals("v1.11.2", AppliedExtensions.baseVersion(before));
        assertEquals("v1.11.3+site", AppliedExtensions.baseVersion(after));
        assertEquals("v1.11.3+site", AppliedExtensions.baseVersion("v1.11.3+site"));
        assertFalse(after.endsWith(before.substring("v1.11.2+ext.".length())), after);
    }

    @Test
    void theContentIsDescribedInNumbers() {
        ProfileExtension all = read(
                SHARED,
                "x",
                "target: {operatingSystems: [ubuntu]}, policy: Default, provisioning: {files: [{path: /a, content: x}],"
                        + " beforeCommands: [one], afterCommands: [two], kubeletConfiguration: {maxPods: 5}}");

        assertEquals(
                "1 file change, 2 commands, kubelet configuration",
                compiled(all).describeContent());
        assertEquals("1 file change", compiled(extension(add("/a"))).describeContent());
        assertEquals("no change", compiled(extension("policy: Optional", "y")).describeContent());
    }

    @Test
    void targetAndPolicyDoNotCountInTheHash() {
        String content = ", provisioning: {files: [{path: /a, content: x}]}";
        ProfileExtension one = read(SHARED, "x", "target: {operatingSystems: [ubuntu]}, policy: Default" + content);
        ProfileExtension other = read(SHARED, "x", "target: {operatingSystems: [debian]}, policy: Enforced" + content);

        assertEquals(one.contentHash(), other.contentHash());
        assertFalse(one.contentHash().equals(extension(add("/b")).contentHash()));
    }

    @Test
    void theStatusNamesExtensionsWithTheirPaths() {
        ProfileExtension extension = extension(
                "provisioning: {beforeCommands: [echo x], kubeletConfiguration: {failSwapOn: false}, files: [{path: /etc/motd, operation: Append, content: x}]}");
        RenderedConfig rendered = render(extension);

        assertEquals(
                List.of("/etc/kubernetes/kubelet.conf", "/etc/motd", "/opt/osm/extensions/before/S0500-site"),
                rendered.extensions(profile(List.of(compiled(extension))))
                        .getFirst()
                        .paths());
    }

    @Test
    void theStatusNamesOptionalChangesThatDidNothing() {
        ProfileExtension extension = extension(
                "provisioning: {files: [{path: /etc/none, operation: Remove, optional: true}, {path: /etc/motd, operation: Edit, optional: true, edits: [{find: no such text, replace: x}, {find: ello, replace: x}]}]}");

        assertEquals(
                List.of("spec.provisioning.files[0]", "spec.provisioning.files[1].edits[0]"),
                render(extension)
                        .extensions(profile(List.of(compiled(extension))))
                        .getFirst()
                        .skipped());
    }

    @Test
    void anUnreadableFileNamesTheExtensionThatChangedIt() {
        ProfileExtension extension =
                extension("provisioning: {kubeletConfiguration: {evictionHard: {memory.available: [wrong]}}}");
        RenderInput input = input(List.of(extension), "ubuntu");
        RenderedConfig rendered = render(extension);

        Problem problem = new NodeContentCheck()
                .check(input, rendered, UserDataDocuments.createUnchecked(input, rendered))
                .getFirst();

        assertEquals(Reason.UserDataUnreadable, problem.reason());
        assertTrue(problem.fix().endsWith("correct OperatingSystemProfileExtension osm-profiles/site"), problem.fix());
        assertEquals("", problem.command().text());
    }

    @Test
    void tooLargeUserDataNamesTheExtensionOfTheLargestFile() {
        ProfileExtension extension =
                extension(file("/etc/site", incompressible(40_000)).replace("provisioning", "bootstrap"));
        RenderInput input = input(List.of(extension), "ubuntu");
        RenderedConfig rendered = render(extension);
        TenantMistake refused =
                assertThrows(TenantMistake.class, () -> UserDataDocuments.createDocuments(input, rendered));

        Problem problem = refused.findings().getFirst();
        assertEquals(Reason.UserDataTooLarge, problem.reason());
        assertTrue(
                problem.cause()
                        .contains(
                                "largest: OperatingSystemProfileExtension osm-profiles/site, spec.bootstrap.files[0]"),
                problem.cause());
        assertEquals("move it to spec.provisioning", problem.fix());
    }

    // Notation

    private static String append(String text) {
        return "files: [{path: /etc/motd, operation: Append, content: " + text + "}]";
    }

    private static String add(String path) {
        return "provisioning: {files: [{path: " + path + ", content: x}]}";
    }

    private static String incompressible(int length) {
        return new Random(1)
                .ints(length, 'a', 'z' + 1)
                .mapToObj(letter -> String.valueOf((char) letter))
                .collect(Collectors.joining());
    }

    private static String file(String path, String content) {
        return "provisioning: {files: [{path: " + path + ", content: \"" + content + "\"}]}";
    }

    private static ProfileExtension edit(String edit, String option) {
        return extension("provisioning: {files: [{path: /opt/bin/setup, operation: Edit, edits: [{" + edit + "}]"
                + option + "}]}");
    }

    private static ProfileExtension extension(String content) {
        return extension(SHARED, "site", 500, content);
    }

    private static ProfileExtension extension(String policy, String name) {
        return read(SHARED, name, "target: {operatingSystems: [ubuntu]}, " + policy + ", provisioning: {}");
    }

    private static ProfileExtension extension(String namespace, String name, int order, String... content) {
        String lines = Stream.concat(
                        Stream.of(
                                "target: {operatingSystems: [ubuntu, flatcar]}", "policy: Default", "order: " + order),
                        Arrays.stream(content)
                                .flatMap(text -> text.startsWith("order") || text.startsWith("templateEngine: jinja")
                                        ? Arrays.stream(text.split(", ", 2))
                                        : Stream.of(text)))
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n"));
        return parse(namespace, name, "spec:\n" + lines.indent(2));
    }

    private static ProfileExtension read(String namespace, String name, String spec) {
        return parse(namespace, name, "spec: {" + spec + "}\n");
    }

    private static ProfileExtension parse(String namespace, String name, String spec) {
        return ProfileExtension.read(SourceDocument.json(YamlDocumentReader.read(
                        name,
                        "apiVersion: osmhub.io/v1alpha1\nkind: OperatingSystemProfileExtension\nmetadata: {name: "
                                + name + ", namespace: " + namespace + "}\n" + spec,
                        Reason.ExtensionInvalid)
                .getFirst()
                .root()));
    }

    private static CompiledExtension compiled(ProfileExtension extension) {
        return CompiledExtension.compile(extension, new TemplateEngines());
    }

    private static Candidates candidates(ProfileExtension... extensions) {
        return new Candidates(
                SHARED, Stream.of(extensions).map(ExtensionsTest::compiled).toList());
    }

    private MachineDeployment machineDeployment() {
        return machineDeployment("ubuntu");
    }

    private MachineDeployment machineDeployment(String operatingSystem) {
        return MachineDeployment.of(
                "kube-system",
                "workers",
                annotations,
                "1.33.2",
                "{\"cloudProvider\":\"aws\",\"cloudProviderSpec\":{},\"operatingSystem\":\"" + operatingSystem
                        + "\",\"operatingSystemSpec\":{}}");
    }

    private AppliedExtensions select(ProfileExtension... extensions) {
        return candidates(extensions).select("osp-ubuntu", "ubuntu", machineDeployment());
    }

    private List<String> selected(ProfileExtension... extensions) {
        return names(select(extensions));
    }

    private static List<String> names(AppliedExtensions applied) {
        return applied.extensions().stream()
                .map(extension -> extension.extension().name())
                .toList();
    }

    private RenderInput.Profile profile(List<CompiledExtension> extensions) {
        OperatingSystemProfile.Spec spec = ProfileReader.stored()
                .read(new SourceDocument(
                        ProblemObject.input("profile"),
                        YamlDocumentReader.read("profile", profileText, Reason.ProfileFileInvalid)
                                .getFirst()
                                .root()))
                .spec();
        CompiledProfile compiled = new CompiledProfileCache(new TemplateEngines(), 1).getOrCompile(spec);
        return new RenderInput.Profile(SHARED, "osp-ubuntu", compiled)
                .with(new AppliedExtensions(SHARED, extensions, List.of(), Map.of()));
    }

    private RenderedConfig render(ProfileExtension... extensions) {
        return render(new String[] {"ubuntu"}, extensions);
    }

    private RenderedConfig render(String[] operatingSystem, ProfileExtension... extensions) {
        return new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, System::nanoTime)::open)
                .render(input(List.of(extensions), operatingSystem[0]));
    }

    private RenderInput input(List<ProfileExtension> extensions, String operatingSystem) {
        RenderInput sample = SampleContext.withToken("fetch-secret").input();
        AppliedExtensions applied = candidates(extensions.toArray(ProfileExtension[]::new))
                .select("osp-ubuntu", operatingSystem, machineDeployment());
        return new RenderInput(
                sample.tenantNamespace(),
                machineDeployment(operatingSystem),
                profile(List.of()).with(applied),
                sample.settings(),
                sample.access(),
                sample.resolved());
    }

    private Problem onlyProblem(ProfileExtension... extensions) {
        TenantMistake refused = assertThrows(TenantMistake.class, () -> render(extensions));
        assertEquals(1, refused.findings().size(), () -> refused.findings().toString());
        return refused.findings().getFirst();
    }

    private static Stream<OperatingSystemConfig.File> files(OperatingSystemConfig.Spec spec) {
        return Stream.of(spec.bootstrapConfig(), spec.provisioningConfig()).flatMap(config -> config.files().stream());
    }

    private static List<String> paths(RenderedConfig rendered) {
        return files(rendered.stored().spec())
                .map(OperatingSystemConfig.File::path)
                .toList();
    }

    private static OperatingSystemConfig.File file(RenderedConfig rendered, String path) {
        return files(rendered.stored().spec())
                .filter(file -> file.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static String text(RenderedConfig rendered, String path) {
        return file(rendered, path).data();
    }

    private static String revealed(RenderedConfig rendered, String path) {
        return files(rendered.revealed())
                .filter(file -> file.path().equals(path))
                .findFirst()
                .orElseThrow()
                .data();
    }
}

package io.osmhub.core.osp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileReaderTest {
    private static final String PROFILE = """
            apiVersion: operatingsystemmanager.k8c.io/v1alpha1
            kind: OperatingSystemProfile
            metadata: {name: p, namespace: ns}
            spec:
              osName: ubuntu
              osVersion: "24.04"
              version: any-prefix-v1.0.0
              supportedCloudProviders: [{name: aws, spec: {a: 1}}]
              bootstrapConfig:
                templates: {s: text}
                supportedContainerRuntimes: [{name: containerd, files: [], templates: {s: other}}]
                files:
                - {path: /a, permissions: 755, content: {inline: {data: x, encoding: b64}}}
                - {path: /b, content: {}}
                units: [{name: u.service, enable: false, content: "", dropIns: [{name: d.conf, content: z}]}]
                modules: {yum_repos: {r: {}}, rh_subscription: {a: b}}
              provisioningConfig: {}
            """;

    private static SourceDocument document(String yaml) {
        return YamlDocumentReader.read("osp.yaml", yaml, Reason.SettingsInvalid).getFirst();
    }

    @Test
    void readsAllThatAProfileSays() {
        OperatingSystemProfile profile = ProfileReader.strict().read(document(PROFILE));

        assertThat(profile.namespace() + "/" + profile.name()).isEqualTo("ns/p");
        OperatingSystemProfile.Spec spec = profile.spec();
        assertThat(spec.supportedCloudProviders()).containsExactly("aws");
        assertThat(spec.templateEngine()).isEqualTo(TemplateLanguage.GO);
        assertThat(spec.provisioningUtility()).isEmpty();
        OperatingSystemProfile.Config bootstrap = spec.bootstrapConfig();
        assertThat(bootstrap.files())
                .containsExactly(
                        new OperatingSystemProfile.File("/a", 755, new OperatingSystemProfile.Inline("x", "b64")),
                        new OperatingSystemProfile.File("/b", 0, null));
        assertThat(bootstrap.units().getFirst().enable()).isFalse();
        assertThat(bootstrap.units().getFirst().mask()).isNull();
        assertThat(bootstrap.units().getFirst().content()).isEmpty();
        assertThat(spec.provisioningConfig().modules()).isNull();
    }

    @Test
    void annotationsStandForTheHubsFieldsWhereTheSpecDoesNotHaveThem() {
        String annotated = """
                {metadata: {name: p, annotations: {osmhub.io/template-engine: handlebars,
                  osmhub.io/supported-kubernetes-versions: ">=1.31.0", osmhub.io/supported-node-fetch: "SharedToken,ScopedToken"}},
                 spec: SPEC}
                """;

        OperatingSystemProfile.Spec pruned = ProfileReader.stored()
                .read(document(annotated.replace("SPEC", "{}")))
                .spec();
        OperatingSystemProfile.Spec own = ProfileReader.stored()
                .read(document(annotated.replace("SPEC", "{templateEngine: go, supportedNodeFetch: [SharedToken]}")))
                .spec();

        assertThat(pruned.templateEngine()).isEqualTo(TemplateLanguage.HANDLEBARS);
        assertThat(pruned.supportedKubernetesVersions()).isEqualTo(">=1.31.0");
        assertThat(pruned.supportedNodeFetch())
                .containsExactly(NodeFetchMethod.SHARED_TOKEN, NodeFetchMethod.SCOPED_TOKEN);
        assertThat(own.templateEngine()).isEqualTo(TemplateLanguage.GO);
        assertThat(own.supportedNodeFetch()).containsExactly(NodeFetchMethod.SHARED_TOKEN);
    }

    /** OSM replaces the spec of a default profile and keeps the hub's metadata. */
    private static OperatingSystemProfile.Spec defaultWith(String engine, String template) {
        String stored = """
                {metadata: {name: p, annotations: {ENGINEosmhub.io/supported-kubernetes-versions: ">=1.31.0",
                  osmhub.io/supported-node-fetch: "ScopedToken", osmhub.io/installed-hash: "0f"}},
                 spec: {osName: ubuntu, osVersion: "24", version: v1, supportedCloudProviders: [],
                  bootstrapConfig: {files: [{path: /a, content: {inline: {data: "TEMPLATE"}}}]}, provisioningConfig: {}}}
                """.replace("ENGINE", engine).replace("TEMPLATE", template);
        return ProfileReader.stored().read(document(stored)).spec();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a {{ .SecretName }}",
                "{{- if eq .OperatingSystem `x` }}{{ end }}",
                "{{range .DNS}}x{{end}}",
                "{{/* all */}}{{ template `safe_download` }}",
                "a -}} {{ $x := 1 }}",
                "{{ \\\"a\\\" }}"
            })
    void annotationsOfADefaultProfileDoNotCountForTheSpecOfOsm(String template) {
        for (String engine : List.of("osmhub.io/template-engine: handlebars, ", "")) {
            OperatingSystemProfile.Spec spec = defaultWith(engine, template);

            assertThat(spec.templateEngine()).isEqualTo(TemplateLanguage.GO);
            assertThat(spec.supportedKubernetesVersions()).isNull();
            assertThat(spec.supportedNodeFetch()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{#if a}}{{ .b }}{{/if}}", "{{~#each a}}x{{/each}}", "{{^a}}{{/a}}", "{{a}}", "text"})
    void annotationsOfAnEditedDefaultProfileCount(String template) {
        OperatingSystemProfile.Spec spec = defaultWith("osmhub.io/template-engine: handlebars, ", template);

        assertThat(spec.templateEngine()).isEqualTo(TemplateLanguage.HANDLEBARS);
        assertThat(spec.supportedKubernetesVersions()).isEqualTo(">=1.31.0");
        assertThat(spec.supportedNodeFetch()).containsExactly(NodeFetchMethod.SCOPED_TOKEN);
    }

    @Test
    void annotationsOfADefaultProfileThatWasRewrittenInGoCount() {
        OperatingSystemProfile.Spec spec = defaultWith("osmhub.io/template-engine: go, ", "a {{ .SecretName }}");

        assertThat(spec.supportedNodeFetch()).containsExactly(NodeFetchMethod.SCOPED_TOKEN);
    }

    @Test
    void aWrongAnnotationIsAMistakeWithItsName() {
        assertThatThrownBy(
                        () -> ProfileReader.stored()
                                .read(
                                        document(
                                                "{metadata: {name: p, annotations: {osmhub.io/supported-node-fetch: Other}}, spec: {}}")))
                .hasMessageContaining("osmhub.io/supported-node-fetch")
                .hasMessageContaining("write SharedToken, ScopedToken, or both");
    }

    @Test
    void aStoredProfileMayLackFieldsAndHaveOthers() {
        OperatingSystemProfile profile = ProfileReader.stored()
                .read(document("{metadata: {name: p}, spec: {future: 1, version: nothing}, more: 2}"));

        assertThat(profile.spec().osName()).isEmpty();
        assertThat(profile.spec().version()).isEqualTo("nothing");
        assertThat(profile.spec().bootstrapConfig().files()).isEmpty();
    }

    @Test
    void aFileOfPeopleIsReadStrictlyAndWithAllItsMistakes() {
        String broken = PROFILE.replace("any-prefix-v1.0.0", "1.0")
                .replace("osName: ubuntu", "osname: ubuntu")
                .replace("permissions: 755", "permissions: '0755'")
                .replace("inline: {data: x, ", "inline: {date: x, ");

        assertThatThrownBy(() -> ProfileReader.strict().read(document(broken)))
                .hasMessageContaining("spec.version")
                .hasMessageContaining("spec.osName")
                .hasMessageContaining("did you mean \"osName\"?")
                .hasMessageContaining("spec.bootstrapConfig.files[0].permissions")
                .hasMessageContaining("spec.bootstrapConfig.files[0].content.inline.date");
    }

    private static OperatingSystemProfile.Spec fetching(String ways) {
        return ProfileReader.strict()
                .read(document(PROFILE.replace("osName:", "supportedNodeFetch: " + ways + "\n  osName:")))
                .spec();
    }

    @Test
    void aProfileThatSaysNothingOfFetchingSupportsTheSharedToken() {
        OperatingSystemProfile.Spec silent =
                ProfileReader.strict().read(document(PROFILE)).spec();

        assertThat(NodeFetchMethod.values()).filteredOn(silent::supports).containsExactly(NodeFetchMethod.SHARED_TOKEN);
        assertThat(NodeFetchMethod.values())
                .filteredOn(fetching("[ScopedToken]")::supports)
                .containsExactly(NodeFetchMethod.SCOPED_TOKEN);
        assertThat(NodeFetchMethod.values())
                .filteredOn(fetching("[ScopedToken, SharedToken]")::supports)
                .containsExactlyInAnyOrder(NodeFetchMethod.values());
    }

    @Test
    void waysOfFetchingAreKnown() {
        assertThatThrownBy(() -> fetching("[SharedToken, ScopeToken]"))
                .hasMessageContaining("spec.supportedNodeFetch[1]")
                .hasMessageContaining("\"ScopeToken\" is unknown")
                .hasMessageContaining("did you mean ScopedToken?");
    }

    @Test
    void aProfileThatSaysNothingOfFetchingHasTheHashThatItAlwaysHad() {
        // Computed before profiles could say it: published objects carry it.
        assertThat(hash(PROFILE)).isEqualTo("90892dcd0f9466b93c97c6aaa6f591a581324ddc0f4cc974b8b7ac82fe8484cf");
        assertThat(ProfileContentHash.of(fetching("[ScopedToken]"))).isNotEqualTo(hash(PROFILE));
    }

    @Test
    void equalContentHasOneHashWhateverItsName() {
        String hash = hash(PROFILE);

        assertThat(hash(PROFILE.replace("name: p,", "name: q,"))).isEqualTo(hash);
        assertThat(hash(PROFILE.replace("text", "Text"))).isNotEqualTo(hash);
        assertThat(hash(PROFILE.replace(", content: \"\"", ""))).isNotEqualTo(hash);
        assertThat(hash(PROFILE.replace("enable: false, ", ""))).isNotEqualTo(hash);
        assertThat(hash(PROFILE.replace("yum_repos: {r: {}}, ", "yum_repos: {r: {}, s: {}}, ")))
                .as("the rendered configuration has the empty repository too")
                .isNotEqualTo(hash);
    }

    private static String hash(String yaml) {
        return ProfileContentHash.of(ProfileReader.stored().read(document(yaml)).spec());
    }
}

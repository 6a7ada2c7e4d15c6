package io.osmhub.api.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.tenancy.admission.AdmissionView.AdmittedTenant;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MachineDeploymentRuleTest {
    private static final String PROFILE = "k8c.io/operating-system-profile";
    private static final String PATH = "/metadata/annotations/k8c.io~1operating-system-profile";

    private static AdmissionResponse peer(AdmissionRequest review) {
        return new MachineDeploymentRule(null).review(review);
    }

    private static ObjectNode annotated(ObjectNode machineDeployment, String profile) {
        machineDeployment.withObject("/metadata/annotations").put(PROFILE, profile);
        return machineDeployment;
    }

    private static JsonNode onlyChange(AdmissionResponse answer) {
        assertThat(answer.allowed()).isTrue();
        assertThat(answer.patch()).isNotNull().hasSize(1);
        return answer.patch().get(0);
    }

    @Test
    void aDeletionIsAllowedInThePeersWords() {
        AdmissionResponse answer = peer(Reviews.of("DELETE", null, Reviews.machineDeployment()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.message())
                .isEqualTo("machinedeployment mutation request " + Reviews.UID
                        + " allowed; mutation is not required for delete request");
    }

    @Test
    void anotherOperationIsRefusedInThePeersWords() {
        AdmissionResponse answer = peer(Reviews.of("CONNECT", null, null));

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo("CONNECT not supported on machinedeployment resources");
    }

    @Test
    void whatIsNoMachineDeploymentIsRefused() {
        AdmissionResponse answer = peer(Reviews.create(Reviews.json("{'metadata':{'name':['x']}}")));

        assertThat(answer.allowed()).isFalse();
        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.message()).startsWith("error occurred while decoding reqquest: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ubuntu", "flatcar", "amzn2", "rockylinux", "rhel"})
    void withoutAProfileItGetsTheOneOfItsSystem(String system) {
        JsonNode change = onlyChange(peer(Reviews.create(Reviews.machineDeployment("aws", system, "{}"))));

        assertThat(change.path("op").asText()).isEqualTo("add");
        assertThat(change.path("path").asText()).isEqualTo("/metadata/annotations");
        assertThat(change.path("value")).isEqualTo(Reviews.json("{'" + PROFILE + "':'osp-" + system + "'}"));
    }

    @Test
    void besideOtherAnnotationsOnlyOneIsAdded() {
        ObjectNode machineDeployment = Reviews.machineDeployment();
        machineDeployment.withObject("/metadata/annotations").put("team", "a");

        JsonNode change = onlyChange(peer(Reviews.create(machineDeployment)));

        assertThat(change.path("path").asText()).isEqualTo(PATH);
        assertThat(change.path("value").asText()).isEqualTo("osp-ubuntu");
    }

    @Test
    void anEmptyProfileIsNone() {
        assertThat(onlyChange(peer(Reviews.create(annotated(Reviews.machineDeployment(), ""))))
                        .path("value")
                        .asText())
                .isEqualTo("osp-ubuntu");
    }

    @Test
    void aNamedProfileStays() {
        AdmissionResponse answer = peer(Reviews.create(annotated(Reviews.machineDeployment(), "mine")));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.patch()).isNull();
        assertThat(answer.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"anexia,cloud-init,osp-flatcar-cloud-init", "anexia,ignition,osp-flatcar", "aws,cloud-init,osp-flatcar"
    })
    void flatcarAtAnexiaWithCloudInitHasAProfileOfItsOwn(String provider, String utility, String profile) {
        ObjectNode machineDeployment =
                Reviews.machineDeployment(provider, "flatcar", "{'provisioningUtility':'" + utility + "'}");

        assertThat(onlyChange(peer(Reviews.create(machineDeployment)))
                        .path("value")
                        .path(PROFILE)
                        .asText())
                .isEqualTo(profile);
    }

    @Test
    void aMissingProviderConfigIsTheAuthorsMistake() {
        ObjectNode machineDeployment = annotated(Reviews.machineDeployment(), "mine");
        ((ObjectNode) machineDeployment.at("/spec/template/spec/providerSpec")).remove("value");

        AdmissionResponse answer = peer(Reviews.create(machineDeployment));

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.message())
                .isEqualTo("error occurred while mutating machinedeployment: failed to read"
                        + " MachineDeployment.Spec.Template.Spec.ProviderSpec: machine.spec.providerSpec.value is nil");
    }

    @Test
    void anUnknownFieldIsRefusedAlsoWithAProfile() {
        ObjectNode machineDeployment = annotated(Reviews.machineDeployment(), "mine");
        ((ObjectNode) machineDeployment.at("/spec/template/spec/providerSpec/value")).put("cloudProvder", "aws");

        AdmissionResponse answer = peer(Reviews.create(machineDeployment));

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.message())
                .startsWith(
                        "error occurred while mutating machinedeployment: failed to read"
                                + " MachineDeployment.Spec.Template.Spec.ProviderSpec: "
                                + "spec.template.spec.providerSpec.value.cloudProvder: unknown field; did you mean cloudProvider?");
    }

    @Test
    void anUnknownSystemIsTheAuthorsMistake() {
        AdmissionResponse answer = peer(Reviews.create(Reviews.machineDeployment("aws", "plan9", "{}")));

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.message())
                .isEqualTo("error occurred while mutating machinedeployment: failed to populate OSP annotation for"
                        + " machinedeployment with unsupported Operating System plan9");
    }

    @Test
    void anObjectThatIsBeingDeletedPassesWhateverItSays() {
        ObjectNode machineDeployment = Reviews.machineDeployment("aws", "plan9", "[]");
        machineDeployment.withObject("/metadata").put("deletionTimestamp", "2026-03-01T10:00:00Z");

        assertThat(peer(Reviews.update(machineDeployment, Reviews.machineDeployment()))
                        .allowed())
                .isTrue();
    }

    @Test
    void aChangeBesideWhatIsWrongPasses() {
        ObjectNode wrong = annotated(Reviews.machineDeployment("aws", "plan9", "[]"), "mine");
        ((ObjectNode) wrong.at("/spec/template/spec/providerSpec/value")).put("unknown", 1);
        ObjectNode scaled = wrong.deepCopy();
        ((ObjectNode) scaled.path("spec")).put("replicas", 7);
        scaled.withObject("/metadata/annotations").put("team", "b");

        AdmissionResponse answer = peer(Reviews.update(scaled, wrong));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.patch()).isNull();
    }

    @Test
    void oneThatWasStoredWithoutAProfileGetsItWithAnyChange() {
        ObjectNode scaled = Reviews.machineDeployment();
        ((ObjectNode) scaled.path("spec")).put("replicas", 7);

        assertThat(onlyChange(peer(Reviews.update(scaled, Reviews.machineDeployment())))
                        .path("value")
                        .path(PROFILE)
                        .asText())
                .isEqualTo("osp-ubuntu");
    }

    @Test
    void aNameThatIsStillToBeMadeIsNoMistake() {
        ObjectNode machineDeployment = Reviews.machineDeployment();
        ((ObjectNode) machineDeployment.path("metadata"))
                .put("generateName", "workers-")
                .remove("name");

        assertThat(peer(Reviews.create(machineDeployment)).allowed()).isTrue();
    }

    @Nested
    class OfATenant {
        private final CompiledProfileCache compiled = new CompiledProfileCache(new TemplateEngines(), 4);
        private @Nullable Problem refused;

        private final ProfileCatalog catalog = machineDeployment -> {
            if (refused != null) {
                return LookupResult.missing(refused);
            }
            if (!machineDeployment.profileName().equals("osp-x")) {
                return LookupResult.missing(
                        new Problem(Reason.ProfileNotFound, machineDeployment.describe(), "", "no such profile", ""));
            }
            ObjectNode profile = Reviews.profile("ubuntu", "v1.0.0", "text");
            ((ObjectNode) profile.path("spec")).put("supportedKubernetesVersions", ">=1.33.0");
            CompiledExtension extension = CompiledExtension.compile(
                    ProfileExtension.read(Reviews.extension("osm-profiles", "hello")), new TemplateEngines());
            return LookupResult.lookup(() -> new RenderInput.Profile(
                            "tenant-a",
                            "osp-x",
                            compiled.getOrCompile(ProfileReader.stored()
                                    .read(SourceDocument.of(ProblemObject.input("osp"), profile))
                                    .spec()))
                    .with(new AppliedExtensions.Candidates("osm-profiles", List.of(extension))
                            .select("osp-x", "ubuntu", machineDeployment)));
        };

        private AdmissionResponse answer(AdmissionRequest review, ObjectKey... others) {
            return new MachineDeploymentRule(Reviews.tenant(catalog, Map.of("ubuntu", "osp-x"), others)).review(review);
        }

        @Test
        void theConfiguredProfileIsNamed() {
            assertThat(onlyChange(answer(Reviews.create(Reviews.machineDeployment())))
                            .path("value")
                            .path(PROFILE)
                            .asText())
                    .isEqualTo("osp-x");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                hetzner | ubuntu  | 1.34.2 | aws, gce
                aws     | flatcar | 1.34.2 | ubuntu
                aws     | ubuntu  | 1.31.0 | >=1.33.0
                aws     | ubuntu  | new    | is not a version
                """)
        void whatTheProfileDoesNotServeIsRefusedWithWhatItDoes(
                String provider, String system, String version, String supported) {
            ObjectNode machineDeployment = annotated(Reviews.machineDeployment(provider, system, "{}"), "osp-x");
            ((ObjectNode) machineDeployment.at("/spec/template/spec/versions")).put("kubelet", version);

            AdmissionResponse answer = answer(Reviews.create(machineDeployment));

            assertThat(answer.allowed()).isFalse();
            assertThat(answer.code()).isEqualTo(403);
            assertThat(answer.reason()).isEqualTo("Forbidden");
            assertThat(answer.message())
                    .startsWith("machinedeployment mutation request " + Reviews.UID + " denied: ")
                    .contains(supported);
        }

        @Test
        void whatWasWrongBeforeIsToldAndNotRefused() {
            ObjectNode before = annotated(Reviews.machineDeployment("hetzner", "ubuntu", "{}"), "osp-x");
            ObjectNode now = before.deepCopy();
            ((ObjectNode) now.at("/spec/template/spec/versions")).put("kubelet", "1.35.0");

            AdmissionResponse answer = answer(Reviews.update(now, before));

            assertThat(answer.allowed()).isTrue();
            assertThat(answer.warnings()).singleElement().asString().contains("hetzner");
        }

        @Test
        void aChangedChoiceOfExtensionsIsCheckedAndNotRefused() {
            ObjectNode before = annotated(Reviews.machineDeployment(), "osp-x");
            ObjectNode unknown = before.deepCopy();
            unknown.withObject("/metadata/annotations").put(ProfileExtension.CHOICE, "corp-y");
            ObjectNode without = before.deepCopy();
            without.withObject("/metadata/annotations").put(ProfileExtension.CHOICE, "-corp-x");

            AdmissionResponse suggestion = answer(Reviews.update(unknown, before));
            AdmissionResponse enforced = answer(Reviews.update(without, before));

            assertThat(suggestion.allowed()).isTrue();
            assertThat(suggestion.warnings()).singleElement().asString().contains("corp-y", "did you mean \"corp-x\"?");
            assertThat(enforced.allowed()).isTrue();
            assertThat(enforced.warnings())
                    .singleElement()
                    .asString()
                    .contains("-corp-x has no effect", "osm-profiles/corp-x is Enforced");
        }

        @Test
        void aMisspeltAnnotationIsAWarning() {
            ObjectNode before = annotated(Reviews.machineDeployment(), "osp-x");
            before.withObject("/metadata/annotations").put("osmhub.io/other-team", "x");
            ObjectNode misspelt = before.deepCopy();
            misspelt.withObject("/metadata/annotations").put("osmhub.io/profile-extension", "-corp-x");

            assertThat(answer(Reviews.create(before)).warnings()).isEmpty();
            assertThat(answer(Reviews.create(misspelt)).warnings())
                    .containsExactly("annotation osmhub.io/profile-extension has no effect;"
                            + " did you mean osmhub.io/profile-extensions?");
            assertThat(answer(Reviews.update(misspelt, before)).warnings()).hasSize(1);
        }

        @Test
        void anUnknownExtensionDoesNotHideTheProfileOfTheSystem() {
            ObjectNode machineDeployment = Reviews.machineDeployment("aws", "x", "{}");
            machineDeployment.withObject("/metadata/annotations").put(ProfileExtension.CHOICE, "corp-y");

            assertThat(onlyChange(answer(Reviews.create(machineDeployment)))
                            .path("value")
                            .asText())
                    .isEqualTo("osp-x");
        }

        @Test
        void whatWouldKeepItFromBeingPublishedIsAWarning() {
            String tooLarge =
                    "tenant-a: MachineDeployment kube-system/workers: bootstrap user-data has 17912 B, aws takes 16384 B";
            AdmittedTenant tenant = Reviews.tenant(catalog, Map.of("ubuntu", "osp-x"));
            AdmittedTenant trying = new AdmittedTenant(
                    tenant.namespace(),
                    tenant.name(),
                    tenant.uid(),
                    tenant.settings(),
                    tenant.profiles(),
                    tenant.machineDeployments(),
                    machineDeployment ->
                            machineDeployment.profileName().equals("osp-x") ? List.of(tooLarge) : List.of());

            AdmissionResponse answer =
                    new MachineDeploymentRule(trying).review(Reviews.create(Reviews.machineDeployment()));

            assertThat(answer.allowed()).isTrue();
            assertThat(answer.warnings()).containsExactly(tooLarge);
        }

        private static final String KUBELET = "v1.kubelet-config.machine-controller.kubermatic.io/";

        @Test
        void kubeletSettingsWithoutEffectAreWarnings() {
            ObjectNode machineDeployment = annotated(Reviews.machineDeployment(), "osp-x");
            machineDeployment.withObject("/metadata/annotations").put(KUBELET + "maxPods", "60");
            machineDeployment
                    .withObject("/spec/template/metadata/annotations")
                    .put(KUBELET + "KubeReserved", "cpu=200m");
            machineDeployment
                    .withObject("/spec/template/spec/metadata/annotations")
                    .put(KUBELET + "EvictionHard", "memory.available<5%");

            AdmissionResponse answer = answer(Reviews.create(machineDeployment));

            assertThat(answer.allowed()).isTrue();
            assertThat(answer.warnings())
                    .hasSize(3)
                    .anyMatch(warning -> warning.contains("maxPods: is not a kubelet setting; did you mean MaxPods?"))
                    .anyMatch(warning -> warning.contains("KubeReserved: has no effect below spec.template; move it"))
                    .anyMatch(warning -> warning.contains("EvictionHard: has no effect below spec.template; move it"));
        }

        @Test
        void aChangeOfAKubeletSettingAloneIsChecked() {
            ObjectNode before = annotated(Reviews.machineDeployment(), "osp-x");
            ObjectNode now = before.deepCopy();
            now.withObject("/metadata/annotations").put(KUBELET + "ContainerLogMaxFiles", "1");

            AdmissionResponse answer = answer(Reviews.update(now, before));

            assertThat(answer.allowed()).isTrue();
            assertThat(answer.warnings()).singleElement().asString().contains("of at least 2, not \"1\"");
        }

        @Test
        void aNamespaceThatIsNotGrantedIsRefused() {
            refused = new Problem(
                    Reason.ProfileNamespaceNotGranted,
                    ProblemObject.of("MachineDeployment", "x"),
                    "",
                    "b is not granted",
                    "");

            assertThat(answer(Reviews.create(Reviews.machineDeployment())).message())
                    .contains("b is not granted");
        }

        @Test
        void aProfileThatIsNotThereYetIsAWarning() {
            AdmissionResponse answer = answer(Reviews.create(annotated(Reviews.machineDeployment(), "later")));

            assertThat(answer.allowed()).isTrue();
            assertThat(answer.warnings()).singleElement().asString().contains("no such profile");
        }

        @Test
        void aNameThatIsTooLongIsRefusedWhenItIsNew() {
            ObjectNode machineDeployment = annotated(Reviews.machineDeployment(), "osp-x");
            ((ObjectNode) machineDeployment.path("metadata")).put("name", "w".repeat(240));
            ObjectNode changed = machineDeployment.deepCopy();
            ((ObjectNode) changed.at("/spec/template/spec/versions")).put("kubelet", "1.35.0");

            assertThat(answer(Reviews.create(machineDeployment)).message())
                    .contains("are allowed", "replace it by one with a name of at most");
            assertThat(answer(Reviews.update(changed, machineDeployment)).allowed())
                    .isTrue();
        }

        @Test
        void aNameThatCollidesIsAWarning() {
            ObjectNode machineDeployment = annotated(Reviews.machineDeployment(), "osp-x");
            ((ObjectNode) machineDeployment.path("metadata")).put("name", "a-b").put("namespace", "c");

            AdmissionResponse answer = answer(Reviews.create(machineDeployment), new ObjectKey("b-c", "a"));

            assertThat(answer.allowed()).isTrue();
            assertThat(answer.warnings()).singleElement().asString().contains("already belongs to", "b-c/a");
        }
    }
}

package io.osmhub.api.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.admission.AdmissionRoutes.AdmissionRule;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.reconcile.RenderExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileAndConfigRulesTest {
    private final ProfileRenderCheck trials = new ProfileRenderCheck(RenderExecutor.start(1), System::nanoTime);
    private final AdmissionRule profiles = new OperatingSystemProfileRule(trials, true, null);
    private final AdmissionRule configs = new OperatingSystemConfigRule();

    private static ObjectNode good() {
        return Reviews.profile("ubuntu", "v1.0.0", "#!/bin/bash\necho ready\n");
    }

    @Test
    void aGoodProfileIsAllowedInThePeersWords() {
        AdmissionResponse answer = profiles.review(Reviews.create(good()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.message()).isEqualTo("operatingSystemProfile validation request " + Reviews.UID + " allowed");
    }

    @Test
    void aProfileThatBreaksAnExtensionIsAllowedWithAWarning() {
        Problem broken = new Problem(
                Reason.ExtensionNotApplicable,
                ProblemObject.of("OperatingSystemProfileExtension", "osm-profiles/corp-x"),
                "spec.provisioning.files[0]",
                "the profile has no file /opt/a of OperatingSystemProfile tenant-a/osp-x",
                "set optional: true to skip it there");
        AdmissionRule rule =
                new OperatingSystemProfileRule(trials, true, new Reviews.FakeHub(Map.of(), List.of(broken), null));

        AdmissionResponse answer = rule.review(Reviews.create(good()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.warnings()).containsExactly(broken.toString());
    }

    @Test
    void aDeletionIsAlwaysAllowed() {
        assertThat(profiles.review(Reviews.of("DELETE", null, null)).allowed()).isTrue();
        assertThat(configs.review(Reviews.of("DELETE", null, null)).allowed()).isTrue();
    }

    @Test
    void anotherOperationIsRefusedInThePeersWords() {
        assertThat(profiles.review(Reviews.of("CONNECT", null, null)).message())
                .isEqualTo("CONNECT not supported on osp resources");
        assertThat(configs.review(Reviews.of("CONNECT", null, null)).message())
                .isEqualTo("CONNECT not supported on osc resources");
    }

    @Test
    void whatIsNoProfileIsRefused() {
        AdmissionResponse fresh = profiles.review(Reviews.create(Reviews.json("{'spec':{'bootstrapConfig':[]}}")));
        AdmissionResponse changed = profiles.review(Reviews.update(good(), Reviews.json("{'spec':[]}")));

        assertThat(fresh.code()).isEqualTo(400);
        assertThat(fresh.message()).startsWith("error occurred while decoding osp: ");
        assertThat(changed.message()).startsWith("error occurred while decoding old osp: ");
    }

    @ParameterizedTest
    @CsvSource({"ubuntu,bootstrapConfig,false", "rhel,provisioningConfig,false", "flatcar,bootstrapConfig,true"})
    void onlyFlatcarHasUnits(String system, String config, boolean allowed) {
        ObjectNode profile = Reviews.profile(system, "v1.0.0", "text");
        profile.withObject("/spec/" + config).putArray("units").addObject().put("name", "a.service");

        AdmissionResponse answer = new OperatingSystemProfileRule(null, true, null).review(Reviews.create(profile));

        assertThat(answer.allowed()).isEqualTo(allowed);
        if (!allowed) {
            assertThat(answer.code()).isEqualTo(403);
            assertThat(answer.message())
                    .isEqualTo("operatingSystemProfile validation request " + Reviews.UID
                            + " denied: OperatingSystemProfile for " + system + " does not support units");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1.0.1", "v0.9.0"})
    void contentChangesWithAnyOtherVersion(String version) {
        ObjectNode now = Reviews.profile("ubuntu", version, "other");

        assertThat(profiles.review(Reviews.update(now, good())).allowed()).isTrue();
    }

    @Test
    void contentDoesNotChangeUnderOneVersion() {
        AdmissionResponse answer =
                profiles.review(Reviews.update(Reviews.profile("ubuntu", "v1.0.0", "other"), good()));

        assertThat(answer.allowed()).isFalse();
        assertThat(answer.message())
                .isEqualTo("operatingSystemProfile validation request " + Reviews.UID
                        + " denied: OperatingSystemProfile is immutable. For updates .spec.version needs to be"
                        + " updated");
    }

    @Test
    void whatIsEmptyAndWhatIsLeftOutAreOne() {
        ObjectNode spelledOut = good();
        spelledOut.withObject("/spec/bootstrapConfig").putArray("units");
        spelledOut.withObject("/spec/provisioningConfig/templates");

        assertThat(profiles.review(Reviews.update(spelledOut, good())).allowed())
                .isTrue();
    }

    @Test
    void metadataOfAProfileThatIsWrongCanChange() {
        ObjectNode wrong = Reviews.profile("ubuntu", "v1.0.0", "{{ nonsense }}");
        ObjectNode labelled = wrong.deepCopy();
        labelled.withObject("/metadata/labels").put("team", "a");
        ObjectNode ending = Reviews.profile("ubuntu", "v1.0.0", "{{");
        ending.withObject("/metadata").put("deletionTimestamp", "2026-03-01T10:00:00Z");

        assertThat(profiles.review(Reviews.update(labelled, wrong)).allowed()).isTrue();
        assertThat(profiles.review(Reviews.update(ending, wrong)).allowed()).isTrue();
    }

    /** Their template language is an annotation, which a definition without that field keeps. */
    @ParameterizedTest
    @MethodSource("shippedProfiles")
    void aShippedProfileIsAllowed(Path file) throws IOException {
        JsonNode profile = SourceDocument.json(
                YamlDocumentReader.read(file.toString(), Files.readString(file), Reason.SettingsInvalid)
                        .getFirst()
                        .root());

        AdmissionResponse answer = profiles.review(Reviews.create((ObjectNode) profile));

        assertThat(answer.message()).endsWith(" allowed");
    }

    static List<Path> shippedProfiles() throws IOException {
        try (Stream<Path> files = Files.list(
                Path.of(System.getProperty("osmhub.root", "..")).resolve("deploy/packaging/manifests/profiles"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    @Test
    void theTemplateLanguageDoesNotChangeUnderOneVersion() {
        ObjectNode handlebars = good();
        handlebars.withObject("/metadata/annotations").put(ProfileAnnotations.TEMPLATE_ENGINE, "handlebars");

        AdmissionResponse answer = profiles.review(Reviews.update(handlebars, good()));

        assertThat(answer.message()).contains("OperatingSystemProfile is immutable");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        line one\\n{{ .Token | toYamll }}   ~ line 2 ~ toYamll
        {{ if }}                            ~ line 1 ~ if
        {{ if false }}{{ now }}{{ end }}    ~ line 1 ~ function "now" is not supported
        {{ .NoSuchField }}                  ~ line 1 ~ NoSuchField
        {{ fail "on purpose" }}             ~ line 1 ~ on purpose
        {{ template "absent" }}             ~ line 1 ~ absent
        """)
    void aTemplateThatCannotBeRenderedIsRefusedWithItsPlace(String template, String place, String cause) {
        ObjectNode profile = Reviews.profile("ubuntu", "v1.0.0", template.replace("\\n", "\n"));

        AdmissionResponse answer = profiles.review(Reviews.create(profile));

        assertThat(answer.allowed()).isFalse();
        assertThat(answer.code()).isEqualTo(403);
        assertThat(answer.message())
                .contains("spec.bootstrapConfig.files[0] (/opt/a) " + place)
                .contains(cause);
    }

    @Test
    void inPlaceOfThePeerTheSameIsAWarning() {
        AdmissionResponse answer = new OperatingSystemProfileRule(trials, false, null)
                .review(Reviews.create(Reviews.profile("ubuntu", "v1.0.0", "{{ nonsense }}")));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.warnings()).first().asString().contains("nonsense");
    }

    @Test
    void outOfTimeItIsAllowedWithAWarning() {
        AtomicLong now = new AtomicLong();
        ProfileRenderCheck slow = new ProfileRenderCheck(
                RenderExecutor.start(1),
                () -> now.addAndGet(Duration.ofSeconds(30).toNanos()));

        AdmissionResponse answer = new OperatingSystemProfileRule(slow, true, null).review(Reviews.create(good()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.warnings()).first().asString().contains("was not checked");
    }

    @Test
    void aContentIsTriedOnce() {
        OperatingSystemProfile.Spec spec = ProfileReader.stored()
                .read(SourceDocument.of(ProblemObject.input("osp"), good()))
                .spec();

        // On a busy machine a trial may not end in the time that an API server waits, and is made again at the next
        // review.
        while (trials.remembered(spec) == null) {
            profiles.review(Reviews.create(good()));
        }

        assertThat(trials.check(good(), spec, Duration.ZERO)).isSameAs(trials.remembered(spec));
    }

    @Nested
    class Configs {
        private final ObjectNode stored = Reviews.json(
                "{'metadata':{'name':'x'},'spec':{'osName':'ubuntu','cloudProvider':{'name':'aws','spec':{'a':''}}}}");

        @Test
        void aCreationIsAllowedWithoutALook() {
            assertThat(configs.review(Reviews.create(Reviews.json("{}"))).allowed())
                    .isTrue();
        }

        @Test
        void theSpecNeverChanges() {
            ObjectNode changed = stored.deepCopy();
            changed.withObject("/spec").put("osName", "rhel");

            AdmissionResponse answer = configs.review(Reviews.update(changed, stored));

            assertThat(answer.code()).isEqualTo(403);
            assertThat(answer.message())
                    .isEqualTo("operatingSystemConfig validation request " + Reviews.UID
                            + " denied: OperatingSystemConfig is immutable and updates are not allowed");
        }

        @Test
        void theProvidersOwnPartIsComparedAsItIs() {
            ObjectNode changed = stored.deepCopy();
            changed.withObject("/spec/cloudProvider/spec").remove("a");

            assertThat(configs.review(Reviews.update(changed, stored)).allowed())
                    .isFalse();
        }

        @Test
        void metadataMayChange() {
            ObjectNode changed = stored.deepCopy();
            changed.withObject("/metadata/annotations").put("a", "b");
            changed.withObject("/spec").putArray("units");

            assertThat(configs.review(Reviews.update(changed, stored)).allowed())
                    .isTrue();
        }
    }

    @Nested
    class WorkerClusters {
        private final AdmissionRule rule =
                new WorkerClusterAdmissionRule(new Reviews.FakeHub(Map.of()), Reviews.mayGet("k", "old"));

        private ObjectNode workerCluster(String spec) {
            return Reviews.json("{'metadata':{'name':'x','namespace':'t'},'spec':" + spec + "}");
        }

        @Test
        void settingsThatMeanNothingAreRefusedAllAtOnce() {
            AdmissionResponse answer = rule.review(
                    Reviews.create(
                            workerCluster(
                                    "{'kubeconfigSecretRef':{'name':'k'},'provisioning':{'clusterDNS':['10.0.0.300']},'conection':{}}")));

            assertThat(answer.allowed()).isFalse();
            assertThat(answer.message()).contains("clusterDNS", "conection");
        }

        /** What the hub reads for nodes, a user without permission to read Secrets must not choose. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "'proxy':{'httpProxySecretRef':{'name':'admin','key':'kubeconfig'}}",
                    "'hostCA':{'secretKeyRef':{'name':'admin','key':'kubeconfig'}}",
                    "'kubernetesCA':{'secretKeyRef':{'name':'admin','key':'kubeconfig'}}",
                    "'registries':{'credentialsSecretRef':{'name':'admin'}}",
                    "'cloudCredentialsSecretRef':{'name':'admin'}"
                })
        void aReferenceToASecretThatItsAuthorMayNotReadIsRefused(String reference) {
            String proxy = "'kubeconfigSecretRef':{'name':'k'}";
            ObjectNode before = workerCluster("{" + proxy + "}");
            ObjectNode after = workerCluster("{" + proxy + ",'provisioning':{" + reference + "}}");

            AdmissionResponse changed = rule.review(Reviews.update(after, before));
            AdmissionResponse created = rule.review(Reviews.create(after));
            ObjectNode edited = after.deepCopy();
            edited.withObject("/spec").put("paused", true);
            AdmissionResponse unchanged = rule.review(Reviews.update(edited, after));

            assertThat(changed.allowed()).isFalse();
            assertThat(changed.code()).isEqualTo(403);
            assertThat(changed.message()).contains("user jane must not refer to Secret t/admin", "ask for get");
            assertThat(created.allowed()).isFalse();
            assertThat(unchanged.allowed()).isTrue();
        }

        @Test
        void oneThatIsBeingDeletedTakesNoNewReferenceEither() {
            ObjectNode before = workerCluster("{'kubeconfigSecretRef':{'name':'other'},'unknown':1}");
            before.withObject("/metadata").put("deletionTimestamp", "2026-03-01T10:00:00Z");
            ObjectNode after = before.deepCopy();
            after.withObject("/spec/kubeconfigSecretRef").put("name", "admin");
            ObjectNode unfinished = before.deepCopy();
            unfinished.withObject("/metadata").putArray("finalizers");
            ObjectNode shortened = before.deepCopy();
            shortened.withObject("/spec").put("cleanupTimeout", "1m");

            assertThat(rule.review(Reviews.update(after, before)).allowed()).isFalse();
            assertThat(rule.review(Reviews.update(unfinished, before)).allowed())
                    .isTrue();
            assertThat(rule.review(Reviews.update(shortened, before)).allowed()).isTrue();
        }

        @Test
        void anotherKeyOfASecretIsAnotherReference() {
            ObjectNode before = workerCluster("{'kubeconfigSecretRef':{'name':'other'}}");
            ObjectNode after = workerCluster("{'kubeconfigSecretRef':{'name':'other','key':'admin'}}");
            ObjectNode permitted = workerCluster("{'kubeconfigSecretRef':{'name':'k'}}");

            assertThat(rule.review(Reviews.update(after, before)).allowed()).isFalse();
            assertThat(rule.review(Reviews.update(permitted, before)).allowed()).isTrue();
        }

        @Test
        void aNamespaceThatOffersNothingIsAWarning() {
            AdmissionResponse answer = rule.review(Reviews.create(workerCluster(
                    "{'kubeconfigSecretRef':{'name':'k'},'profiles':{'namespaces':['offered','other']}}")));

            assertThat(answer.allowed()).isTrue();
            assertThat(answer.warnings()).singleElement().asString().contains("namespaces[1]", "other");
        }

        @Test
        void whatIsStoredIsNotLookedAtAgain() {
            ObjectNode wrong = workerCluster("{'provisioning':{'clusterDNS':['x']}}");
            ObjectNode labelled = wrong.deepCopy();
            labelled.withObject("/metadata/labels").put("a", "b");

            assertThat(rule.review(Reviews.update(labelled, wrong)).allowed()).isTrue();
        }
    }
}

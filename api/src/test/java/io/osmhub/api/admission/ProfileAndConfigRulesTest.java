package io.osmhub.api.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.workersync.reconcile.RenderThreads;
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
    private final AdmissionTrials trials = new AdmissionTrials(RenderThreads.start(1), System::nanoTime);
    private final AdmissionRule profiles = new OperatingSystemProfileRule(trials, true);
    private final AdmissionRule configs = new OperatingSystemConfigRule();

    private static ObjectNode good() {
        return Reviews.profile("ubuntu", "v1.0.0", "#!/bin/bash\necho ready\n");
    }

    @Test
    void aGoodProfileIsAllowedInThePeersWords() {
        Answer answer = profiles.answer(Reviews.create(good()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.message()).isEqualTo("operatingSystemProfile validation request " + Reviews.UID + " allowed");
    }

    @Test
    void aDeletionIsAlwaysAllowed() {
        assertThat(profiles.answer(Reviews.of("DELETE", null, null)).allowed()).isTrue();
        assertThat(configs.answer(Reviews.of("DELETE", null, null)).allowed()).isTrue();
    }

    @Test
    void anotherOperationIsRefusedInThePeersWords() {
        assertThat(profiles.answer(Reviews.of("CONNECT", null, null)).message())
                .isEqualTo("CONNECT not supported on osp resources");
        assertThat(configs.answer(Reviews.of("CONNECT", null, null)).message())
                .isEqualTo("CONNECT not supported on osc resources");
    }

    @Test
    void whatIsNoProfileIsRefused() {
        Answer fresh = profiles.answer(Reviews.create(Reviews.json("{'spec':{'bootstrapConfig':[]}}")));
        Answer changed = profiles.answer(Reviews.update(good(), Reviews.json("{'spec':[]}")));

        assertThat(fresh.code()).isEqualTo(400);
        assertThat(fresh.message()).startsWith("error occurred while decoding osp: ");
        assertThat(changed.message()).startsWith("error occurred while decoding old osp: ");
    }

    @ParameterizedTest
    @CsvSource({"ubuntu,bootstrapConfig,false", "rhel,provisioningConfig,false", "flatcar,bootstrapConfig,true"})
    void onlyFlatcarHasUnits(String system, String config, boolean allowed) {
        ObjectNode profile = Reviews.profile(system, "v1.0.0", "text");
        profile.withObject("/spec/" + config).putArray("units").addObject().put("name", "a.service");

        Answer answer = new OperatingSystemProfileRule(null, true).answer(Reviews.create(profile));

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

        assertThat(profiles.answer(Reviews.update(now, good())).allowed()).isTrue();
    }

    @Test
    void contentDoesNotChangeUnderOneVersion() {
        Answer answer = profiles.answer(Reviews.update(Reviews.profile("ubuntu", "v1.0.0", "other"), good()));

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

        assertThat(profiles.answer(Reviews.update(spelledOut, good())).allowed())
                .isTrue();
    }

    @Test
    void metadataOfAProfileThatIsWrongCanChange() {
        ObjectNode wrong = Reviews.profile("ubuntu", "v1.0.0", "{{ nonsense }}");
        ObjectNode labelled = wrong.deepCopy();
        labelled.withObject("/metadata/labels").put("team", "a");
        ObjectNode ending = Reviews.profile("ubuntu", "v1.0.0", "{{");
        ending.withObject("/metadata").put("deletionTimestamp", "2026-03-01T10:00:00Z");

        assertThat(profiles.answer(Reviews.update(labelled, wrong)).allowed()).isTrue();
        assertThat(profiles.answer(Reviews.update(ending, wrong)).allowed()).isTrue();
    }

    /** Their template language is an annotation, which a definition without that field keeps. */
    @ParameterizedTest
    @MethodSource("shippedProfiles")
    void aShippedProfileIsAllowed(Path file) throws IOException {
        JsonNode profile = Document.json(YamlText.read(file.toString(), Files.readString(file), "ProfileInvalid")
                .getFirst()
                .root());

        Answer answer = profiles.answer(Reviews.create((ObjectNode) profile));

        assertThat(answer.message()).endsWith(" allowed");
    }

    static List<Path> shippedProfiles() throws IOException {
        try (Stream<Path> files =
                Files.list(Path.of(System.getProperty("osmhub.root", "..")).resolve("deploy/manifests/profiles"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    @Test
    void theTemplateLanguageDoesNotChangeUnderOneVersion() {
        ObjectNode handlebars = good();
        handlebars.withObject("/metadata/annotations").put(ProfileAnnotations.TEMPLATE_ENGINE, "handlebars");

        Answer answer = profiles.answer(Reviews.update(handlebars, good()));

        assertThat(answer.message()).contains("OperatingSystemProfile is immutable");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        line one\\n{{ .Token | toYamll }}   ~ line 2 ~ toYamll
        {{ if }}                            ~ line 1 ~ if
        {{ .NoSuchField }}                  ~ line 1 ~ NoSuchField
        {{ fail "on purpose" }}             ~ line 1 ~ on purpose
        {{ template "absent" }}             ~ line 1 ~ absent
        """)
    void aTemplateThatCannotBeRenderedIsRefusedWithItsPlace(String template, String place, String cause) {
        ObjectNode profile = Reviews.profile("ubuntu", "v1.0.0", template.replace("\\n", "\n"));

        Answer answer = profiles.answer(Reviews.create(profile));

        assertThat(answer.allowed()).isFalse();
        assertThat(answer.code()).isEqualTo(403);
        assertThat(answer.message())
                .contains("spec.bootstrapConfig.files[0] (/opt/a) " + place)
                .contains(cause);
    }

    @Test
    void inPlaceOfThePeerTheSameIsAWarning() {
        Answer answer = new OperatingSystemProfileRule(trials, false)
                .answer(Reviews.create(Reviews.profile("ubuntu", "v1.0.0", "{{ nonsense }}")));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.warnings()).first().asString().contains("nonsense");
    }

    @Test
    void outOfTimeItIsAllowedWithAWarning() {
        AtomicLong now = new AtomicLong();
        AdmissionTrials slow = new AdmissionTrials(
                RenderThreads.start(1),
                () -> now.addAndGet(Duration.ofSeconds(30).toNanos()));

        Answer answer = new OperatingSystemProfileRule(slow, true).answer(Reviews.create(good()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.warnings()).first().asString().contains("was not tried");
    }

    @Test
    void aContentIsTriedOnce() {
        OperatingSystemProfile.Spec spec =
                ProfileReader.stored().read(Document.of("osp", good())).spec();

        // On a busy machine a trial may not end in the time that an API server waits, and is made again at the next
        // review.
        while (trials.remembered(spec) == null) {
            profiles.answer(Reviews.create(good()));
        }

        assertThat(trials.judge(good(), spec, Duration.ZERO)).isSameAs(trials.remembered(spec));
    }

    @Nested
    class Configs {
        private final ObjectNode stored = Reviews.json(
                "{'metadata':{'name':'x'},'spec':{'osName':'ubuntu','cloudProvider':{'name':'aws','spec':{'a':''}}}}");

        @Test
        void aCreationIsAllowedWithoutALook() {
            assertThat(configs.answer(Reviews.create(Reviews.json("{}"))).allowed())
                    .isTrue();
        }

        @Test
        void theSpecNeverChanges() {
            ObjectNode changed = stored.deepCopy();
            changed.withObject("/spec").put("osName", "rhel");

            Answer answer = configs.answer(Reviews.update(changed, stored));

            assertThat(answer.code()).isEqualTo(403);
            assertThat(answer.message())
                    .isEqualTo("operatingSystemConfig validation request " + Reviews.UID
                            + " denied: OperatingSystemConfig is immutable and updates are not allowed");
        }

        @Test
        void theProvidersOwnPartIsComparedAsItIs() {
            ObjectNode changed = stored.deepCopy();
            changed.withObject("/spec/cloudProvider/spec").remove("a");

            assertThat(configs.answer(Reviews.update(changed, stored)).allowed())
                    .isFalse();
        }

        @Test
        void metadataMayChange() {
            ObjectNode changed = stored.deepCopy();
            changed.withObject("/metadata/annotations").put("a", "b");
            changed.withObject("/spec").putArray("units");

            assertThat(configs.answer(Reviews.update(changed, stored)).allowed())
                    .isTrue();
        }
    }

    @Nested
    class WorkerClusters {
        private final AdmissionRule rule =
                new WorkerClusterRule(new Reviews.FakeHub(Map.of()), Reviews.mayGet("k", "old"));

        private ObjectNode workerCluster(String spec) {
            return Reviews.json("{'metadata':{'name':'x','namespace':'t'},'spec':" + spec + "}");
        }

        @Test
        void settingsThatMeanNothingAreRefusedAllAtOnce() {
            Answer answer = rule.answer(
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

            Answer changed = rule.answer(Reviews.update(after, before));
            Answer created = rule.answer(Reviews.create(after));
            ObjectNode edited = after.deepCopy();
            edited.withObject("/spec").put("paused", true);
            Answer unchanged = rule.answer(Reviews.update(edited, after));

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

            assertThat(rule.answer(Reviews.update(after, before)).allowed()).isFalse();
            assertThat(rule.answer(Reviews.update(unfinished, before)).allowed())
                    .isTrue();
            assertThat(rule.answer(Reviews.update(shortened, before)).allowed()).isTrue();
        }

        @Test
        void anotherKeyOfASecretIsAnotherReference() {
            ObjectNode before = workerCluster("{'kubeconfigSecretRef':{'name':'other'}}");
            ObjectNode after = workerCluster("{'kubeconfigSecretRef':{'name':'other','key':'admin'}}");
            ObjectNode permitted = workerCluster("{'kubeconfigSecretRef':{'name':'k'}}");

            assertThat(rule.answer(Reviews.update(after, before)).allowed()).isFalse();
            assertThat(rule.answer(Reviews.update(permitted, before)).allowed()).isTrue();
        }

        @Test
        void aNamespaceThatOffersNothingIsAWarning() {
            Answer answer = rule.answer(Reviews.create(workerCluster(
                    "{'kubeconfigSecretRef':{'name':'k'},'profiles':{'namespaces':['offered','other']}}")));

            assertThat(answer.allowed()).isTrue();
            assertThat(answer.warnings()).singleElement().asString().contains("namespaces[1]", "other");
        }

        @Test
        void whatIsStoredIsNotLookedAtAgain() {
            ObjectNode wrong = workerCluster("{'provisioning':{'clusterDNS':['x']}}");
            ObjectNode labelled = wrong.deepCopy();
            labelled.withObject("/metadata/labels").put("a", "b");

            assertThat(rule.answer(Reviews.update(labelled, wrong)).allowed()).isTrue();
        }
    }
}

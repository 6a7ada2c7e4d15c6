package io.osmhub.tenancy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.tenancy.management.ManagementStore.StoreListeners;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DefaultProfileInstallerTest {
    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer management = new SimulatedServer(time);
    private final ProfileCache stored = new ProfileCache(
            "",
            namespace -> false,
            () -> true,
            StoreListeners.of((key, before, after, origin) -> {}, NoopListWatchListener.INSTANCE),
            new RuntimeContext(time, time, new Random(1)));

    @BeforeEach
    void begin() {
        stored.start(management.api());
        time.settle();
    }

    @Test
    void whatIsMissingIsInstalledWithItsHashAndLabel() throws ApiFailure {
        assertThat(install("v1.0.0", "one", "go")).isEmpty();

        JsonNode object = object();
        assertThat(object.at("/metadata/labels/app.kubernetes.io~1managed-by").asText())
                .isEqualTo("osm-hub");
        assertThat(object.at("/metadata/annotations/osmhub.io~1installed-hash").asText())
                .hasSize(64);
        assertThat(object.at("/spec/version").asText()).isEqualTo("v1.0.0");
    }

    @Test
    void whatIsThereIsNotWrittenAgain() throws ApiFailure {
        install("v1.0.0", "one", "go");
        management.forgetRequests();

        install("v1.0.0", "one", "go");

        assertThat(management.requests()).isEmpty();
    }

    @Test
    void anUneditedOneIsBroughtToTheNewerVersionAndNeverBack() throws ApiFailure {
        install("v1.0.0", "one", "go");

        assertThat(install("v1.1.0", "two", "go")).isEmpty();
        assertThat(object().at("/spec/version").asText()).isEqualTo("v1.1.0");

        assertThat(install("v1.0.0", "one", "go")).isEmpty();
        assertThat(object().at("/spec/version").asText()).isEqualTo("v1.1.0");
    }

    @Test
    void anEditedOneIsKeptAndThatIsSaid() throws ApiFailure {
        install("v1.0.0", "one", "go");
        ObjectNode edited = object().deepCopy();
        edited.withObject("/spec").put("osVersion", "edited");
        management.put(Resource.OPERATING_SYSTEM_PROFILES, edited.toString(), "kubectl");
        time.settle();

        List<DefaultProfileInstaller.InstallNotice> remarks = install("v1.1.0", "two", "go");

        assertThat(object().at("/spec/version").asText()).isEqualTo("v1.0.0");
        assertThat(remarks)
                .extracting(DefaultProfileInstaller.InstallNotice::diagnosis)
                .extracting(Problem::message)
                .containsExactly("shared: OperatingSystemProfile shared/osp-x: edited since it was installed (v1.0.0),"
                        + " so it is not upgraded to v1.1.0; delete it to get the new one");
    }

    @Test
    void somebodysOwnOfTheSameNameIsLeft() throws ApiFailure {
        management.put(
                Resource.OPERATING_SYSTEM_PROFILES,
                "{\"metadata\":{\"namespace\":\"shared\",\"name\":\"osp-x\"},\"spec\":{\"version\":\"v0.1.0\"}}",
                "kubectl");
        time.settle();
        management.forgetRequests();

        assertThat(install("v1.0.0", "one", "go")).isEmpty();

        assertThat(management.writes()).isZero();
    }

    @Test
    void theTemplateLanguageIsInstalledAndBroughtUpAsAnAnnotation() throws ApiFailure {
        install("v1.0.0", "one", "go");
        install("v1.1.0", "two", "handlebars");

        assertThat(object().at("/metadata/annotations/osmhub.io~1template-engine")
                        .asText())
                .isEqualTo("handlebars");
        assertThat(object().path("spec").has("templateEngine")).isFalse();
        StoredProfile read = Objects.requireNonNull(stored.in("shared").get("osp-x"));
        assertThat(Objects.requireNonNull(read.content()).spec().templateEngine())
                .isEqualTo(TemplateLanguage.HANDLEBARS);
        assertThat(read.installedHash()).isEqualTo(read.contentHash());
    }

    @Test
    void oneWhoseEngineWasPrunedIsNotTakenForGoAndStoredAgain() throws ApiFailure {
        installedByAnEarlierHub(object -> {});

        StoredProfile pruned = Objects.requireNonNull(stored.in("shared").get("osp-x"));
        assertThat(pruned.content()).isNull();
        assertThat(pruned.notUsable().reason()).isEqualTo(Reason.ProfileFieldsPruned);
        assertThat(Reason.ProfileFieldsPruned.actor()).isEqualTo(Actor.OPERATOR);
        assertThat(pruned.notUsable().toString())
                .startsWith("OperatingSystemProfile shared/osp-x, spec.templateEngine: the CustomResourceDefinition");

        assertThat(install("v1.0.0", "one", "handlebars")).isEmpty();

        StoredProfile again = Objects.requireNonNull(stored.in("shared").get("osp-x"));
        assertThat(Objects.requireNonNull(again.content()).spec().templateEngine())
                .isEqualTo(TemplateLanguage.HANDLEBARS);
        assertThat(again.installedHash()).isEqualTo(again.contentHash());
    }

    @Test
    void anEditedOneWhoseEngineWasPrunedIsKeptAndNotTakenForGo() throws ApiFailure {
        installedByAnEarlierHub(object -> object.withObject("/spec").put("osVersion", "edited"));
        management.forgetRequests();

        install("v1.0.0", "one", "handlebars");

        assertThat(management.writes()).isZero();
        StoredProfile kept = Objects.requireNonNull(stored.in("shared").get("osp-x"));
        assertThat(kept.content()).isNull();
        assertThat(kept.notUsable().fix()).contains("osmhub.io/template-engine to handlebars");
    }

    /** It set the engine in the spec only, and hashed what another definition had kept. */
    private void installedByAnEarlierHub(Consumer<ObjectNode> edit) throws ApiFailure {
        install("v1.0.0", "one", "go");
        ObjectNode object = object().deepCopy();
        object.withObject("/metadata/annotations").remove("osmhub.io/template-engine");
        edit.accept(object);
        management.put(Resource.OPERATING_SYSTEM_PROFILES, object.toString(), "osm-hub");
        time.settle();
    }

    private List<DefaultProfileInstaller.InstallNotice> install(String version, String text, String engine)
            throws ApiFailure {
        List<BundledProfile> packed = BundledProfile.read(
                "osp-x.yaml",
                """
                apiVersion: operatingsystemmanager.k8c.io/v1alpha1
                kind: OperatingSystemProfile
                metadata:
                  name: osp-x
                  annotations: {osmhub.io/template-engine: ENGINE}
                spec:
                  osName: ubuntu
                  osVersion: "24.04"
                  version: VERSION
                  supportedCloudProviders: [{name: aws}]
                  bootstrapConfig:
                    files: [{path: /a, content: {inline: {data: TEXT}}}]
                  provisioningConfig:
                    files: [{path: /b, content: {inline: {data: TEXT}}}]
                """.replace("VERSION", version).replace("ENGINE", engine).replace("TEXT", text));
        List<DefaultProfileInstaller.InstallNotice> remarks =
                new DefaultProfileInstaller(management.api(), stored, () -> packed).install("shared");
        time.settle();
        return remarks;
    }

    private ObjectNode object() {
        return Objects.requireNonNull(management.object(Resource.OPERATING_SYSTEM_PROFILES, "shared", "osp-x"));
    }
}

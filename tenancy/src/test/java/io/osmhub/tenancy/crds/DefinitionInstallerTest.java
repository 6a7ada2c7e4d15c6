package io.osmhub.tenancy.crds;

import static io.osmhub.workersync.apiserver.Resource.CUSTOM_RESOURCE_DEFINITIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.SchemaRevision;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefinitionInstallerTest {
    private final SimulatedServer management = new SimulatedServer(new VirtualTime());
    private final DefinitionInstaller installer = new DefinitionInstaller(management.api());

    @BeforeEach
    void removeDefinitions() {
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            management.remove(CUSTOM_RESOURCE_DEFINITIONS, "", definition.definitionName());
        }
    }

    @Test
    void whatIsAbsentIsMadeWithTheHubsRevision() throws ApiFailure {
        InstalledDefinitions found = installer.install(InstallPolicy.IF_ABSENT);

        for (ShippedDefinition definition : ShippedDefinition.values()) {
            assertThat(found.hasStatusSubresource(definition)).isTrue();
            assertThat(found.found()).hasEntrySatisfying(definition, one -> assertThat(one.revision())
                    .isEqualTo(SchemaRevision.CURRENT));
        }
        assertThat(found.problems()).isEmpty();
    }

    @Test
    void aSecondInstallationWritesNothing() throws ApiFailure {
        installer.install(InstallPolicy.UPGRADE);
        management.forgetRequests();

        installer.install(InstallPolicy.UPGRADE);

        assertThat(management.writes()).isZero();
    }

    @Test
    void theOneOfExtensionsIsNotMadeAgainAfterItsRemoval() throws ApiFailure {
        installer.install(InstallPolicy.UPGRADE);
        String name = ShippedDefinition.PROFILE_EXTENSIONS.definitionName();
        management.remove(CUSTOM_RESOURCE_DEFINITIONS, "", name);

        InstalledDefinitions found = installer.install(InstallPolicy.UPGRADE);

        assertThat(found.found()).doesNotContainKey(ShippedDefinition.PROFILE_EXTENSIONS);
        assertThat(found.isComplete()).isTrue();
    }

    @Test
    void aRoleThatDoesNotNameTheOneOfExtensionsHidesNoOther() throws ApiFailure {
        installer.install(InstallPolicy.UPGRADE);
        management.reject(
                request -> ShippedDefinition.PROFILE_EXTENSIONS.definitionName().equals(request.name())
                        ? SimulatedServer.status(403, "Forbidden", "not granted")
                        : null);

        InstalledDefinitions found = installer.install(InstallPolicy.UPGRADE);

        assertThat(found.found()).hasSize(ShippedDefinition.values().length - 1);
        assertThat(found.hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_CONFIGS))
                .isTrue();
    }

    @Test
    void neverMeansThatNothingIsWritten() throws ApiFailure {
        InstalledDefinitions found = installer.install(InstallPolicy.NEVER);

        assertThat(management.writes()).isZero();
        assertThat(found.isComplete()).isFalse();
    }

    @Test
    void anOlderOneOfTheHubsIsUpgradedOnlyOnRequest() throws ApiFailure {
        installer.install(InstallPolicy.IF_ABSENT);
        management.forgetRequests();
        DefinitionInstaller next = new DefinitionInstaller(management.api(), SchemaRevision.CURRENT + 1);

        next.install(InstallPolicy.IF_ABSENT);
        assertThat(management.writes()).isZero();

        management.faults((request, number) -> request.verb() == Verb.PATCH ? SimulatedServer.Fault.REFUSED : null);
        assertThatThrownBy(() -> next.install(InstallPolicy.UPGRADE)).isInstanceOf(ApiFailure.class);
        assertThat(management.requests()).last().satisfies(request -> {
            assertThat(request.contentType()).isEqualTo(ApiRequest.APPLY_PATCH);
            assertThat(request.query()).containsEntry("fieldManager", "osm-hub").containsEntry("force", "true");
            assertThat(request.name()).isEqualTo("workerclusters.osmhub.io");
        });
    }

    @ParameterizedTest
    @CsvSource({"6, true", "7, false"})
    void aRemovedDefinitionOfExtensionsIsNotInstalledByALaterVersion(String revision, boolean installed)
            throws ApiFailure {
        put(ShippedDefinition.WORKER_CLUSTERS, revision);

        InstalledDefinitions found = installer.install(InstallPolicy.UPGRADE);

        assertThat(found.found().containsKey(ShippedDefinition.PROFILE_EXTENSIONS))
                .isEqualTo(installed);
    }

    @Test
    void aNewerOneIsLeft() throws ApiFailure {
        put(ShippedDefinition.OPERATING_SYSTEM_CONFIGS, String.valueOf(SchemaRevision.CURRENT + 1));

        assertThat(upgradesWith(InstallPolicy.UPGRADE)).isZero();
        assertThat(installer.install(InstallPolicy.NEVER).problems()).isEmpty();
    }

    @Test
    void anothersIsLeftAndTheFieldsThatItLacksAreNamed() throws ApiFailure {
        ObjectNode foreign = manifest(ShippedDefinition.OPERATING_SYSTEM_PROFILES);
        ((ObjectNode) foreign.at("/metadata")).remove("annotations");
        ((ObjectNode) foreign.at("/spec/versions/0")).remove("subresources");
        ObjectNode fields =
                (ObjectNode) foreign.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties");
        fields.remove("provisioningUtility");
        ((ObjectNode) fields.at("/bootstrapConfig/properties/files/items/properties")).remove("permissions");
        management.send(ApiRequest.create(CUSTOM_RESOURCE_DEFINITIONS, "", foreign.toString()));

        assertThat(upgradesWith(InstallPolicy.UPGRADE)).isZero();
        InstalledDefinitions found = installer.install(InstallPolicy.NEVER);
        assertThat(found.hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_PROFILES))
                .isFalse();
        assertThat(found.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).isEqualTo(Reason.CRDForeignManaged);
            assertThat(problem.message())
                    .startsWith("hub: CustomResourceDefinition operatingsystemprofiles.operatingsystemmanager.k8c.io:"
                            + " managed by ")
                    .contains("lacks spec.provisioningUtility, spec.bootstrapConfig.files[].permissions, which");
        });
    }

    @Test
    void oneThatOnlyHasNoStatusIsNoProblem() throws ApiFailure {
        ObjectNode foreign = manifest(ShippedDefinition.OPERATING_SYSTEM_CONFIGS);
        ((ObjectNode) foreign.at("/metadata")).remove("annotations");
        ((ObjectNode) foreign.at("/spec/versions/0")).remove("subresources");
        ((ObjectNode) foreign.at("/spec/versions/0/schema/openAPIV3Schema/properties")).remove("status");
        management.send(ApiRequest.create(CUSTOM_RESOURCE_DEFINITIONS, "", foreign.toString()));

        InstalledDefinitions found = installer.install(InstallPolicy.NEVER);

        assertThat(found.problems()).isEmpty();
        assertThat(found.hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_CONFIGS))
                .isFalse();
    }

    /** Installers apply their definition over the hub's: its annotation stays, its version does not. */
    @Test
    void oneThatWasAppliedOverTheHubsIsForeign() throws ApiFailure {
        ObjectNode applied = manifest(ShippedDefinition.OPERATING_SYSTEM_CONFIGS);
        ((ObjectNode) applied.at("/metadata/annotations")).put(SchemaRevision.ANNOTATION, "1");
        ((ObjectNode) applied.at("/spec/versions/0")).remove("subresources");
        management.send(ApiRequest.create(CUSTOM_RESOURCE_DEFINITIONS, "", applied.toString()));

        assertThat(upgradesWith(InstallPolicy.UPGRADE)).isZero();
    }

    @Test
    void fieldsOfStoredProfilesBecomeAnnotationsBeforeTheDefinitionLosesThem() throws ApiFailure, IOException {
        ObjectNode earlier = manifest(ShippedDefinition.OPERATING_SYSTEM_PROFILES);
        ((ObjectNode) earlier.at("/metadata/annotations")).put(SchemaRevision.ANNOTATION, "2");
        ((ObjectNode) earlier.at("/spec/versions/0/schema"))
                .putObject("openAPIV3Schema")
                .put("type", "object")
                .put("x-kubernetes-preserve-unknown-fields", true);
        management.send(ApiRequest.create(CUSTOM_RESOURCE_DEFINITIONS, "", earlier.toString()));
        management.send(ApiRequest.create(Resource.OPERATING_SYSTEM_PROFILES, "tenant", """
                {"metadata": {"namespace": "tenant", "name": "own", "annotations": {"osmhub.io/template-engine": "go"}},
                 "spec": {"templateEngine": "handlebars", "supportedKubernetesVersions": ">=1.31.0",
                  "supportedNodeFetch": ["SharedToken", "ScopedToken"]}}
                """));
        management.faults((request, number) ->
                request.contentType().equals(ApiRequest.APPLY_PATCH) ? SimulatedServer.Fault.REFUSED : null);

        assertThatThrownBy(() -> installer.install(InstallPolicy.UPGRADE)).isInstanceOf(ApiFailure.class);

        JsonNode annotations = WireJson.read(
                        management.send(ApiRequest.get(Resource.OPERATING_SYSTEM_PROFILES, "tenant", "own")))
                .at("/metadata/annotations");
        assertThat(annotations.path("osmhub.io/template-engine").asText()).isEqualTo("handlebars");
        assertThat(annotations.path("osmhub.io/supported-kubernetes-versions").asText())
                .isEqualTo(">=1.31.0");
        assertThat(annotations.path("osmhub.io/supported-node-fetch").asText()).isEqualTo("SharedToken,ScopedToken");
    }

    private long upgradesWith(InstallPolicy policy) throws ApiFailure {
        management.forgetRequests();
        installer.install(policy);
        return management.count(Verb.PATCH) + management.count(Verb.UPDATE);
    }

    private static ObjectNode manifest(ShippedDefinition definition) {
        ObjectNode manifest = definition.manifest().deepCopy();
        ((ObjectNode) manifest.at("/metadata/annotations")).put(SchemaRevision.ANNOTATION, "0");
        return manifest;
    }

    private void put(ShippedDefinition definition, String revision) throws ApiFailure {
        ObjectNode object = manifest(definition);
        ((ObjectNode) object.at("/metadata/annotations")).put(SchemaRevision.ANNOTATION, revision);
        management.send(ApiRequest.create(CUSTOM_RESOURCE_DEFINITIONS, "", object.toString()));
    }
}

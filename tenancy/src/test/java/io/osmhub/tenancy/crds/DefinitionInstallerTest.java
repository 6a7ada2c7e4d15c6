package io.osmhub.tenancy.crds;

import static io.osmhub.workersync.apiserver.Resource.CUSTOM_RESOURCE_DEFINITIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.CustomResourceDefinition;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.VirtualTime;
import org.junit.jupiter.api.Test;

class DefinitionInstallerTest {
    private final FakeApiServer management = new FakeApiServer(new VirtualTime());
    private final DefinitionInstaller installer = new DefinitionInstaller(management);

    @Test
    void whatIsAbsentIsMadeWithTheHubsRevision() throws ApiFailure {
        installer.install(InstallPolicy.IF_ABSENT);

        InstalledDefinitions found = installer.readDefinitions();
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            assertThat(found.isInstalled(definition)).isTrue();
            assertThat(found.hasStatusSubresource(definition)).isTrue();
            assertThat(found.found()).hasEntrySatisfying(definition, one -> assertThat(one.revision())
                    .isEqualTo(CustomResourceDefinition.REVISION));
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
    void neverMeansThatNotEvenIsLookedAt() throws ApiFailure {
        installer.install(InstallPolicy.NEVER);

        assertThat(management.requests()).isEmpty();
    }

    @Test
    void anOlderOneOfTheHubsIsUpgradedOnlyOnRequest() throws ApiFailure {
        installer.install(InstallPolicy.IF_ABSENT);
        management.forgetRequests();
        DefinitionInstaller next = new DefinitionInstaller(management, CustomResourceDefinition.REVISION + 1);

        next.install(InstallPolicy.IF_ABSENT);
        assertThat(management.writes()).isZero();

        management.faults((request, number) -> request.verb() == Verb.PATCH ? FakeApiServer.Fault.REFUSED : null);
        assertThatThrownBy(() -> next.install(InstallPolicy.UPGRADE)).isInstanceOf(ApiFailure.class);
        assertThat(management.requests()).last().satisfies(request -> {
            assertThat(request.contentType()).isEqualTo(ApiRequest.APPLY_PATCH);
            assertThat(request.query()).containsEntry("fieldManager", "osm-hub").containsEntry("force", "true");
            assertThat(request.name()).isEqualTo("workerclusters.osmhub.io");
        });
    }

    @Test
    void aNewerOneIsLeft() throws ApiFailure {
        put(ShippedDefinition.OPERATING_SYSTEM_CONFIGS, "7");

        assertThat(upgradesWith(InstallPolicy.UPGRADE)).isZero();
        assertThat(installer.readDefinitions().problems()).isEmpty();
    }

    @Test
    void anothersIsLeftAndWhatItLacksIsSaid() throws ApiFailure {
        ObjectNode foreign = manifest(ShippedDefinition.OPERATING_SYSTEM_PROFILES);
        ((ObjectNode) foreign.at("/metadata")).remove("annotations");
        ((ObjectNode) foreign.at("/spec/versions/0")).remove("subresources");
        ((ObjectNode) foreign.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties"))
                .remove("templateEngine");
        management.send(ApiRequest.create(CUSTOM_RESOURCE_DEFINITIONS, "", foreign.toString()));

        assertThat(upgradesWith(InstallPolicy.UPGRADE)).isZero();
        InstalledDefinitions found = installer.readDefinitions();
        assertThat(found.hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_PROFILES))
                .isFalse();
        assertThat(found.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).isEqualTo(Reason.CRDForeignManaged);
            assertThat(problem.message())
                    .startsWith("hub: CustomResourceDefinition operatingsystemprofiles.operatingsystemmanager.k8c.io:"
                            + " managed by ")
                    .contains("lacks a status subresource and spec.templateEngine");
        });
    }

    private long upgradesWith(InstallPolicy policy) throws ApiFailure {
        management.forgetRequests();
        installer.install(policy);
        return management.count(Verb.PATCH) + management.count(Verb.UPDATE);
    }

    private static ObjectNode manifest(ShippedDefinition definition) {
        ObjectNode manifest = (ObjectNode) DefinitionInstaller.manifest(definition);
        ((ObjectNode) manifest.at("/metadata/annotations")).put(CustomResourceDefinition.REVISION_ANNOTATION, "0");
        return manifest;
    }

    private void put(ShippedDefinition definition, String revision) throws ApiFailure {
        ObjectNode object = manifest(definition);
        ((ObjectNode) object.at("/metadata/annotations")).put(CustomResourceDefinition.REVISION_ANNOTATION, revision);
        management.send(ApiRequest.create(CUSTOM_RESOURCE_DEFINITIONS, "", object.toString()));
    }
}

package io.osmhub.tenancy.crds;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.OperatingSystemConfigResource;
import io.osmhub.core.osp.OperatingSystemProfileResource;
import io.osmhub.core.resource.CustomResourceDefinition;
import io.osmhub.core.workercluster.WorkerCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShippedDefinitionTest {
    @Test
    void theThreeKindsAreShipped() {
        assertThat(ShippedDefinition.values())
                .extracting(ShippedDefinition::definitionName)
                .containsExactly(
                        WorkerCluster.definition().name(),
                        OperatingSystemProfileResource.definition().name(),
                        OperatingSystemConfigResource.definition().name());
    }

    @ParameterizedTest
    @EnumSource
    void manifestIsPackedAndCarriesTheStampOfTheHub(ShippedDefinition definition) {
        assertThat(definition.yaml())
                .contains("kind: CustomResourceDefinition\n", "name: " + definition.definitionName() + "\n")
                .contains(
                        CustomResourceDefinition.REVISION_ANNOTATION + ": '" + CustomResourceDefinition.REVISION + "'");
    }
}

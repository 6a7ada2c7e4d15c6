package io.osmhub.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShippedDefinitionTest {
    @Test
    void theFourKindsAreShipped() {
        assertThat(ShippedDefinition.values())
                .extracting(ShippedDefinition::definitionName)
                .containsExactly(
                        "workerclusters.osmhub.io",
                        "operatingsystemprofiles.operatingsystemmanager.k8c.io",
                        "operatingsystemprofileextensions.osmhub.io",
                        "operatingsystemconfigs.operatingsystemmanager.k8c.io");
    }

    @ParameterizedTest
    @EnumSource
    void manifestIsPackedAndCarriesTheStampOfTheHub(ShippedDefinition definition) {
        assertThat(definition.yaml())
                .contains("kind: CustomResourceDefinition\n", "name: " + definition.definitionName() + "\n")
                .contains(SchemaRevision.ANNOTATION + ": '" + SchemaRevision.CURRENT + "'");
    }
}

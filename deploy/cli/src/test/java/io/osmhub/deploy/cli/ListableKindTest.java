package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.deploy.fleet.FleetFailure;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ListableKindTest {
    @Test
    void valuesOfOneFieldAreAlternatives() throws Exception {
        Map<String, String> fields =
                ListableKind.CLUSTERS.parseFilters("state=Degraded,state==Unreachable,profile=osp-ubuntu");

        assertThat(fields).containsOnly(Map.entry("state", "Degraded,Unreachable"), Map.entry("profile", "osp-ubuntu"));
    }

    @Test
    void saysWhichWordWasProbablyMeant() {
        assertThat(catchThrowableOfType(FleetFailure.class, () -> ListableKind.CLUSTERS.parseFilters("stat=Degraded"))
                        .text())
                .isEqualTo("--field-selector: unknown field stat; did you mean state?");
        assertThat(catchThrowableOfType(FleetFailure.class, () -> ListableKind.CLUSTERS.parseFilters("Degraded"))
                        .kind()
                        .exitCode())
                .isEqualTo(2);
    }
}

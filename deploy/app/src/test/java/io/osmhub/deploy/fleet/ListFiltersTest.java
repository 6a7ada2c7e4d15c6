package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.api.paging.PageRequest;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ListFiltersTest {
    private static final Set<String> KNOWN = FleetCollection.CLUSTERS.filters();

    @Test
    void valuesOfOneFieldAreAlternatives() throws Exception {
        Map<String, String> fields = ListFilters.parse("state=Degraded,state==Unreachable,profile=osp-ubuntu", KNOWN);

        assertThat(fields).containsOnly(Map.entry("state", "Degraded,Unreachable"), Map.entry("profile", "osp-ubuntu"));
        assertThat(new ListFilters(fields).workerClusters(PageRequest.first()).states())
                .containsExactlyInAnyOrder(State.DEGRADED, State.UNREACHABLE);
    }

    @Test
    void saysWhichWordWasProbablyMeant() {
        assertThat(catchThrowableOfType(FleetFailure.class, () -> ListFilters.parse("stat=Degraded", KNOWN))
                        .text())
                .isEqualTo("--field-selector: unknown field stat; did you mean state?");
        assertThat(catchThrowableOfType(FleetFailure.class, () -> new ListFilters(Map.of("reason", "WriteForbiden"))
                                .workerClusters(PageRequest.first()))
                        .text())
                .isEqualTo("--field-selector: unknown reason WriteForbiden; did you mean WriteForbidden?");
        assertThat(catchThrowableOfType(FleetFailure.class, () -> ListFilters.parse("Degraded", KNOWN))
                        .kind()
                        .exitCode())
                .isEqualTo(2);
    }
}

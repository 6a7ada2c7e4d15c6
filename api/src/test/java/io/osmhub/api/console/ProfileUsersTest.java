package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProfileUsersTest {
    private static final String PROFILE = "/profiles/osm-profiles/osp-ubuntu-hardened";

    private final FixedFleet fleet = new FixedFleet();
    private final ShownConsole console = new ShownConsole(fleet);

    @Test
    void eachClusterIsListedWithItsVersionAndWhyItIsNotNewer() throws Exception {
        assertThat(console.get(PROFILE))
                .contains("412 MachineDeployments in 6 clusters")
                .contains("data-row=\"u/cluster-7xk2m9qvbn/checkout-prod-eu\"")
                .contains("/effect\"><svg class=\"mark\" aria-hidden=\"true\"><use href=\"#m-blocked\"></use></svg>"
                        + "<span>all 2 blocked</span>")
                .contains("/versions\">v2.3.1</span>")
                .contains("/why\">User data too large</span>")
                .contains("<summary>2 MachineDeployments</summary>");
    }

    @Test
    void aClusterWithoutAProblemOfItsOwnIsExplainedByItsState() throws Exception {
        fleet.reason = "";

        assertThat(console.get(PROFILE))
                .contains("/why\">Paused: the hub writes nothing</span>")
                .contains("/why\">No connection: unreachable</span>")
                .contains("/why\">Being published</span>");
    }

    @Test
    void aClusterWithTheCurrentVersionNeedsNoReason() throws Exception {
        fleet.verdictOfWorkers = "Current";
        fleet.reason = "";
        fleet.version = "v2.4.0";

        assertThat(console.get(PROFILE)).contains("<span>all 2 current</span>", "/why\"></span>");

        fleet.version = "v2.3.1";
        assertThat(console.get(PROFILE)).contains("/why\">Being published</span>");
    }
}

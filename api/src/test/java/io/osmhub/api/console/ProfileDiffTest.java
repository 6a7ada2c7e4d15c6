package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.api.problem.ApiProblem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProfileDiffTest {
    private static final String PROFILE = "/profiles/osm-profiles/osp-ubuntu-hardened";
    private static final String COMPARE = PROFILE + "/diff";

    private final FixedFleet fleet = new FixedFleet();
    private final ShownConsole console = new ShownConsole(fleet);

    private static Map<String, Object> item(String tenant, String name, String result) {
        return Map.of(
                "tenant",
                tenant,
                "machineDeployment",
                Map.of("kind", "MachineDeployment", "namespace", "kube-system", "name", name),
                "result",
                result,
                "documents",
                List.of(
                        Map.of(
                                "document",
                                "Bootstrap",
                                "bytesBefore",
                                17_912,
                                "bytesAfter",
                                16_001,
                                "patch",
                                "--- a/Bootstrap\n+++ b/Bootstrap\n@@ -1 +1 @@\n-old <b>line</b>\n+token: (token: not shown)\n")));
    }

    @Test
    void saysForWhomAndByTenant() throws Exception {
        fleet.diff = Map.of(
                "total",
                4,
                "workerClusters",
                2,
                "changed",
                2,
                "repaired",
                1,
                "same",
                1,
                "refused",
                0,
                "notConnected",
                List.of("tenant-away"),
                "items",
                List.of(
                        item("tenant-a", "workers-a", "Repaired"),
                        item("tenant-b", "workers-b", "Changed"),
                        item("tenant-a", "workers-c", "Changed")),
                "continue",
                "next-page");

        String page =
                console.post(COMPARE, Map.of("profile", "kind: OperatingSystemProfile\nspec: {}\n", "lines", "true"));

        assertThat(page).contains("New nodes of 3 MachineDeployments would change.");
        assertThat(page).contains("aria-label=\"Changes in tenant-a\"", "aria-label=\"Changes in tenant-b\"");
        assertThat(page.split("Changes in tenant-a", -1))
                .as("once for each tenant")
                .hasSize(2);
        assertThat(page).contains("tenant-away", "value=\"next-page\"", "17,912 bytes", "16,001 bytes");
        assertThat(page).contains("old &lt;b&gt;line").doesNotContain("<b>line", "a/Bootstrap");
        assertThat(page).as("the text is there to be edited on").contains("kind: OperatingSystemProfile\nspec: {}");
        assertThat(page).as("an answer to a question asked once").doesNotContain("data-at=");
        assertThat(fleet.asked)
                .anyMatch(asked -> asked.startsWith("diff")
                        && asked.contains("\"namespace\":\"osm-profiles\"")
                        && asked.contains("\"name\":\"osp-ubuntu-hardened\"")
                        && asked.contains("\"lines\":true"));
    }

    private String headline(int changed, int refused, int alreadyRefused) throws Exception {
        fleet.diff = Map.of(
                "total",
                5,
                "changed",
                changed,
                "repaired",
                0,
                "same",
                1,
                "refused",
                refused,
                "alreadyRefused",
                alreadyRefused,
                "items",
                List.of());
        return console.post(COMPARE, Map.of("profile", "kind: OperatingSystemProfile\nspec: {}\n"));
    }

    @Test
    void countsOnlyWhatGetsWorseAndStatesWhatIsRejectedToday() throws Exception {
        assertThat(headline(0, 2, 2))
                .contains("Nothing would change; 2 MachineDeployments stay rejected as today.")
                .contains("rejected (2 already today)");
        assertThat(headline(2, 2, 1))
                .contains("New nodes of 2 MachineDeployments would change; 1 MachineDeployment would be rejected;"
                        + " 1 MachineDeployment stays rejected as today.");
        assertThat(headline(2, 1, 0))
                .contains("1 MachineDeployment would be rejected.")
                .doesNotContain("already today");
    }

    @Test
    void aTextThatIsNoProfileIsToldWithItsLineAndComparesNothing() throws Exception {
        assertThat(console.post(COMPARE, Map.of("profile", "kind: [unclosed\n</textarea><script>alert(1)</script>")))
                .contains("Nothing was compared: not a profile.")
                .doesNotContain("<script>alert");
        assertThat(console.post(COMPARE, Map.of("profile", "just a text"))).contains("it contains no object");
        assertThat(console.post(COMPARE, Map.of("profile", "  "))).contains("The field is empty");
        assertThat(console.post(COMPARE, Map.of("profile", "a".repeat(600_000))))
                .contains("The text is too long");
        assertThat(fleet.asked).noneMatch(asked -> asked.startsWith("diff"));
    }

    @Test
    void aFormOfAnotherSessionComparesNothing() {
        assertThatThrownBy(() -> console.post(COMPARE, Map.of("profile", "kind: X", "form", "another")))
                .isInstanceOf(ApiProblem.class)
                .hasMessageContaining("belongs to another session");
        assertThat(fleet.asked).noneMatch(asked -> asked.startsWith("diff"));
    }

    @Test
    void anEditBeginsWithTheProfileAsItIs() throws Exception {
        assertThat(console.get(PROFILE)).contains("Nothing compared yet").doesNotContain("# as it is");
        assertThat(console.get(PROFILE + "?compare=edit")).contains("# as it is</textarea>");

        fleet.source = "\u202Ereversed";
        assertThat(console.get(PROFILE + "?compare=edit"))
                .contains("control characters")
                .doesNotContain("\u202E");
    }

    @Test
    void whoLoadsTheAddressOfAnAnswerIsLedToTheProfile() throws Exception {
        assertThat(console.reply("GET", COMPARE, Map.of()).headers()).containsEntry("Location", PROFILE);
    }

    @Test
    void placesThatWaitHaveGhostsThatNobodyHears() throws Exception {
        assertThat(console.get(PROFILE))
                .contains("data-waits=\"diff-wait\"", "id=\"diff-wait\"", "data-waits=\"preview-wait\"")
                .contains("class=\"rows tight ghosts\" hidden aria-hidden=\"true\"");
    }
}

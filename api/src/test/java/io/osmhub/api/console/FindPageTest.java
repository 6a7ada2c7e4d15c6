package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FindPageTest {
    private final FixedFleet fleet = new FixedFleet();
    private final ShownConsole console = new ShownConsole(fleet);

    private static Map<String, Object> match(String kind, String name, Map<String, String> verdict) {
        Map<String, Object> match = new HashMap<>(verdict);
        match.put("object", Map.of("kind", kind, "namespace", "kube-system", "name", name));
        match.put("tenant", "cluster-7xk2m9qvbn");
        match.put("workerCluster", "checkout-prod-eu");
        return match;
    }

    @Test
    void eachMatchHasItsVerdict() throws Exception {
        fleet.matches = List.of(
                match("MachineDeployment", "workers-a", Map.of("newNodes", "Blocked", "reason", "ProfileNotFound")),
                match("Secret", "workers-b-kube-system-bootstrap-config", Map.of("newNodes", "Current")),
                match(
                        "WorkerCluster",
                        "checkout-prod-eu",
                        Map.of("state", "Unauthorized", "reason", "CredentialsRejected")),
                match("OperatingSystemProfile", "osp-a", Map.of("valid", "False", "reason", "TemplateSyntaxError")),
                match("OperatingSystemProfile", "osp-b", Map.of("valid", "True")));

        assertThat(console.get("/find?q=a"))
                .contains("st bad\"><svg class=\"mark\" aria-hidden=\"true\"><use href=\"#m-blocked\"></use></svg>"
                        + "<span>Blocked: Profile not found</span>")
                .contains("<span>Current</span>")
                .contains("<span>Unauthorized: Credentials rejected</span>")
                .contains("<span>Not valid: Template syntax error</span>")
                .contains("<span>Verified</span>");
        assertThat(console.get("/find.json?q=a"))
                .contains("\"words\":\"Blocked: Profile not found\"", "\"symbol\":\"m-unauthorized\"")
                .contains("\"kind\":\"MachineDeployment\"", "\"kind\":\"OperatingSystemProfile\"");
    }

    @Test
    void aMatchWithoutVerdictIsListed() throws Exception {
        fleet.matches = List.of(match("Secret", "bootstrap-token-abc", Map.of()));

        assertThat(console.get("/find?q=a")).contains("bootstrap-token-abc");
        assertThat(console.get("/find.json?q=a")).contains("\"verdict\":{}");
    }
}

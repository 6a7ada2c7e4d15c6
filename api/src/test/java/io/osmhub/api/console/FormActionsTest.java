package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.http.Reply;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FormActionsTest {
    private static final String TENANT = "/clusters/cluster-7xk2m9qvbn/checkout-prod-eu";
    /** Begins with an empty line, which a browser drops after the opening tag. */
    private static final String KUBECONFIG = "\n# " + FixedFleet.CANARY + " </textarea><script>\n";

    private static final String FIELD = ">\n\n# " + FixedFleet.CANARY + " &lt;/textarea&gt;&lt;script&gt;\n</textarea>";

    private final FixedFleet fleet = new FixedFleet();
    private final ShownConsole console = new ShownConsole(fleet);

    private Reply register(String action) throws Exception {
        return console.reply(
                "POST",
                "/register",
                Map.of(
                        "namespace", "cluster-a",
                        "name", "shop",
                        "kubeconfig", KUBECONFIG,
                        "credential", "scoped",
                        "do", action));
    }

    @Test
    void aTestShowsWhatIsMissingAndKeepsTheKubeconfigInItsField() throws Exception {
        Reply reply = register("test");

        String page = ShownConsole.html(reply);
        assertThat(page)
                .contains("The hub cannot serve it yet; 1 of 2 checks pass", "PermissionsMissing", "value=\"shop\"")
                .containsOnlyOnce(FixedFleet.CANARY)
                .contains(FIELD);
        assertThat(reply.headers()).containsEntry("Cache-Control", "no-store").doesNotContainKey("Location");
        assertThat(fleet.asked).anyMatch(asked -> asked.startsWith("testWorkerCluster") && asked.contains("(given)"));
    }

    @Test
    void aRejectedKubeconfigStaysInItsFieldToBeCorrected() throws Exception {
        fleet.kubeconfigWorks = false;

        String page = ShownConsole.html(register("register"));

        assertThat(page)
                .contains("Nothing was stored", "users[0].user.exec", "use a token")
                .containsOnlyOnce(FixedFleet.CANARY)
                .contains(FIELD);
    }

    @Test
    void aStoredKubeconfigIsNotReturned() throws Exception {
        Reply reply = register("register");

        assertThat(reply.headers().get("Location")).isEqualTo("/clusters/cluster-a/shop");
        assertThat(reply.toString()).doesNotContain(FixedFleet.CANARY);
        assertThat(console.get("/register")).doesNotContain(FixedFleet.CANARY);
    }

    @Test
    void anAddressDoesNotFillTheField() throws Exception {
        assertThat(console.get("/register?kubeconfig=" + FixedFleet.CANARY)).doesNotContain(FixedFleet.CANARY);
    }

    @Test
    void aKubeconfigOfATenantsPageIsNotReturned() throws Exception {
        String page = console.post(TENANT + "/rotate", new HashMap<>(Map.of("kubeconfig", KUBECONFIG)));

        assertThat(page).contains("is in use").doesNotContain(FixedFleet.CANARY);
    }
}

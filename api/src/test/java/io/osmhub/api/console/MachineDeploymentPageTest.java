package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;

final class MachineDeploymentPageTest {
    private static final String MD = "/tenants/cluster-7xk2m9qvbn/machine-deployments/kube-system/workers-a";

    private final FixedFleet fleet = new FixedFleet();
    private final ShownConsole console = new ShownConsole(fleet);

    private static String cloudConfig(String... files) {
        StringBuilder document = new StringBuilder("#cloud-config\nwrite_files:\n");
        for (int at = 0; at < files.length; at++) {
            document.append("- path: '/etc/file-")
                    .append(at)
                    .append("'\n  permissions: '0600'\n  encoding: 'b64'\n  content: |-\n    ")
                    .append(Base64.getEncoder().encodeToString(files[at].getBytes(UTF_8)))
                    .append("\n\n");
        }
        return document.toString();
    }

    @Test
    void theFilesOfADocumentAreListedAndDecoded() throws Exception {
        fleet.wanted = cloudConfig("first <img src=x onerror=alert(1)>\u202E", "second");

        assertThat(console.get(MD))
                .contains("<li><a href=\"#file-1\">/etc/file-0</a></li><li><a href=\"#file-2\">/etc/file-1</a></li>")
                .contains("id=\"file-2\">/etc/file-1<span class=\"c\"> 0600, 6 bytes, decoded from base64</span></li>")
                .contains("<li data-row=\"\">  second</li>")
                .contains("first &lt;img src=x onerror=alert(1)&gt;<span class=\"ctl\">U+202E</span>");
    }

    @Test
    void whileARevisionIsPendingThePublishedOneAndTheDifferenceAreOffered() throws Exception {
        fleet.stored = cloudConfig("kept\nold line");
        fleet.wanted = cloudConfig("kept\nnew line");

        assertThat(console.get(MD))
                .contains(">Bootstrap, revision 7<", ">Bootstrap, revision 6<", ">What changed, 6 → 7<")
                .contains("new line")
                .doesNotContain("old line");
        assertThat(console.get(MD + "?doc=PublishedBootstrap"))
                .contains("old line")
                .doesNotContain("new line");
        assertThat(console.get(MD + "?doc=Changes"))
                .contains("<span class=\"vh\">removed: </span>  old line</li>")
                .contains("<span class=\"vh\">added: </span>  new line</li>")
                .contains("data-op=\" \">  kept</li>");
    }

    @Test
    void theStateOfObjectsThatCannotBeReadIsNotKnown() throws Exception {
        fleet.connected = false;

        String page = console.get(MD);

        assertThat(page.substring(page.indexOf("id=\"placement\"")))
                .containsPattern("Bootstrap secret</th><td role=\"cell\"><span[^>]*>.*?<span>Not known</span>");
    }

    @Test
    void documentsThatAreEqualAreReportedAsUnchanged() throws Exception {
        assertThat(console.get(MD + "?doc=Changes")).contains("<p class=\"soft\">Unchanged.</p>");
    }

    @Test
    void nothingIsComparedOnceTheWantedRevisionIsPublished() throws Exception {
        fleet.pending = false;

        assertThat(console.get(MD + "?doc=Changes"))
                .contains(">Bootstrap</bdi>")
                .doesNotContain("What changed", "Bootstrap, revision");
    }
}

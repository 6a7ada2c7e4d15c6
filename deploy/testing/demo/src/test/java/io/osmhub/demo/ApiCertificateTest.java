package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.sim.auth.SimulatedAuthority;
import io.osmhub.sim.auth.SimulatedAuthority.CertifiedKey;
import io.osmhub.sim.objects.JsonTrees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API with the operator's own certificate, which is exchanged while it serves. */
final class ApiCertificateTest {
    @TempDir
    private Path folder;

    private final SimulatedAuthority first = SimulatedAuthority.create("first");
    private final SimulatedAuthority second = SimulatedAuthority.create("second");

    @Test
    void aSecretsCertificateIsShownAndItsRenewalTakenOver() throws Exception {
        SimulatedFleet stage = LiveApi.stage(0);
        stage.management().objects().create(secret(first.serving()));
        try (LiveApi api = LiveApi.start(stage, folder, "tls: {secretName: own-tls}")) {
            api.listen(first.pem());
            LiveApi.awaitTrue(() -> answers(api));

            stage.management()
                    .objects()
                    .patch("v1", "Secret", "osm-hub", "own-tls", renewal().toString());

            LiveApi.awaitTrue(() -> {
                api.trust(second.pem());
                return answers(api);
            });
            api.trust(first.pem());
            assertThatThrownBy(() -> answers(api)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void filesAreReadAgainWhenTheyChange() throws Exception {
        write(first.serving());
        String tls = "tls: {certFile: \"" + folder.resolve("tls.crt") + "\", keyFile: \"" + folder.resolve("tls.key")
                + "\"}";
        try (LiveApi api = LiveApi.start(LiveApi.stage(0), folder, tls)) {
            api.listen(first.pem());
            LiveApi.awaitTrue(() -> answers(api));

            write(second.serving());

            LiveApi.awaitTrue(() -> {
                api.trust(second.pem());
                return answers(api);
            });
        }
    }

    @Test
    void nobodyIsAnsweredUntilTheSecretIsThere() throws Exception {
        SimulatedFleet stage = LiveApi.stage(0);
        try (LiveApi api = LiveApi.start(stage, folder, "tls: {secretName: own-tls}")) {
            api.listen(first.pem());
            assertThatThrownBy(() -> answers(api)).isInstanceOf(IOException.class);

            stage.management().objects().create(secret(first.serving()));

            LiveApi.awaitTrue(() -> answers(api));
            // The certificate is served before the problem is taken back.
            LiveApi.awaitTrue(() -> LiveApi.json(api.get("/problems", api.admin()))
                    .path("items")
                    .isEmpty());
        }
    }

    private static boolean answers(LiveApi api) throws Exception {
        return api.get("/worker-clusters", api.admin()).statusCode() == 200;
    }

    private void write(CertifiedKey certificate) throws IOException {
        Files.writeString(folder.resolve("tls.crt"), certificate.certificatePem());
        Files.writeString(folder.resolve("tls.key"), certificate.keyPem());
    }

    private static ObjectNode secret(CertifiedKey certificate) {
        ObjectNode secret =
                JsonTrees.object().put("apiVersion", "v1").put("kind", "Secret").put("type", "kubernetes.io/tls");
        secret.putObject("metadata").put("namespace", "osm-hub").put("name", "own-tls");
        secret.putObject("data")
                .put("tls.crt", base64(certificate.certificatePem()))
                .put("tls.key", base64(certificate.keyPem()));
        return secret;
    }

    private ObjectNode renewal() {
        ObjectNode renewal = JsonTrees.object();
        renewal.set("data", secret(second.serving()).path("data"));
        return renewal;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}

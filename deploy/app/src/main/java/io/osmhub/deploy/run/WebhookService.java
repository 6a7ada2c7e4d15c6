package io.osmhub.deploy.run;

import io.osmhub.api.admission.AdmissionRoutes;
import io.osmhub.api.admission.AdmissionServer;
import io.osmhub.api.admission.AdmissionTrials;
import io.osmhub.api.certificate.ProvidedCertificate;
import io.osmhub.api.ops.Health;
import io.osmhub.api.ops.OpsServer;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.dropin.WebhookFlags;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.lease.LeaseTerms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code hub webhook}: answers what the peer's webhook answers, with a certificate that somebody else renews. Looks nothing up in any
 * cluster; the Lease, when it is asked for, is taken and gates nothing, as the peer's.
 */
public final class WebhookService implements AutoCloseable {
    /** The peer's, and not to be chosen. */
    public static final int PORT = 9443;

    private static final Logger LOG = LoggerFactory.getLogger(WebhookService.class);

    private final Foundation foundation;
    private final ProvidedCertificate certificate;
    private final AdmissionServer server;
    private final OpsServer ops;
    private final Leadership.@Nullable Elected election;

    /**
     * Begins to look at the certificate; nothing listens yet.
     *
     * @throws IOException when the Lease is wanted and the cluster cannot be reached by what the flags name
     */
    public WebhookService(WebhookFlags flags, String replica) throws IOException {
        ManagementAccess access = flags.leaderElect() ? access(flags) : null;
        foundation = new Foundation(HubConfiguration.builtIn(), replica);
        Path folder = Path.of(flags.certDir());
        certificate = new ProvidedCertificate(
                folder.resolve("tls.crt"), folder.resolve("tls.key"), null, foundation.around());
        server = new AdmissionServer(
                foundation.loops().vertx(),
                AdmissionRoutes.ofPeer(new AdmissionTrials(foundation.previews(), System::nanoTime)),
                certificate,
                foundation.metrics()::admission,
                foundation.around().waiting());
        // The peer's probes answer as soon as the process runs.
        Map<String, Health> health = Map.of("/healthz", new Health(), "/readyz", new Health(), "/livez", new Health());
        ops = new OpsServer(foundation.loops().vertx(), health, foundation.metrics()::text);
        foundation
                .metrics()
                .gauge(
                        "osm_hub_webhook_certificate_expiry_timestamp_seconds",
                        () -> {
                            var end = certificate.ends().get("leaf");
                            return end == null ? Double.NaN : end.getEpochSecond();
                        },
                        "certificate",
                        "leaf");
        certificate.load();
        certificate.start();
        election = access == null ? null : elect(flags, access, replica);
    }

    private static ManagementAccess access(WebhookFlags flags) throws IOException {
        return flags.kubeconfig().isEmpty()
                ? ManagementAccess.ofEnvironment()
                : ManagementAccess.ofKubeconfig(Path.of(flags.kubeconfig()), "");
    }

    private Leadership.Elected elect(WebhookFlags flags, ManagementAccess access, String replica) {
        Leadership.Elected elected = new Leadership.Elected();
        elected.add(
                foundation.management(access).api(),
                LeaseTerms.usual(
                        flags.namespace(), "operating-system-manager-leader-lock", replica + "_" + UUID.randomUUID()),
                foundation.around());
        elected.start(() -> LOG.info("Lease {}", elected.mayWrite() ? "taken" : "lost"));
        return elected;
    }

    /** Answers reviews; returns the port. */
    public int listen(ListenAddress address) throws IOException {
        return Listening.on(address, server.listen(address.host(), address.port()));
    }

    /** Serves health or metrics on one more address; returns the port. */
    public int listen(ListenAddress address, OpsServer.Serves serves) throws IOException {
        return Listening.on(address, ops.listen(address.host(), address.port(), serves));
    }

    @Override
    public void close() {
        server.close();
        certificate.stop();
        if (election != null) {
            election.stop();
        }
        foundation.close();
    }
}

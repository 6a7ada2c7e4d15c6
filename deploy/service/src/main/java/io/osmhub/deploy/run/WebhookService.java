package io.osmhub.deploy.run;

import io.osmhub.api.admission.AdmissionRoutes;
import io.osmhub.api.admission.AdmissionServer;
import io.osmhub.api.admission.ProfileRenderCheck;
import io.osmhub.api.ops.HealthChecks;
import io.osmhub.api.ops.OpsServer;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.dropin.WebhookFlags;
import io.osmhub.tenancy.certificate.FileCertificate;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.lease.LeaseConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code hub webhook}: answers as OSM's webhook does, with an externally renewed certificate. Reads no cluster; the optional Lease
 * gates nothing, as in OSM.
 */
public final class WebhookService implements AutoCloseable {
    /** As in OSM, not configurable. */
    public static final int PORT = 9443;

    private static final Logger LOG = LoggerFactory.getLogger(WebhookService.class);

    private final ServiceRuntime runtime;
    private final FileCertificate certificate;
    private final AdmissionServer server;
    private final OpsServer ops;
    private final Leadership.@Nullable ElectedReplica election;

    /**
     * Starts watching the certificate; does not listen yet.
     *
     * @throws IOException if the Lease is enabled and the cluster is unreachable
     */
    public WebhookService(WebhookFlags flags, String replica) throws IOException {
        ServiceRuntime.loadCryptography();
        ManagementAccess access = flags.leaderElect() ? access(flags) : null;
        runtime = new ServiceRuntime(HubConfiguration.builtInDefaults(), replica);
        Path folder = Path.of(flags.certDir());
        certificate = new FileCertificate(
                folder.resolve("tls.crt"), folder.resolve("tls.key"), null, runtime.runtimeContext());
        server = new AdmissionServer(
                runtime.loops().vertx(),
                AdmissionRoutes.ofOsm(new ProfileRenderCheck(runtime.previews(), System::nanoTime)),
                certificate,
                runtime.metrics()::recordAdmission,
                runtime.runtimeContext().blockingExecutor());
        // OSM's probes succeed as soon as the process runs.
        Map<String, HealthChecks> health =
                Map.of("/healthz", new HealthChecks(), "/readyz", new HealthChecks(), "/livez", new HealthChecks());
        ops = new OpsServer(runtime.loops().vertx(), health, runtime.metrics()::scrape);
        HubServingCertificate.publishExpiry(certificate, "leaf", runtime.metrics());
        certificate.load();
        certificate.start();
        election = access == null ? null : elect(flags, access, replica);
    }

    private static ManagementAccess access(WebhookFlags flags) throws IOException {
        return flags.kubeconfig().isEmpty()
                ? ManagementAccess.ofEnvironment()
                : ManagementAccess.ofKubeconfig(Path.of(flags.kubeconfig()), "");
    }

    private Leadership.ElectedReplica elect(WebhookFlags flags, ManagementAccess access, String replica) {
        Leadership.ElectedReplica elected = new Leadership.ElectedReplica(runtime.inFlightWrites());
        elected.addLease(
                runtime.management(access).api(),
                LeaseConfig.ofDefaults(
                        flags.namespace(), "operating-system-manager-leader-lock", replica + "_" + UUID.randomUUID()),
                runtime.runtimeContext());
        elected.start(() -> LOG.info("Lease {}", elected.mayWrite() ? "acquired" : "lost"), () -> true);
        return elected;
    }

    /** Serves reviews; returns the port. */
    public int listen(ListenAddress address) throws IOException {
        return ServiceRuntime.awaitPort(address, server.listen(address.host(), address.port()));
    }

    /** Serves health or metrics on an additional address; returns the port. */
    public int listen(ListenAddress address, OpsServer.ServedPaths serves) throws IOException {
        return ServiceRuntime.awaitPort(address, ops.listen(address.host(), address.port(), serves));
    }

    @Override
    public void close() {
        server.close();
        certificate.stop();
        if (election != null) {
            election.stop();
        }
        runtime.close();
    }
}

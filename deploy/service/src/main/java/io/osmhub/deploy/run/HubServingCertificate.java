package io.osmhub.deploy.run;

import io.osmhub.api.ops.HubMetrics;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.HubConfiguration.ProvidedCertificate;
import io.osmhub.deploy.config.HubConfiguration.Webhooks;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.tenancy.certificate.CertificateOptions;
import io.osmhub.tenancy.certificate.FileCertificate;
import io.osmhub.tenancy.certificate.HubIssuedCertificate;
import io.osmhub.tenancy.certificate.WebhookCertificate;
import io.osmhub.workersync.apiserver.KubeApi;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** The serving certificate of the process: the operator's, or one issued by the hub's own authority. */
final class HubServingCertificate {
    /** The API's Service in the manifests. */
    private static final String API_SERVICE = "osm-hub";

    private static final String EVERY_ADDRESS = "0.0.0.0";

    private final WebhookCertificate certificate;
    private final AtomicBoolean started = new AtomicBoolean();

    /** @param mayWrite whether this replica may write */
    HubServingCertificate(
            HubConfiguration configuration, KubeApi management, BooleanSupplier mayWrite, ServiceRuntime foundation) {
        Webhooks webhooks = configuration.webhooks();
        ProvidedCertificate provided = webhooks.certificate().provided();
        this.certificate = provided.certFile().isEmpty()
                ? new HubIssuedCertificate(
                        management,
                        configuration.management().namespace(),
                        new CertificateOptions(
                                names(configuration),
                                webhooks.certificate().validity(),
                                webhooks.certificate().renewAt()),
                        mayWrite,
                        new SecureRandom(),
                        foundation.runtimeContext())
                : new FileCertificate(
                        Path.of(provided.certFile()),
                        Path.of(provided.keyFile()),
                        provided.caFile().isEmpty() ? null : Path.of(provided.caFile()),
                        foundation.runtimeContext());
        for (String which : List.of("ca", "leaf")) {
            publishExpiry(certificate, which, foundation.metrics());
        }
    }

    /** @param which {@code ca} or {@code leaf} */
    static void publishExpiry(WebhookCertificate certificate, String which, HubMetrics metrics) {
        metrics.gauge(
                "osm_hub_webhook_certificate_expiry_timestamp_seconds",
                () -> {
                    Instant end = certificate.expiryTimes().get(which);
                    return end == null ? Double.NaN : end.getEpochSecond();
                },
                "certificate",
                which);
    }

    /** All names by which API servers, browsers and the command line reach this process. */
    private static SortedSet<String> names(HubConfiguration configuration) {
        Set<String> names = new HashSet<>(List.of("localhost", "127.0.0.1"));
        String namespace = configuration.management().namespace();
        for (String service : List.of(configuration.webhooks().managementService(), API_SERVICE)) {
            names.add(service + "." + namespace);
            names.add(service + "." + namespace + ".svc");
            names.add(service + "." + namespace + ".svc.cluster.local");
        }
        configuration
                .webhooks()
                .workerURL()
                .map(URI::getHost)
                .map(HubServingCertificate::bare)
                .ifPresent(names::add);
        Optional<ListenAddress> api = configuration.api().address();
        api.or(configuration.webhooks()::address)
                .map(ListenAddress::host)
                .filter(host -> !host.isEmpty() && !isWildcard(host))
                .ifPresent(names::add);
        return new TreeSet<>(names);
    }

    /** Whether a host stands for all addresses of the machine. */
    static boolean isWildcard(String host) {
        return host.equals(EVERY_ADDRESS) || host.equals("::");
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    WebhookCertificate certificate() {
        return certificate;
    }

    /** Starts to renew it. Idempotent. */
    void start() {
        if (started.compareAndSet(false, true)) {
            certificate.start();
        }
    }

    void stop() {
        certificate.stop();
    }
}

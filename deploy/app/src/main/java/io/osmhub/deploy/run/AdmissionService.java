package io.osmhub.deploy.run;

import io.osmhub.api.access.Access;
import io.osmhub.api.access.AccessReviews;
import io.osmhub.api.admission.AdmissionRoutes;
import io.osmhub.api.admission.AdmissionServer;
import io.osmhub.api.admission.AdmissionTrials;
import io.osmhub.api.admission.ManagementBundles;
import io.osmhub.api.certificate.WebhookCertificate;
import io.osmhub.core.problem.Reason;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.concern.HubProblems;
import io.osmhub.workersync.apiserver.KubeApi;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The admission webhooks of {@code hub run}: where they are, who asks, and what API servers are to trust. */
final class AdmissionService {
    private final Foundation foundation;
    private final Certificates certificates;
    private final AdmissionEndpoint endpoint;
    private final Access access;
    private final ManagementBundles bundles;
    private final AdmissionTrials trials;
    private volatile @Nullable AdmissionServer server;

    AdmissionService(
            HubConfiguration configuration,
            KubeApi management,
            BooleanSupplier mayWrite,
            Certificates certificates,
            Foundation foundation) {
        this.foundation = foundation;
        this.trials = new AdmissionTrials(foundation.previews(), System::nanoTime);
        this.certificates = certificates;
        this.endpoint = configuration
                .webhooks()
                .address()
                .flatMap(ignored -> configuration.webhooks().workerUrl())
                .<AdmissionEndpoint>map(url -> new WorkerEndpoint(url, certificates.certificate()))
                .orElse(AdmissionEndpoint.NONE);
        // Nothing is remembered: whether an author may read a Secret is asked seldom, and was perhaps just permitted.
        this.access = new AccessReviews(
                management,
                Set::of,
                foundation.threads(),
                Duration.ZERO,
                System::nanoTime,
                foundation.metrics().reviews());
        this.bundles = new ManagementBundles(management, certificates.certificate(), mayWrite, foundation.around());
    }

    /** As worker clusters see the webhooks. */
    private record WorkerEndpoint(URI address, WebhookCertificate certificate) implements AdmissionEndpoint {
        @Override
        public String url() {
            return address.toString().replaceFirst("/+$", "");
        }

        @Override
        public @Nullable String authorities() {
            return certificate.authorities();
        }

        @Override
        public void onChange(Runnable task) {
            certificate.onChange(task);
        }
    }

    AdmissionEndpoint endpoint() {
        return endpoint;
    }

    /** Begins to answer. */
    Future<Integer> listen(AdmissionView hub, ListenAddress address) {
        certificates.start();
        bundles.start();
        AdmissionServer listening = new AdmissionServer(
                foundation.loops().vertx(),
                AdmissionRoutes.of(hub, trials, access),
                certificates.certificate(),
                foundation.tracing().admission(foundation.metrics()::admission),
                foundation.around().waiting());
        server = listening;
        return listening.listen(address.host(), address.port());
    }

    /** Why API servers cannot ask; null while they can, or nobody listens. */
    @Nullable String problem() {
        if (server == null || certificates.certificate().isLoaded()) {
            return null;
        }
        String problem = certificates.certificate().problem();
        return problem == null ? "no valid certificate is loaded" : problem;
    }

    /** What is wrong with what API servers are to trust, for the list of problems; nothing while nobody listens. */
    List<HubProblems.Found> problems() {
        List<HubProblems.Found> found = new ArrayList<>();
        if (server != null) {
            String late = certificates.certificate().problem();
            if (late != null) {
                found.add(new HubProblems.Found("webhooks", Reason.WebhookCertificateExpiring, late));
            }
            bundles.problem()
                    .ifPresent(problem ->
                            found.add(new HubProblems.Found("webhooks", Reason.WebhookBundleNotPatched, problem)));
        }
        return found;
    }

    /** Nothing is answered afterwards. */
    void stop() {
        AdmissionServer listening = server;
        if (listening != null) {
            listening.close();
        }
        bundles.stop();
        certificates.stop();
    }
}

package io.osmhub.deploy.run;

import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.SubjectAccessReviewAuthorizer;
import io.osmhub.api.admission.AdmissionRoutes;
import io.osmhub.api.admission.AdmissionServer;
import io.osmhub.api.admission.ProfileRenderCheck;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.admission.CaBundleInjector;
import io.osmhub.tenancy.certificate.WebhookCertificate;
import io.osmhub.tenancy.concern.HubProblemMonitor;
import io.osmhub.workersync.apiserver.KubeApi;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The admission webhooks of {@code hub run}: their endpoint, access checks and serving certificate. */
final class AdmissionService {
    private final ServiceRuntime runtime;
    private final HubServingCertificate certificates;
    private final AdmissionEndpoint endpoint;
    private final CallerAuthorizer authorizer;
    private final CaBundleInjector bundles;
    private final ProfileRenderCheck renderCheck;
    private volatile @Nullable AdmissionServer server;

    AdmissionService(
            HubConfiguration configuration,
            KubeApi management,
            BooleanSupplier mayWrite,
            HubServingCertificate certificates,
            ServiceRuntime runtime) {
        this.runtime = runtime;
        this.renderCheck = new ProfileRenderCheck(runtime.previews(), System::nanoTime);
        this.certificates = certificates;
        this.endpoint = configuration
                .webhooks()
                .address()
                .flatMap(ignored -> configuration.webhooks().workerURL())
                .<AdmissionEndpoint>map(url -> new WorkerEndpoint(url, certificates.certificate()))
                .orElse(AdmissionEndpoint.NONE);
        // No cache: Secret access is checked rarely and may just have been granted.
        this.authorizer = new SubjectAccessReviewAuthorizer(
                management,
                Set::of,
                runtime.threads(),
                Duration.ZERO,
                System::nanoTime,
                runtime.metrics().reviews());
        this.bundles = new CaBundleInjector(
                management,
                configuration.management().namespace(),
                certificates.certificate(),
                mayWrite,
                runtime.runtimeContext());
    }

    /** The endpoint that worker clusters use. */
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
        public void addChangeListener(Runnable task) {
            certificate.onChange(task);
        }
    }

    AdmissionEndpoint endpoint() {
        return endpoint;
    }

    /** Starts listening. */
    Future<Integer> listen(AdmissionView hub, ListenAddress address) {
        certificates.start();
        bundles.start();
        AdmissionServer listening = new AdmissionServer(
                runtime.loops().vertx(),
                AdmissionRoutes.of(hub, renderCheck, authorizer),
                certificates.certificate(),
                runtime.tracing().observeAdmission(runtime.metrics()::recordAdmission),
                runtime.runtimeContext().blockingExecutor());
        server = listening;
        return listening.listen(address.host(), address.port());
    }

    /** Why API servers cannot connect; null if they can or if the webhooks are off. */
    @Nullable String problem() {
        if (server == null || certificates.certificate().isLoaded()) {
            return null;
        }
        String problem = certificates.certificate().problem();
        return problem == null ? "no valid certificate is loaded" : problem;
    }

    /** Problems of the serving certificate; empty if the webhooks are off. */
    List<HubProblemMonitor.DetectedProblem> problems() {
        List<HubProblemMonitor.DetectedProblem> found = new ArrayList<>();
        if (server != null) {
            String late = certificates.certificate().problem();
            if (late != null) {
                found.add(new HubProblemMonitor.DetectedProblem(
                        "webhooks", Problem.ofHub(Reason.WebhookCertificateExpiring, late)));
            }
            bundles.problem()
                    .ifPresent(problem -> found.add(new HubProblemMonitor.DetectedProblem("webhooks", problem)));
        }
        return found;
    }

    /** Stops listening; further requests are not answered. */
    void stop() {
        AdmissionServer listening = server;
        if (listening != null) {
            listening.close();
        }
        bundles.stop();
        certificates.stop();
    }
}

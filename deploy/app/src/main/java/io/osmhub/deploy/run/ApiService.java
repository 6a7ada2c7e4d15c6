package io.osmhub.deploy.run;

import io.osmhub.api.HubApi;
import io.osmhub.api.access.Access;
import io.osmhub.api.access.RateLimits;
import io.osmhub.api.certificate.ProvidedCertificate;
import io.osmhub.api.certificate.SecretCertificate;
import io.osmhub.api.certificate.WebhookCertificate;
import io.osmhub.api.diagnosis.DiagnosisOperations;
import io.osmhub.api.diagnosis.LiveDiagnosis;
import io.osmhub.api.diagnosis.ProfileSource;
import io.osmhub.api.http.Operation;
import io.osmhub.api.inventory.Replica;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.Journal;
import io.osmhub.api.ops.FleetFigures;
import io.osmhub.api.preview.PreviewOperations;
import io.osmhub.api.registration.RegistrationOperations;
import io.osmhub.api.rest.EventStreams;
import io.osmhub.api.rest.LatestEvents;
import io.osmhub.api.rest.ReadOperations;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Reason;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.tenancy.Hub;
import io.osmhub.tenancy.LiveDetails;
import io.osmhub.tenancy.StoredObjects;
import io.osmhub.tenancy.TenantDirectory;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.concern.HubProblem;
import io.osmhub.tenancy.concern.HubProblems;
import io.osmhub.tenancy.concern.ManagementReview;
import io.osmhub.tenancy.connection.LiveConnectionTests;
import io.osmhub.tenancy.connection.NameService;
import io.osmhub.tenancy.registration.Registrar;
import io.osmhub.workersync.apiserver.KubeApi;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API of {@code hub run}: what it knows from the first list on, and what it answers once it listens. */
final class ApiService {
    private final Foundation foundation;
    private final KubeApi management;
    private final Certificates certificates;
    private final AdmissionService admission;
    private final Supplier<Hub> hub;
    private final StoredInventory inventory;
    private final Journal journal;
    private final KnownObjects stored;
    private final HubProblems problems;
    private final ManagementReview review;
    private final Leadership leadership;
    private volatile HubConfiguration configuration;
    private volatile @Nullable HubApi api;
    private volatile @Nullable WebhookCertificate shown;

    /** @param hub made after this, because it tells this what is stored */
    ApiService(
            HubConfiguration configuration,
            KubeApi management,
            Certificates certificates,
            AdmissionService admission,
            Foundation foundation,
            Leadership leadership,
            Supplier<Hub> hub) {
        this.configuration = configuration;
        this.management = management;
        this.certificates = certificates;
        this.admission = admission;
        this.foundation = foundation;
        this.leadership = leadership;
        this.hub = hub;
        this.inventory = new StoredInventory(new ThisReplica());
        this.journal = new Journal(() -> hub.get().past(), InstantSource.system());
        this.stored = new KnownObjects(inventory, journal);
        this.review = OwnCare.review(configuration, management, foundation);
        this.problems =
                OwnCare.problems(configuration, management, foundation, leadership, this::found, stored::tenants);
    }

    /** What is wrong with this replica, but for its Lease. */
    private List<HubProblems.Found> found() {
        List<HubProblems.Found> found = new ArrayList<>();
        hub.get()
                .managementProblem()
                .ifPresent(problem -> found.add(
                        new HubProblems.Found(foundation.replica(), Reason.ManagementClusterUnreachable, problem)));
        review.problem()
                .ifPresent(problem ->
                        found.add(new HubProblems.Found("management", Reason.ManagementPermissionsMissing, problem)));
        hub.get()
                .definitionProblems()
                .forEach(problem ->
                        found.add(new HubProblems.Found(problem.definition(), problem.reason(), problem.message())));
        found.addAll(admission.problems());
        WebhookCertificate certificate = shown;
        String problem =
                certificate == null || certificate == certificates.certificate() ? null : certificate.problem();
        if (problem != null) {
            found.add(new HubProblems.Found("api.tls", Reason.WebhookCertificateExpiring, problem));
        }
        return found;
    }

    /** Begins to look at what is wrong with the hub itself. */
    void startLooking() {
        review.start();
        problems.start();
    }

    /** Open problems of this replica itself. */
    List<Reason> ownProblems() {
        return problems.own().stream().map(HubProblem::reason).toList();
    }

    private final class ThisReplica implements Replica {
        @Override
        public String name() {
            return foundation.replica();
        }

        @Override
        public String servedBy(String namespace) {
            return leadership.servedBy(namespace);
        }

        @Override
        public TenantDirectory tenants() {
            return hub.get();
        }

        @Override
        public String sharedProfileNamespace() {
            return configuration.tenancy().sharedProfileNamespace();
        }

        @Override
        public boolean offersProfiles(String namespace) {
            return hub.get().admission().offersProfiles(namespace);
        }

        @Override
        public boolean isReady() {
            return hub.get().isReady();
        }

        @Override
        public String version() {
            return Build.ofThisProgram().version();
        }

        @Override
        public FleetFigures figures() {
            return foundation.metrics().figures();
        }

        @Override
        public List<Concern> concerns() {
            return problems.all().stream()
                    .map(problem -> new Concern(problem.object(), problem.reason(), problem.message(), problem.since()))
                    .toList();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }
    }

    /** What hears of everything that is stored. */
    StoredObjects stored() {
        return stored.told();
    }

    /** Begins to listen. */
    Future<Integer> listen(ListenAddress address) {
        HubConfiguration.Api wanted = configuration.api();
        WebhookCertificate certificate = certificate(wanted);
        shown = certificate;
        HubApi made = new HubApi(
                new HubApi.Parts(
                        foundation.loops().vertx(),
                        management,
                        stored::tenants,
                        stored::namespaces,
                        this::operations,
                        access -> List.of(
                                new LatestEvents(journal, access).operation(),
                                new ProfileSource(management, access).operation()),
                        foundation.metrics().figures(),
                        () -> stored.changes() + problems.changes(),
                        certificate,
                        foundation.tracing().http(foundation.metrics().http()),
                        foundation.metrics().reviews(),
                        foundation.threads()),
                new HubApi.Terms(
                        wanted.audiences(),
                        wanted.authCacheTtl(),
                        wanted.sessionTtl(),
                        rate(wanted),
                        wanted.maxBodyBytes(),
                        wanted.console(),
                        configuration.auditLog(),
                        configuration.tenancy().sharedProfileNamespace()));
        api = made;
        foundation.metrics().gauge("osm_hub_event_streams", made::openStreams);
        return made.listen(address.host(), address.port());
    }

    /** The operator's own where one is named; else that of the hub's authority, which the webhooks show too. */
    private WebhookCertificate certificate(HubConfiguration.Api wanted) {
        WebhookCertificate own;
        if (!wanted.tlsSecretName().isEmpty()) {
            own = new SecretCertificate(
                    management, configuration.management().namespace(), wanted.tlsSecretName(), foundation.around());
        } else if (!wanted.tls().certFile().isEmpty()) {
            own = new ProvidedCertificate(
                    Path.of(wanted.tls().certFile()), Path.of(wanted.tls().keyFile()), null, foundation.around());
        } else {
            certificates.start();
            return certificates.certificate();
        }
        own.start();
        return own;
    }

    /** Why callers cannot connect; null while they can, or nobody listens. */
    @Nullable String problem() {
        WebhookCertificate certificate = shown;
        if (certificate == null || certificate.isLoaded()) {
            return null;
        }
        String problem = certificate.problem();
        return problem == null ? "no valid certificate is loaded" : problem;
    }

    private static RateLimits.Limit rate(HubConfiguration.Api wanted) {
        return new RateLimits.Limit(
                wanted.rateLimit().requestsPerMinute(), wanted.rateLimit().burst());
    }

    private List<Operation> operations(Access access) {
        LiveDetails details = hub.get().details();
        Registrar registrar = new Registrar(
                management,
                new LiveConnectionTests(
                        foundation.clients(),
                        NameService.SYSTEM,
                        RequestObserver.NONE,
                        foundation.around().timers(),
                        foundation.threads()),
                namespace -> hub.get().egress(namespace),
                foundation.around().timers());
        List<Operation> operations = new ArrayList<>();
        operations.addAll(new ReadOperations(inventory, access).operations());
        operations.addAll(new EventStreams(journal, access, InstantSource.system()).operations());
        operations.addAll(new RegistrationOperations(registrar, access, () -> configuration.defaults()).operations());
        operations.addAll(
                new DiagnosisOperations(new LiveDiagnosis(details, InstantSource.system()), details, inventory, access)
                        .operations());
        operations.addAll(
                new PreviewOperations(details, access, leadership::servedBy, InstantSource.system(), System::nanoTime)
                        .operations());
        return operations;
    }

    /** Path of a page that signs in once who holds the token; only once it listens. */
    String signInLink(Sensitive token) {
        return Objects.requireNonNull(api, "it listens").signInLink(token);
    }

    /** Takes over what can be changed while it runs. */
    void settings(HubConfiguration now) {
        configuration = now;
        HubApi running = api;
        if (running != null) {
            running.rate(rate(now.api()));
        }
    }

    /** Nothing is answered afterwards. */
    void stop() {
        problems.stop();
        review.stop();
        HubApi running = api;
        if (running != null) {
            running.close();
        }
        WebhookCertificate certificate = shown;
        if (certificate != null && certificate != certificates.certificate()) {
            certificate.stop();
        }
    }
}

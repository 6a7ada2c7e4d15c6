package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosisSubject;
import io.osmhub.api.inventory.ProblemRow.Kind;
import io.osmhub.api.inventory.ProblemRow.ProblemSubject;
import io.osmhub.api.inventory.StatusParser;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.UrlHost;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ExtensionSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.status.Chain;
import io.osmhub.core.userdata.UserDataSize;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.LiveTenant.PreviewProposal;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.reconcile.MachineDeploymentViews.MachineDeploymentView;
import io.osmhub.workersync.reconcile.MachineDeploymentViews.MachineDeploymentView.SecretView;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects snapshots from the caches of this replica, or from stored state if it does not serve the tenant. */
final class DiagnosisCollector {
    private final HubQueries hubQueries;
    private final MachineReader machines;
    private final UnaryOperator<String> serving;
    private final InstantSource clock;

    DiagnosisCollector(
            HubQueries hubQueries, MachineReader machines, UnaryOperator<String> serving, InstantSource clock) {
        this.hubQueries = hubQueries;
        this.machines = machines;
        this.serving = serving;
        this.clock = clock;
    }

    /** @param machine empty for the MachineDeployment as a whole */
    Optional<DiagnosisSnapshot> collect(String tenant, ObjectKey key, String machine, boolean readMachines) {
        LiveTenant live = hubQueries.live(tenant).orElse(null);
        MachineDeploymentView seen =
                live == null ? null : live.machineDeployment(key).orElse(null);
        if (live != null && seen != null) {
            TenantView view = live.view();
            DiagnosisSubject subject =
                    new DiagnosisSubject(view.namespace(), view.name(), seen.namespace(), seen.name(), machine);
            Stored stored = new Stored(subject, view.status(), view.problems(), seen.config(), clock.instant());
            return Optional.of(live(live, seen, stored, readMachines));
        }
        WorkerClusterRecord owner = hubQueries.workerCluster(tenant).orElse(null);
        if (owner == null) {
            return Optional.empty();
        }
        WorkerClusterStatus status = owner.status();
        Stored stored = new Stored(
                new DiagnosisSubject(tenant, owner.name(), key.namespace(), key.name(), machine),
                status,
                NullableCollections.stream(status == null ? null : status.problems())
                        .toList(),
                hubQueries
                        .config(tenant, new ObjectNames(key.namespace(), key.name()).operatingSystemConfig())
                        .filter(found -> key.toString().equals(found.owner()))
                        .orElse(null),
                clock.instant());
        return stored.config() == null && stored.ofMachineDeployment().isEmpty()
                ? Optional.empty()
                : Optional.of(stored.snapshot(live == null ? serving.apply(tenant) : null));
    }

    private DiagnosisSnapshot live(LiveTenant tenant, MachineDeploymentView seen, Stored stored, boolean readMachines) {
        MachineDeploymentState state = seen.state();
        SyncStatus sync = tenant.view().sync();
        boolean connected = sync != null && sync.phase() != SyncStatus.Phase.SUSPENDED;
        return new DiagnosisSnapshot(
                stored.subject(),
                state == null ? NewNodes.PENDING : state.newNodes(),
                state == null || state.report().conditions().isEmpty()
                        ? Chain.of(stored.status(), connected)
                        : new Chain(state.report().conditions(), List.of(), connected),
                troubles(stored, state),
                profile(tenant, seen),
                stored.config(seen),
                stored.secret(SecretRole.PROVISIONING, seen),
                stored.secret(SecretRole.BOOTSTRAP, seen),
                token(tenant.view(), seen),
                stored.connection(tenant.lastEvent().orElse(null), connected),
                readMachines && connected ? machines.read(tenant, seen, stored.now()) : null,
                stored.now(),
                null);
    }

    /** Problems of its last run, each with the age from the tenant's list; without the tenant's own. */
    private static List<DiagnosedProblem> troubles(Stored stored, @Nullable MachineDeploymentState state) {
        List<DiagnosedProblem> ofTenant = stored.ofTenant();
        List<DiagnosedProblem> known = stored.ofMachineDeployment();
        List<DiagnosedProblem> all = new ArrayList<>(ofTenant);
        if (state == null) {
            all.addAll(known);
            return all;
        }
        for (Problem problem : state.problems()) {
            if (find(ofTenant, problem.reason()).isEmpty()) {
                Instant since = find(known, problem.reason())
                        .map(DiagnosedProblem::since)
                        .orElse(state.since());
                all.add(new DiagnosedProblem(stored.subject().toProblemSubject(), problem, since));
            }
        }
        return all;
    }

    private static Optional<DiagnosedProblem> find(List<DiagnosedProblem> troubles, Reason reason) {
        return troubles.stream().filter(trouble -> trouble.reason() == reason).findFirst();
    }

    private static DiagnosisSnapshot.Profile profile(LiveTenant tenant, MachineDeploymentView seen) {
        String asked = seen.profileNamespace().isEmpty() || seen.profile().isEmpty()
                ? seen.profile()
                : seen.profileNamespace() + "/" + seen.profile();
        return tenant.profile(new ObjectKey(seen.namespace(), seen.name()), PreviewProposal.NONE)
                .map(found -> new DiagnosisSnapshot.Profile(
                        found.namespace() + "/" + found.name(),
                        found.version(),
                        seen.operatingSystem(),
                        seen.cloudProvider(),
                        found.applied().extensions().stream()
                                .map(applied -> applied.extension().path())
                                .toList()))
                .orElseGet(
                        () -> new DiagnosisSnapshot.Profile(asked, "", seen.operatingSystem(), seen.cloudProvider()));
    }

    private static DiagnosisSnapshot.Token token(TenantView view, MachineDeploymentView seen) {
        boolean byServiceAccount = view.settings() != null
                && view.settings().toTenantSettings().provisioning().bootstrap().serviceAccount() != null;
        MachineDeploymentState state = seen.state();
        Instant end = state != null && state.token() != null ? state.token().expiration() : seen.tokenEnd();
        return new DiagnosisSnapshot.Token(
                byServiceAccount || !seen.tokenDeleted().isEmpty() ? null : end,
                byServiceAccount,
                state == null || state.fetch() == null ? null : state.fetch().expiration(),
                seen.tokenDeleted());
    }

    /**
     * What the statuses say.
     *
     * @param tenant null before the first status
     * @param open problems of the tenant
     * @param config null if there is none
     */
    private record Stored(
            DiagnosisSubject subject,
            @Nullable WorkerClusterStatus tenant,
            List<OpenProblem> open,
            @Nullable StoredConfig config,
            Instant now) {

        DiagnosisSnapshot snapshot(@Nullable String unansweredBy) {
            boolean connected = NullableCollections.stream(tenant == null ? null : tenant.conditions())
                    .anyMatch(condition ->
                            condition.type().equals("Connected") && condition.status() == Condition.Status.TRUE);
            Chain chain = Chain.of(status(), connected);
            String deletedToken = secret(Role.BOOTSTRAP_TOKEN)
                    .filter(token -> token.state() == SecretState.MISSING)
                    .map(PublishedSecret::name)
                    .orElse("");
            return new DiagnosisSnapshot(
                    subject,
                    newNodes(),
                    chain,
                    troubles(chain),
                    profile(),
                    config(null),
                    secret(SecretRole.PROVISIONING, null),
                    secret(SecretRole.BOOTSTRAP, null),
                    new DiagnosisSnapshot.Token(null, false, null, deletedToken),
                    connection(null, connected),
                    null,
                    now,
                    unansweredBy);
        }

        @Nullable OperatingSystemConfigStatus status() {
            return config == null ? null : config.status();
        }

        /** With a problem and nothing published, no node starts. */
        private NewNodes newNodes() {
            OperatingSystemConfigStatus status = status();
            if (status != null && status.newNodes() != null) {
                return status.newNodes();
            }
            boolean wrong = status == null
                    && ofMachineDeployment().stream()
                            .anyMatch(trouble -> trouble.reason().severity() == Severity.ERROR);
            return wrong ? NewNodes.BLOCKED : NewNodes.PENDING;
        }

        /** With the links that its conditions show to be broken, unless a list of problems has the reason. */
        private List<DiagnosedProblem> troubles(Chain chain) {
            List<DiagnosedProblem> all = new ArrayList<>(ofTenant());
            all.addAll(ofMachineDeployment());
            List<DiagnosedProblem> listed = List.copyOf(all);
            OperatingSystemConfigStatus status = status();
            chain.problems().forEach((link, condition) -> {
                Problem problem = find(status == null ? null : status.problems(), condition);
                if (DiagnosisCollector.find(listed, problem.reason()).isEmpty()) {
                    all.add(new DiagnosedProblem(
                            subject.toProblemSubject(), problem.atLink(link), time(condition.lastTransitionTime())));
                }
            });
            return all;
        }

        private Problem find(@Nullable List<StoredProblem> stored, Condition condition) {
            return StoredProblem.find(stored, StatusParser.reason(condition.reason()), condition.message(), scope());
        }

        private Problem.Scope scope() {
            return new Problem.Scope(subject.tenant(), subject.workerCluster());
        }

        private Instant time(@Nullable String text) {
            return Objects.requireNonNullElse(StatusParser.time(text), now);
        }

        /** Problems of the tenant, plus its pause, which is not a problem but suspends writes. */
        List<DiagnosedProblem> ofTenant() {
            ProblemSubject about = new ProblemSubject(
                    subject.tenant(),
                    subject.workerCluster(),
                    Kind.WORKER_CLUSTER,
                    subject.tenant(),
                    subject.workerCluster());
            List<DiagnosedProblem> troubles = new ArrayList<>();
            open.stream()
                    .filter(problem -> Kind.WORKER_CLUSTER.word().equals(problem.kind()))
                    .forEach(problem -> troubles.add(
                            new DiagnosedProblem(about, problem.toProblem(scope()), time(problem.since()))));
            if (tenant != null) {
                NullableCollections.stream(tenant.conditions())
                        .filter(condition -> condition.reason().equals(Reason.Paused.wireName()))
                        .findFirst()
                        .ifPresent(condition -> troubles.add(new DiagnosedProblem(
                                about, find(tenant.pauses(), condition), time(condition.lastTransitionTime()))));
            }
            return troubles;
        }

        /** Those in the tenant's list that are about the MachineDeployment. */
        List<DiagnosedProblem> ofMachineDeployment() {
            ProblemSubject about = subject.toProblemSubject();
            return open.stream()
                    .filter(problem -> about.kind().word().equals(problem.kind())
                            && about.namespace().equals(problem.namespace())
                            && about.name().equals(problem.name()))
                    .map(problem -> new DiagnosedProblem(about, problem.toProblem(scope()), time(problem.since())))
                    .toList();
        }

        private Optional<PublishedSecret> secret(Role role) {
            OperatingSystemConfigStatus status = status();
            return NullableCollections.stream(status == null ? null : status.secrets())
                    .filter(secret -> secret.role() == role)
                    .findFirst();
        }

        DiagnosisSnapshot.Secret secret(SecretRole role, @Nullable MachineDeploymentView seen) {
            Optional<PublishedSecret> told = secret(Role.valueOf(role.name()));
            SecretView placed = seen == null ? null : seen.secrets().get(role);
            UserDataSize.Limit usual = UserDataSize.limit(seen == null ? "" : seen.cloudProvider(), null);
            Integer limit = told.isPresent() ? told.get().limitBytes() : usual == null ? null : usual.bytes();
            return new DiagnosisSnapshot.Secret(
                    seen == null ? told.isPresent() && told.get().state() != SecretState.MISSING : placed != null,
                    ObjectNames.SETTINGS_NAMESPACE,
                    role.name(new ObjectNames(subject.namespace(), subject.name())),
                    told.map(PublishedSecret::bytes).orElse(placed == null ? 0 : placed.bytes()),
                    role != SecretRole.BOOTSTRAP || limit == null ? null : Long.valueOf(limit));
        }

        DiagnosisSnapshot.Config config(@Nullable MachineDeploymentView seen) {
            SecretView bootstrap = seen == null ? null : seen.secrets().get(SecretRole.BOOTSTRAP);
            Optional<RenderSource> source = Optional.ofNullable(status()).map(OperatingSystemConfigStatus::source);
            return new DiagnosisSnapshot.Config(
                    new ObjectNames(subject.namespace(), subject.name()).operatingSystemConfig(),
                    seen != null
                            ? seen.revision()
                            : wanted().map(RenderSource::machineDeployment)
                                    .map(OperatingSystemConfigStatus.MachineDeploymentSource::revision)
                                    .orElse(""),
                    seen == null
                            ? secret(Role.BOOTSTRAP)
                                    .map(PublishedSecret::revision)
                                    .orElse("")
                            : bootstrap == null ? "" : bootstrap.revision(),
                    seen == null
                            ? source.map(RenderSource::profile)
                                    .map(OperatingSystemConfigStatus.ProfileSource::version)
                                    .orElse("")
                            : bootstrap == null ? "" : bootstrap.profileVersion(),
                    wanted().map(RenderSource::settingsHash).orElse(""),
                    wanted().map(RenderSource::contentHash).orElse(config == null ? "" : config.contentHash()));
        }

        /** The wanted source, which the status contains if it differs from the published one. */
        private Optional<RenderSource> wanted() {
            OperatingSystemConfigStatus status = status();
            return status == null
                    ? Optional.empty()
                    : Optional.ofNullable(status.wanted() == null ? status.source() : status.wanted());
        }

        private DiagnosisSnapshot.Profile profile() {
            OperatingSystemConfigStatus.ProfileSource profile =
                    wanted().map(RenderSource::profile).orElse(null);
            if (profile == null || profile.name() == null) {
                return new DiagnosisSnapshot.Profile("", "", "", "");
            }
            String name = profile.namespace() == null ? profile.name() : profile.namespace() + "/" + profile.name();
            List<String> extensions = wanted().stream()
                    .flatMap(source -> NullableCollections.stream(source.extensions()))
                    .map(ExtensionSource::path)
                    .toList();
            return new DiagnosisSnapshot.Profile(
                    name, Objects.requireNonNullElse(profile.version(), ""), "", "", extensions);
        }

        DiagnosisSnapshot.Connection connection(@Nullable Instant lastEvent, boolean connected) {
            Optional<WorkerClusterStatus> status = Optional.ofNullable(tenant);
            return new DiagnosisSnapshot.Connection(
                    status.map(WorkerClusterStatus::endpoint).map(Stored::host).orElse(""),
                    status.map(WorkerClusterStatus::kubernetesVersion).orElse(""),
                    lastEvent,
                    connected,
                    status.map(found -> StatusParser.time(found.credentialsExpireAt()))
                            .orElse(null));
        }

        private static @Nullable String host(String endpoint) {
            UrlHost host = UrlHost.parse(endpoint);
            return host == null ? null : host.name();
        }
    }
}

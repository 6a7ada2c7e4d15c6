package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosisSubject;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.userdata.UserDataSize;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.LiveTenant.PreviewProposal;
import io.osmhub.tenancy.TenantDirectory.TenantView;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.reconcile.MachineDeploymentViews.MachineDeploymentView;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects snapshots from the caches of this replica, or from stored state if it does not serve the tenant. */
final class DiagnosisCollector {
    private final HubQueries details;
    private final MachineReader machines;
    private final UnaryOperator<String> serving;
    private final InstantSource clock;

    DiagnosisCollector(HubQueries details, MachineReader machines, UnaryOperator<String> serving, InstantSource clock) {
        this.details = details;
        this.machines = machines;
        this.serving = serving;
        this.clock = clock;
    }

    /** @param machine empty for the MachineDeployment as a whole */
    Optional<DiagnosisSnapshot> collect(String tenant, ObjectKey key, String machine, boolean readMachines) {
        Optional<LiveTenant> live = details.live(tenant);
        if (live.isPresent()) {
            Optional<MachineDeploymentView> closeUp = live.get().machineDeployment(key);
            if (closeUp.isPresent()) {
                return Optional.of(collectLive(live.get(), closeUp.get(), machine, readMachines));
            }
        }
        return collectStored(tenant, key, machine, live.isEmpty() ? serving.apply(tenant) : null);
    }

    private DiagnosisSnapshot collectLive(
            LiveTenant tenant, MachineDeploymentView seen, String machine, boolean readMachines) {
        TenantView view = tenant.view();
        Instant now = clock.instant();
        DiagnosisSubject subject =
                new DiagnosisSubject(view.namespace(), view.name(), seen.namespace(), seen.name(), machine);
        MachineDeploymentState state = seen.state();
        SyncStatus sync = view.sync();
        boolean connected = sync != null && sync.phase() != SyncStatus.Phase.SUSPENDED;
        OperatingSystemConfigStatus status =
                seen.config() == null ? null : seen.config().status();
        return new DiagnosisSnapshot(
                subject,
                state == null ? NewNodes.PENDING : state.newNodes(),
                troubles(view, subject, state, now),
                profile(tenant, seen),
                config(seen, status),
                secret(seen, SecretRole.PROVISIONING, status),
                secret(seen, SecretRole.BOOTSTRAP, status),
                token(view, seen),
                new DiagnosisSnapshot.Connection(
                        StatusReader.host(view.status().endpoint()),
                        StatusReader.text(view.status().kubernetesVersion()),
                        tenant.lastEvent().orElse(null),
                        connected,
                        StatusReader.time(view.status().credentialsExpireAt())),
                readMachines && connected ? machines.read(tenant, seen, now) : null,
                now,
                null);
    }

    private static List<DiagnosedProblem> troubles(
            TenantView view, DiagnosisSubject subject, @Nullable MachineDeploymentState state, Instant now) {
        List<DiagnosedProblem> ofTenant = StatusReader.ofTenant(view.status(), view.problems(), subject, now);
        List<DiagnosedProblem> known = StatusReader.ofMachineDeployment(view.problems(), subject, now);
        List<DiagnosedProblem> all = new ArrayList<>(ofTenant);
        all.addAll(
                state == null ? known : StatusReader.ofRun(state.problems(), known, ofTenant, subject, state.since()));
        return all;
    }

    private static DiagnosisSnapshot.Profile profile(LiveTenant tenant, MachineDeploymentView seen) {
        Optional<RenderInput.Profile> found =
                tenant.profile(new ObjectKey(seen.namespace(), seen.name()), PreviewProposal.NONE);
        String asked = seen.profileNamespace().isEmpty() || seen.profile().isEmpty()
                ? seen.profile()
                : seen.profileNamespace() + "/" + seen.profile();
        return new DiagnosisSnapshot.Profile(
                found.map(profile -> profile.namespace() + "/" + profile.name()).orElse(asked),
                found.map(profile -> profile.compiled().spec().version()).orElse(""),
                seen.operatingSystem(),
                seen.cloudProvider());
    }

    private static DiagnosisSnapshot.Config config(
            MachineDeploymentView seen, @Nullable OperatingSystemConfigStatus status) {
        MachineDeploymentView.SecretView bootstrap = seen.secrets().get(SecretRole.BOOTSTRAP);
        RenderSource wanted = StatusReader.wanted(status);
        StoredConfig config = seen.config();
        String content = wanted == null ? "" : StatusReader.text(wanted.contentHash());
        return new DiagnosisSnapshot.Config(
                new ObjectNames(seen.namespace(), seen.name()).operatingSystemConfig(),
                seen.revision(),
                bootstrap == null ? "" : bootstrap.revision(),
                bootstrap == null ? "" : bootstrap.profileVersion(),
                wanted == null ? "" : StatusReader.text(wanted.settingsHash()),
                content.isEmpty() && config != null ? config.contentHash() : content);
    }

    private static DiagnosisSnapshot.Secret secret(
            MachineDeploymentView seen, SecretRole role, @Nullable OperatingSystemConfigStatus status) {
        MachineDeploymentView.SecretView placed = seen.secrets().get(role);
        boolean bootstrap = role == SecretRole.BOOTSTRAP;
        return StatusReader.secret(
                new ObjectNames(seen.namespace(), seen.name()),
                bootstrap,
                placed != null,
                StatusReader.secret(status, bootstrap ? Role.BOOTSTRAP : Role.PROVISIONING)
                        .map(PublishedSecret::bytes)
                        .orElseGet(() -> placed == null ? 0 : placed.bytes()),
                bootstrap ? limit(status, seen.cloudProvider()) : null);
    }

    static @Nullable Long limit(@Nullable OperatingSystemConfigStatus status, String provider) {
        Optional<PublishedSecret> told = StatusReader.secret(status, Role.BOOTSTRAP);
        if (told.isPresent()) {
            Integer limit = told.get().limitBytes();
            return limit == null ? null : Long.valueOf(limit);
        }
        UserDataSize.Limit limit = UserDataSize.limit(provider, null);
        return limit == null ? null : Long.valueOf(limit.bytes());
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

    private Optional<DiagnosisSnapshot> collectStored(
            String tenant, ObjectKey key, String machine, @Nullable String unansweredBy) {
        Optional<WorkerClusterRecord> owner = details.workerCluster(tenant);
        if (owner.isEmpty()) {
            return Optional.empty();
        }
        ObjectNames names = new ObjectNames(key.namespace(), key.name());
        StoredConfig config = details.config(tenant, names.operatingSystemConfig())
                .filter(found -> key.toString().equals(found.owner()))
                .orElse(null);
        WorkerClusterStatus status = owner.get().status();
        DiagnosisSubject subject =
                new DiagnosisSubject(tenant, owner.get().name(), key.namespace(), key.name(), machine);
        Instant now = clock.instant();
        List<OpenProblem> problems = NullableCollections.stream(status == null ? null : status.problems())
                .toList();
        List<DiagnosedProblem> own = StatusReader.ofMachineDeployment(problems, subject, now);
        if (config == null && own.isEmpty()) {
            return Optional.empty();
        }
        List<DiagnosedProblem> all =
                new ArrayList<>(status == null ? List.of() : StatusReader.ofTenant(status, problems, subject, now));
        all.addAll(own);
        OperatingSystemConfigStatus said = config == null ? null : config.status();
        all.addAll(StatusReader.ofConfig(said, all, subject, now));
        return Optional.of(new DiagnosisSnapshot(
                subject,
                newNodes(said, own),
                all,
                profile(said),
                config(names, config, said),
                secret(names, said, Role.PROVISIONING),
                secret(names, said, Role.BOOTSTRAP),
                new DiagnosisSnapshot.Token(null, false, null, deletedToken(said)),
                new DiagnosisSnapshot.Connection(
                        status == null ? "" : StatusReader.host(status.endpoint()),
                        status == null ? "" : StatusReader.text(status.kubernetesVersion()),
                        null,
                        isConnected(status),
                        status == null ? null : StatusReader.time(status.credentialsExpireAt())),
                null,
                now,
                unansweredBy));
    }

    private static String deletedToken(@Nullable OperatingSystemConfigStatus said) {
        return StatusReader.secret(said, Role.BOOTSTRAP_TOKEN)
                .filter(token -> token.state() == SecretState.MISSING)
                .map(PublishedSecret::name)
                .orElse("");
    }

    /** With a problem and nothing published, no node starts. */
    private static NewNodes newNodes(@Nullable OperatingSystemConfigStatus said, List<DiagnosedProblem> own) {
        if (said != null && said.newNodes() != null) {
            return said.newNodes();
        }
        boolean wrong = said == null
                && own.stream().anyMatch(trouble -> trouble.reason().severity() == Severity.ERROR);
        return wrong ? NewNodes.BLOCKED : NewNodes.PENDING;
    }

    private static boolean isConnected(@Nullable WorkerClusterStatus status) {
        return NullableCollections.stream(status == null ? null : status.conditions())
                .anyMatch(condition ->
                        condition.type().equals("Connected") && condition.status() == Condition.Status.TRUE);
    }

    private static DiagnosisSnapshot.Profile profile(@Nullable OperatingSystemConfigStatus status) {
        RenderSource wanted = StatusReader.wanted(status);
        OperatingSystemConfigStatus.ProfileSource profile = wanted == null ? null : wanted.profile();
        if (profile == null || profile.name() == null) {
            return new DiagnosisSnapshot.Profile("", "", "", "");
        }
        String name = profile.namespace() == null ? profile.name() : profile.namespace() + "/" + profile.name();
        return new DiagnosisSnapshot.Profile(name, StatusReader.text(profile.version()), "", "");
    }

    private static DiagnosisSnapshot.Config config(
            ObjectNames names, @Nullable StoredConfig config, @Nullable OperatingSystemConfigStatus status) {
        RenderSource wanted = StatusReader.wanted(status);
        String wantedRevision = wanted == null || wanted.machineDeployment() == null
                ? ""
                : StatusReader.text(wanted.machineDeployment().revision());
        RenderSource source = status == null ? null : status.source();
        String version = source == null || source.profile() == null
                ? ""
                : StatusReader.text(source.profile().version());
        return new DiagnosisSnapshot.Config(
                names.operatingSystemConfig(),
                wantedRevision,
                StatusReader.secret(status, Role.BOOTSTRAP)
                        .map(PublishedSecret::revision)
                        .orElse(""),
                version,
                wanted == null ? "" : StatusReader.text(wanted.settingsHash()),
                config == null ? "" : config.contentHash());
    }

    private static DiagnosisSnapshot.Secret secret(
            ObjectNames names, @Nullable OperatingSystemConfigStatus status, Role role) {
        Optional<PublishedSecret> told = StatusReader.secret(status, role);
        boolean present = told.isPresent() && told.get().state() != SecretState.MISSING;
        boolean bootstrap = role == Role.BOOTSTRAP;
        Integer bytes = told.map(PublishedSecret::bytes).orElse(null);
        return StatusReader.secret(
                names, bootstrap, present, bytes == null ? 0 : bytes, bootstrap ? limit(status, "") : null);
    }
}

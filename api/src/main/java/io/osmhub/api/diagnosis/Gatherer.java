package io.osmhub.api.diagnosis;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Source;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.render.UserDataLimit;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.LiveDetails;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.Proposal;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.reconcile.CloseUp;
import io.osmhub.workersync.reconcile.State;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Puts a situation together: from the caches of this replica, or from what is stored when it does not serve the tenant. */
final class Gatherer {
    private final LiveDetails details;
    private final MachineReader machines;
    private final InstantSource clock;

    Gatherer(LiveDetails details, MachineReader machines, InstantSource clock) {
        this.details = details;
        this.machines = machines;
        this.clock = clock;
    }

    /** @param machine empty for the MachineDeployment as a whole */
    Optional<Situation> situation(String tenant, ObjectKey key, String machine, boolean readMachines) {
        Optional<LiveTenant> live = details.live(tenant);
        if (live.isPresent()) {
            Optional<CloseUp> closeUp = live.get().machineDeployment(key);
            if (closeUp.isPresent()) {
                return Optional.of(live(live.get(), closeUp.get(), machine, readMachines));
            }
        }
        return stored(tenant, key, machine, live.isEmpty());
    }

    private Situation live(LiveTenant tenant, CloseUp seen, String machine, boolean readMachines) {
        TenantView view = tenant.view();
        Instant now = clock.instant();
        ObjectKey key = new ObjectKey(seen.namespace(), seen.name());
        Situation.Subject subject =
                new Situation.Subject(view.namespace(), view.name(), seen.namespace(), seen.name(), machine);
        State state = seen.state();
        SyncStatus sync = view.sync();
        boolean connected = sync != null && sync.phase() != SyncStatus.Phase.RESTING;
        OperatingSystemConfigStatus status =
                seen.config() == null ? null : seen.config().status();
        return new Situation(
                subject,
                state == null ? NewNodes.PENDING : state.newNodes(),
                state == null ? null : state.since(),
                troubles(view, subject, state, now),
                profile(tenant, seen),
                config(seen, status),
                secret(seen, SecretRole.PROVISIONING, status),
                secret(seen, SecretRole.BOOTSTRAP, status),
                token(view, seen),
                new Situation.Connection(
                        Statuses.host(view.status().endpoint()),
                        Statuses.text(view.status().kubernetesVersion()),
                        tenant.lastEvent().orElse(null),
                        connected),
                readMachines && connected ? machines.read(tenant, key) : null,
                now,
                false);
    }

    private static List<Situation.Trouble> troubles(
            TenantView view, Situation.Subject subject, @Nullable State state, Instant now) {
        List<Situation.Trouble> ofTenant = Statuses.ofTenant(view.status(), view.problems(), subject, now);
        List<Situation.Trouble> known = Statuses.ofMachineDeployment(view.problems(), subject, now);
        List<Situation.Trouble> all = new ArrayList<>(ofTenant);
        all.addAll(state == null ? known : Statuses.ofRun(state.problems(), known, ofTenant, subject, state.since()));
        return all;
    }

    private static Situation.Profile profile(LiveTenant tenant, CloseUp seen) {
        Optional<RenderInput.Profile> found =
                tenant.profile(new ObjectKey(seen.namespace(), seen.name()), Proposal.NONE);
        String asked = seen.profileNamespace().isEmpty() || seen.profile().isEmpty()
                ? seen.profile()
                : seen.profileNamespace() + "/" + seen.profile();
        return new Situation.Profile(
                found.map(profile -> profile.namespace() + "/" + profile.name()).orElse(asked),
                found.map(profile -> profile.compiled().spec().version()).orElse(""),
                seen.operatingSystem(),
                seen.cloudProvider());
    }

    private static Situation.Config config(CloseUp seen, @Nullable OperatingSystemConfigStatus status) {
        CloseUp.Placed bootstrap = seen.secrets().get(SecretRole.BOOTSTRAP);
        Source wanted = Statuses.wanted(status);
        StoredConfig config = seen.config();
        String content = wanted == null ? "" : Statuses.text(wanted.contentHash());
        return new Situation.Config(
                new ObjectNames(seen.namespace(), seen.name()).operatingSystemConfig(),
                seen.revision(),
                bootstrap == null ? "" : bootstrap.revision(),
                bootstrap == null ? "" : bootstrap.profileVersion(),
                wanted == null ? "" : Statuses.text(wanted.settingsHash()),
                content.isEmpty() && config != null ? config.contentHash() : content);
    }

    private static Situation.Secret secret(
            CloseUp seen, SecretRole role, @Nullable OperatingSystemConfigStatus status) {
        CloseUp.Placed placed = seen.secrets().get(role);
        boolean bootstrap = role == SecretRole.BOOTSTRAP;
        return Statuses.secret(
                new ObjectNames(seen.namespace(), seen.name()),
                bootstrap,
                placed != null,
                placed == null ? 0 : placed.bytes(),
                bootstrap ? limit(status, seen.cloudProvider()) : null);
    }

    static @Nullable Long limit(@Nullable OperatingSystemConfigStatus status, String provider) {
        Optional<PublishedSecret> told = Statuses.secret(status, Role.BOOTSTRAP);
        if (told.isPresent()) {
            Integer limit = told.get().limitBytes();
            return limit == null ? null : Long.valueOf(limit);
        }
        OptionalInt limit = UserDataLimit.of(provider);
        return limit.isPresent() ? Long.valueOf(limit.getAsInt()) : null;
    }

    private static Situation.Token token(TenantView view, CloseUp seen) {
        boolean byServiceAccount = view.settings() != null
                && view.settings().settings().provisioning().bootstrap().serviceAccount() != null;
        State state = seen.state();
        Instant end = state != null && state.token() != null ? state.token().expiration() : seen.tokenEnd();
        return new Situation.Token(
                byServiceAccount || !seen.tokenDeleted().isEmpty() ? null : end,
                byServiceAccount,
                state == null || state.fetch() == null ? null : state.fetch().expiration(),
                seen.tokenDeleted());
    }

    private Optional<Situation> stored(String tenant, ObjectKey key, String machine, boolean stale) {
        Optional<WorkerClusterRecord> owner = details.workerCluster(tenant);
        if (owner.isEmpty()) {
            return Optional.empty();
        }
        ObjectNames names = new ObjectNames(key.namespace(), key.name());
        StoredConfig config = details.config(tenant, names.operatingSystemConfig())
                .filter(found -> key.toString().equals(found.owner()))
                .orElse(null);
        WorkerClusterStatus status = owner.get().status();
        Situation.Subject subject =
                new Situation.Subject(tenant, owner.get().name(), key.namespace(), key.name(), machine);
        Instant now = clock.instant();
        List<OpenProblem> problems =
                Copies.stream(status == null ? null : status.problems()).toList();
        List<Situation.Trouble> own = Statuses.ofMachineDeployment(problems, subject, now);
        if (config == null && own.isEmpty()) {
            return Optional.empty();
        }
        List<Situation.Trouble> all =
                new ArrayList<>(status == null ? List.of() : Statuses.ofTenant(status, problems, subject, now));
        all.addAll(own);
        OperatingSystemConfigStatus said = config == null ? null : config.status();
        all.addAll(Statuses.ofConfig(said, all, subject, now));
        return Optional.of(new Situation(
                subject,
                newNodes(said, own),
                null,
                all,
                profile(said),
                config(names, config, said),
                secret(names, said, Role.PROVISIONING),
                secret(names, said, Role.BOOTSTRAP),
                new Situation.Token(null, false, null, deletedToken(said)),
                new Situation.Connection(
                        status == null ? "" : Statuses.host(status.endpoint()),
                        status == null ? "" : Statuses.text(status.kubernetesVersion()),
                        null,
                        isConnected(status)),
                null,
                now,
                stale));
    }

    private static String deletedToken(@Nullable OperatingSystemConfigStatus said) {
        return Statuses.secret(said, Role.BOOTSTRAP_TOKEN)
                .filter(token -> token.state() == SecretState.MISSING)
                .map(PublishedSecret::name)
                .orElse("");
    }

    /** Where nothing was ever published and something is wrong, no node starts. */
    private static NewNodes newNodes(@Nullable OperatingSystemConfigStatus said, List<Situation.Trouble> own) {
        if (said != null && said.newNodes() != null) {
            return said.newNodes();
        }
        boolean wrong = said == null
                && own.stream().anyMatch(trouble -> trouble.reason().severity() == Severity.ERROR);
        return wrong ? NewNodes.BLOCKED : NewNodes.PENDING;
    }

    private static boolean isConnected(@Nullable WorkerClusterStatus status) {
        return Copies.stream(status == null ? null : status.conditions())
                .anyMatch(condition ->
                        condition.type().equals("Connected") && condition.status() == Condition.Status.TRUE);
    }

    private static Situation.Profile profile(@Nullable OperatingSystemConfigStatus status) {
        Source wanted = Statuses.wanted(status);
        OperatingSystemConfigStatus.ProfileSource profile = wanted == null ? null : wanted.profile();
        if (profile == null || profile.name() == null) {
            return new Situation.Profile("", "", "", "");
        }
        String name = profile.namespace() == null ? profile.name() : profile.namespace() + "/" + profile.name();
        return new Situation.Profile(name, Statuses.text(profile.version()), "", "");
    }

    private static Situation.Config config(
            ObjectNames names, @Nullable StoredConfig config, @Nullable OperatingSystemConfigStatus status) {
        Source wanted = Statuses.wanted(status);
        String wantedRevision = wanted == null || wanted.machineDeployment() == null
                ? ""
                : Statuses.text(wanted.machineDeployment().revision());
        Source source = status == null ? null : status.source();
        String version = source == null || source.profile() == null
                ? ""
                : Statuses.text(source.profile().version());
        return new Situation.Config(
                names.operatingSystemConfig(),
                wantedRevision,
                Statuses.secret(status, Role.BOOTSTRAP)
                        .map(PublishedSecret::revision)
                        .orElse(""),
                version,
                wanted == null ? "" : Statuses.text(wanted.settingsHash()),
                config == null ? "" : config.contentHash());
    }

    private static Situation.Secret secret(ObjectNames names, @Nullable OperatingSystemConfigStatus status, Role role) {
        Optional<PublishedSecret> told = Statuses.secret(status, role);
        boolean present = told.isPresent() && told.get().state() != SecretState.MISSING;
        boolean bootstrap = role == Role.BOOTSTRAP;
        Integer bytes = told.map(PublishedSecret::bytes).orElse(null);
        return Statuses.secret(
                names, bootstrap, present, bytes == null ? 0 : bytes, bootstrap ? limit(status, "") : null);
    }
}

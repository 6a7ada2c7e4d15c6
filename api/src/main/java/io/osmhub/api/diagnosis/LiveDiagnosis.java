package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.DocumentSize;
import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.PublishedSecret;
import io.osmhub.api.schema.Source;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.plan.Preview;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.Attempt;
import io.osmhub.tenancy.LiveDetails;
import io.osmhub.tenancy.Proposal;
import io.osmhub.workersync.reconcile.CloseUp;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Diagnosis from the hub's caches. */
public final class LiveDiagnosis implements Diagnosis {
    private static final int MOST_PROBLEMS = 50;

    private final LiveDetails details;
    private final MachineReader machines;
    private final Gatherer gatherer;

    public LiveDiagnosis(LiveDetails details, InstantSource clock) {
        this.details = details;
        this.machines = new MachineReader(details);
        this.gatherer = new Gatherer(details, machines, clock);
    }

    @Override
    public Optional<WhyReport> why(String tenant, String namespace, String machineDeployment, boolean readMachines) {
        return gatherer.situation(tenant, new ObjectKey(namespace, machineDeployment), "", readMachines)
                .map(Reports::of);
    }

    @Override
    public Optional<WhyReport> whyMachine(String tenant, String namespace, String machine) {
        return machines.ownerOf(tenant, namespace, machine)
                .flatMap(owner -> gatherer.situation(tenant, owner, machine, true))
                .map(Reports::of);
    }

    /**
     * The same for one machine where machines cannot be read, by the MachineDeployment that it is said to be of. Empty when there is
     * no such MachineDeployment.
     */
    public Optional<WhyReport> whyMachineOf(String tenant, String namespace, String machineDeployment, String machine) {
        return gatherer.situation(tenant, new ObjectKey(namespace, machineDeployment), machine, false)
                .map(Reports::of);
    }

    @Override
    public Optional<MachineDeploymentDetail> detail(String tenant, String namespace, String machineDeployment) {
        ObjectKey key = new ObjectKey(namespace, machineDeployment);
        return gatherer.situation(tenant, key, "", false).map(situation -> detail(tenant, key, situation));
    }

    private MachineDeploymentDetail detail(String tenant, ObjectKey key, Situation situation) {
        CloseUp seen = details.live(tenant)
                .flatMap(live -> live.machineDeployment(key))
                .orElse(null);
        Attempt attempt = seen == null ? null : wanted(tenant, key).orElse(null);
        Preview preview = attempt == null ? null : attempt.preview();
        StoredConfig config = details.config(tenant, situation.config().name()).orElse(null);
        OperatingSystemConfigStatus status = config == null ? null : config.status();
        Standing standing = Standing.of(situation);
        return new MachineDeploymentDetail(
                row(situation, standing, seen),
                problems(situation),
                wanted(preview, status),
                Shown.source(status == null ? null : status.source()),
                preview == null ? Shown.sizes(status) : Shown.sizes(preview),
                Shown.history(status),
                objects(status, seen, situation));
    }

    /** What would be rendered now; empty unless this replica serves the tenant. */
    Optional<Attempt> wanted(String tenant, ObjectKey key) {
        return details.live(tenant).flatMap(live -> live.attempt(key, Proposal.NONE));
    }

    private static @Nullable Source wanted(@Nullable Preview preview, @Nullable OperatingSystemConfigStatus status) {
        if (preview != null) {
            return Shown.source(preview.rendered(), null);
        }
        return Shown.source(status == null ? null : status.wanted());
    }

    /** Sizes for the page of a configuration. */
    List<DocumentSize> sizes(String tenant, ObjectKey key, @Nullable OperatingSystemConfigStatus status) {
        Preview preview = wanted(tenant, key).map(Attempt::preview).orElse(null);
        return preview == null ? Shown.sizes(status) : Shown.sizes(preview);
    }

    /** End of the token of a MachineDeployment; empty when it is not known here. */
    Optional<Instant> tokenEnd(String tenant, ObjectKey key) {
        return gatherer.situation(tenant, key, "", false)
                .flatMap(situation -> Optional.ofNullable(situation.token().end()));
    }

    private static List<ProblemEntry> problems(Situation situation) {
        return Reports.problems(situation, MOST_PROBLEMS);
    }

    private static MachineDeployment row(Situation situation, Standing standing, @Nullable CloseUp seen) {
        Situation.Config config = situation.config();
        CloseUp.Placed bootstrap = seen == null ? null : seen.secrets().get(SecretRole.BOOTSTRAP);
        Replicas replicas = seen == null ? null : seen.replicas();
        return new MachineDeployment(
                situation.subject().tenant(),
                situation.subject().workerCluster(),
                situation.subject().namespace(),
                situation.subject().name(),
                seen == null ? null : nullIfEmpty(seen.uid()),
                seen == null ? null : seen.createdAt(),
                nullIfEmpty(situation.profile().name()),
                nullIfEmpty(config.publishedVersion()),
                nullIfEmpty(situation.profile().operatingSystem()),
                nullIfEmpty(situation.profile().provider()),
                seen == null ? null : nullIfEmpty(seen.kubeletVersion()),
                config.wantedRevision(),
                bootstrap == null ? nullIfEmpty(config.publishedRevision()) : nullIfEmpty(bootstrap.revision()),
                replicas == null ? null : Integer.valueOf(replicas.wanted()),
                replicas == null ? null : Integer.valueOf(replicas.ready()),
                standing.newNodes(),
                standing.cause() == null ? null : standing.cause().reason(),
                standing.since(),
                situation.token().end(),
                config.name(),
                situation.stale() ? Boolean.TRUE : null);
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    /** As the status says, corrected by what is seen now. */
    private static List<PublishedSecret> objects(
            @Nullable OperatingSystemConfigStatus status, @Nullable CloseUp seen, Situation situation) {
        List<PublishedSecret> told = new ArrayList<>();
        for (PublishedSecret secret : Shown.secrets(status)) {
            told.add(seen == null ? secret : corrected(secret, seen, situation));
        }
        return told;
    }

    private static PublishedSecret corrected(PublishedSecret secret, CloseUp seen, Situation situation) {
        if (secret.role() == Role.BOOTSTRAP_TOKEN) {
            Instant end = situation.token().end();
            boolean good = end != null && end.isAfter(situation.now());
            return with(secret, good ? SecretState.CURRENT : SecretState.MISSING, null, null);
        }
        CloseUp.Placed placed = seen.secrets().get(role(secret.role()));
        if (placed == null) {
            return with(secret, SecretState.MISSING, null, null);
        }
        SecretState state = secret.state() == SecretState.MISSING ? SecretState.CURRENT : secret.state();
        return with(secret, state, nullIfEmpty(placed.revision()), (long) placed.bytes());
    }

    private static SecretRole role(Role role) {
        return switch (role) {
            case BOOTSTRAP, BOOTSTRAP_TOKEN -> SecretRole.BOOTSTRAP;
            case PROVISIONING -> SecretRole.PROVISIONING;
            case KUBELET_BOOTSTRAP -> SecretRole.KUBELET_BOOTSTRAP;
            case EDGE_SCRIPT -> SecretRole.EDGE_SCRIPT;
        };
    }

    private static PublishedSecret with(
            PublishedSecret secret, SecretState state, @Nullable String revision, @Nullable Long bytes) {
        return new PublishedSecret(
                secret.role(), secret.namespace(), secret.name(), state, revision, bytes, secret.publishedAt());
    }
}

package io.osmhub.deploy.fleet;

import io.osmhub.api.diagnosis.LiveDiagnosisService;
import io.osmhub.api.diagnosis.ObjectDetails;
import io.osmhub.api.inventory.Visibility;
import io.osmhub.api.journal.ChangeJournal;
import io.osmhub.api.paging.PageRequest;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.PagedList;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.problem.SpellingSuggestion;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import io.osmhub.deploy.fleet.FleetSource.ChangeHandler;
import io.osmhub.deploy.fleet.FleetSource.FollowOptions;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Serves the API's schemas from the local read model. */
final class LocalFleet implements AutoCloseable {
    private static final Duration BETWEEN_BOOKMARKS = Duration.ofSeconds(10);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(1);

    private final LocalReadModel model;
    private final String server;
    private final LiveDiagnosisService diagnosis;
    private final ObjectDetails look;

    LocalFleet(LocalReadModel model, String server) {
        this.model = model;
        this.server = server;
        LocalDetails details = model.details();
        this.diagnosis = new LiveDiagnosisService(details, InstantSource.system());
        this.look = new ObjectDetails(diagnosis, details, model.inventory());
    }

    <T> List<T> list(FleetCollection<T> shelf, FleetListQuery query) throws FleetFailure {
        ListFilters filters = new ListFilters(query.fields());
        List<T> found = new ArrayList<>();
        PageRequest request = new PageRequest(
                PageRequest.LARGEST_LIMIT,
                null,
                nullIfEmpty(query.sort()),
                nullIfEmpty(query.search()),
                nullIfEmpty(query.labelSelector()),
                nullIfEmpty(query.namespace()));
        try {
            PagedList<T> page;
            do {
                page = shelf.local().page(model.inventory(), filters, request);
                found.addAll(page.items());
                request = request.at(page.next());
            } while (page.next() != null && (query.limit() == 0 || found.size() < query.limit()));
        } catch (ApiProblem e) {
            throw unusable(e);
        }
        return List.copyOf(
                query.limit() == 0 || found.size() <= query.limit() ? found : found.subList(0, query.limit()));
    }

    private static FleetFailure unusable(ApiProblem problem) {
        List<String> lines = problem.mistakes().size() < 2
                ? List.of()
                : problem.mistakes().stream()
                        .map(mistake -> mistake.detail() + "; " + mistake.cure())
                        .toList();
        String cure = problem.mistakes().size() == 1
                        && !problem.mistakes().getFirst().cure().isEmpty()
                ? "; " + problem.mistakes().getFirst().cure()
                : "";
        return new FleetFailure(FleetFailureKind.UNUSABLE, problem.detail() + cure, lines);
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    OspDetail profile(String namespace, String name) throws FleetFailure {
        return found(look.profile(namespace, name, Visibility.EVERYTHING), () -> profileNotFound(namespace, name));
    }

    FleetFailure profileNotFound(String namespace, String name) throws FleetFailure {
        return notFound(
                "OperatingSystemProfile",
                namespace,
                name,
                list(FleetCollection.PROFILES, FleetListQuery.in(namespace)).stream()
                        .map(one -> one.metadata().name())
                        .toList(),
                "osps");
    }

    OscDetail configuration(String namespace, String name) throws FleetFailure {
        return found(
                look.configuration(namespace, name),
                () -> notFound(
                        "OperatingSystemConfig",
                        namespace,
                        name,
                        list(FleetCollection.CONFIGURATIONS, FleetListQuery.in(namespace)).stream()
                                .map(one -> one.metadata().name())
                                .toList(),
                        "oscs"));
    }

    MachineDeploymentDetail machineDeployment(String tenant, String namespace, String name) throws FleetFailure {
        MachineDeploymentDetail detail = found(
                diagnosis.describe(tenant, namespace, name), () -> noMachineDeployment(tenant, namespace + "/" + name));
        return model.inventory()
                .machineDeployment(tenant, namespace, name, Visibility.EVERYTHING)
                .map(row -> with(detail, row))
                .orElse(detail);
    }

    /** Prefers the list's row: the diagnosis would need the MachineDeployment, which is not read here. */
    private static MachineDeploymentDetail with(MachineDeploymentDetail detail, MachineDeploymentEntry row) {
        MachineDeploymentEntry one = detail.machineDeployment();
        MachineDeploymentEntry both = new MachineDeploymentEntry(
                one.tenant(),
                one.workerCluster(),
                one.namespace(),
                one.name(),
                row.uid(),
                row.createdAt(),
                one.profile() == null ? row.profile() : one.profile(),
                one.profileVersion() == null ? row.profileVersion() : one.profileVersion(),
                row.operatingSystem(),
                row.cloudProvider(),
                row.kubeletVersion(),
                one.revision() == null ? row.revision() : one.revision(),
                one.publishedRevision() == null ? row.publishedRevision() : one.publishedRevision(),
                row.replicas(),
                row.readyReplicas(),
                one.newNodes(),
                one.reason(),
                one.since(),
                row.tokenExpiresAt(),
                one.osc(),
                one.stale());
        return new MachineDeploymentDetail(
                both,
                detail.problems(),
                detail.wanted(),
                detail.published(),
                detail.sizes(),
                detail.history(),
                detail.objects());
    }

    WhyReport why(String tenant, String namespace, String name) throws FleetFailure {
        return found(
                diagnosis.explain(tenant, namespace, name, false),
                () -> noMachineDeployment(tenant, namespace + "/" + name));
    }

    /** Does not read machines, which are in the worker cluster: a machine's name starts with its MachineDeployment's. */
    WhyReport whyMachine(String tenant, String namespace, String machine) throws FleetFailure {
        Optional<MachineDeploymentEntry> owner = machineDeployments(tenant).stream()
                .filter(one -> one.namespace().equals(namespace) && machine.startsWith(one.name() + "-"))
                .max(Comparator.comparingInt(one -> one.name().length()));
        if (owner.isEmpty()) {
            throw new FleetFailure(
                    FleetFailureKind.NOT_FOUND,
                    "no MachineDeployment found for Machine " + namespace + "/" + machine + " in namespace " + tenant
                            + "; list all with hub get mds -n " + tenant);
        }
        return found(
                diagnosis.explainMachineOf(tenant, namespace, owner.get().name(), machine),
                () -> noMachineDeployment(tenant, namespace + "/" + owner.get().name()));
    }

    private List<MachineDeploymentEntry> machineDeployments(String tenant) throws FleetFailure {
        return list(FleetCollection.MACHINE_DEPLOYMENTS, new FleetListQuery(tenant, "", Map.of(), "", "", 0));
    }

    private FleetFailure noMachineDeployment(String tenant, String name) throws FleetFailure {
        return notFound(
                "MachineDeployment",
                tenant,
                name,
                machineDeployments(tenant).stream()
                        .map(one -> one.namespace() + "/" + one.name())
                        .toList(),
                "mds");
    }

    private static FleetFailure notFound(String kind, String namespace, String name, List<String> names, String noun) {
        String cure = SpellingSuggestion.findClosest(name, names)
                .map(near -> "did you mean " + near + "?")
                .orElse("list all with hub get " + noun + " -n " + namespace);
        return new FleetFailure(
                FleetFailureKind.NOT_FOUND, "no " + kind + " " + name + " in namespace " + namespace + "; " + cure);
    }

    private interface NotFoundFailure {
        FleetFailure failure() throws FleetFailure;
    }

    private static <T> T found(Optional<T> one, NotFoundFailure missing) throws FleetFailure {
        if (one.isEmpty()) {
            throw missing.failure();
        }
        return one.get();
    }

    // Following

    /** Follows the journal like a stream of the API: from a known position, change by change. */
    void follow(FollowOptions wanted, ChangeHandler receiver) throws FleetFailure {
        ChangeJournal journal = model.journal();
        try {
            long at = journal.endPosition();
            boolean more = receiver.onEvent(bare(StreamEvent.Type.BOOKMARK, journal.idOf(at)));
            while (more) {
                checkTrouble(receiver);
                switch (journal.checkPosition(at)) {
                    case LOST -> {
                        at = journal.endPosition();
                        more = receiver.onEvent(bare(StreamEvent.Type.RESET, journal.idOf(at)));
                    }
                    case NOT_READY -> Thread.sleep(BEFORE_NEXT_TRY);
                    case KNOWN -> {
                        for (ChangeJournal.JournalEvent next : journal.awaitNext(at, BETWEEN_BOOKMARKS)) {
                            more = more && (!isWanted(wanted, next.event()) || receiver.onEvent(next.event()));
                            at = next.number();
                        }
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void checkTrouble(ChangeHandler receiver) throws FleetFailure {
        ApiFailure trouble = model.trouble();
        if (trouble != null) {
            if (trouble.isUnauthorized()) {
                throw FailureMessages.of(trouble, server);
            }
            receiver.onWaiting(FailureMessages.of(trouble, server).text());
        }
    }

    private static boolean isWanted(FollowOptions wanted, StreamEvent event) {
        return (wanted.namespace().isEmpty() || wanted.namespace().equals(event.tenant()))
                && (wanted.kinds().isEmpty() || wanted.kinds().contains(event.kind()));
    }

    private static StreamEvent bare(StreamEvent.Type type, String id) {
        return new StreamEvent(id, type, Instant.now(), null, null, null, null, null, null, null);
    }

    @Override
    public void close() {
        model.close();
    }
}

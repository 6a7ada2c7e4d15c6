package io.osmhub.deploy.fleet;

import io.osmhub.api.diagnosis.CloseLook;
import io.osmhub.api.diagnosis.LiveDiagnosis;
import io.osmhub.api.inventory.Sight;
import io.osmhub.api.journal.Journal;
import io.osmhub.api.journal.Position;
import io.osmhub.api.journal.Told;
import io.osmhub.api.paging.PageRequest;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.Page;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource.Receiver;
import io.osmhub.deploy.fleet.FleetSource.Wanted;
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

/** Answers from a read model of this process, in the words of the API. */
final class StoredFleet implements AutoCloseable {
    private static final Duration BETWEEN_BOOKMARKS = Duration.ofSeconds(10);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(1);

    private final StoredModel model;
    private final String server;
    private final LiveDiagnosis diagnosis;
    private final CloseLook look;

    StoredFleet(StoredModel model, String server) {
        this.model = model;
        this.server = server;
        StoredDetails details = model.details();
        this.diagnosis = new LiveDiagnosis(details, InstantSource.system());
        this.look = new CloseLook(diagnosis, details, model.inventory());
    }

    <T> List<T> list(Shelf<T> shelf, ListQuery query) throws FleetFailure {
        Filters filters = new Filters(query.fields());
        List<T> found = new ArrayList<>();
        PageRequest request = new PageRequest(
                PageRequest.LARGEST_LIMIT,
                null,
                nullIfEmpty(query.sort()),
                nullIfEmpty(query.search()),
                nullIfEmpty(query.labelSelector()),
                nullIfEmpty(query.namespace()));
        try {
            Page<T> page;
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
        return new FleetFailure(Kind.UNUSABLE, problem.detail() + cure, lines);
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    OspDetail profile(String namespace, String name) throws FleetFailure {
        return found(look.profile(namespace, name, Sight.EVERYTHING), () -> noProfile(namespace, name));
    }

    FleetFailure noProfile(String namespace, String name) throws FleetFailure {
        return missing(
                "OperatingSystemProfile",
                namespace,
                name,
                list(Shelf.PROFILES, ListQuery.in(namespace)).stream()
                        .map(one -> one.metadata().name())
                        .toList(),
                "osps");
    }

    OscDetail configuration(String namespace, String name) throws FleetFailure {
        return found(
                look.configuration(namespace, name),
                () -> missing(
                        "OperatingSystemConfig",
                        namespace,
                        name,
                        list(Shelf.CONFIGURATIONS, ListQuery.in(namespace)).stream()
                                .map(one -> one.metadata().name())
                                .toList(),
                        "oscs"));
    }

    MachineDeploymentDetail machineDeployment(String tenant, String namespace, String name) throws FleetFailure {
        MachineDeploymentDetail detail = found(
                diagnosis.detail(tenant, namespace, name), () -> noMachineDeployment(tenant, namespace + "/" + name));
        return model.inventory()
                .machineDeployment(tenant, namespace, name, Sight.EVERYTHING)
                .map(row -> with(detail, row))
                .orElse(detail);
    }

    /** The list knows what the configuration says; the diagnosis would look at the MachineDeployment, which is not read here. */
    private static MachineDeploymentDetail with(MachineDeploymentDetail detail, MachineDeployment row) {
        MachineDeployment one = detail.machineDeployment();
        MachineDeployment both = new MachineDeployment(
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
                diagnosis.why(tenant, namespace, name, false),
                () -> noMachineDeployment(tenant, namespace + "/" + name));
    }

    /** Machines are in the worker cluster, which is not asked: one is called as its MachineDeployment, and something more. */
    WhyReport whyMachine(String tenant, String namespace, String machine) throws FleetFailure {
        Optional<MachineDeployment> owner = machineDeployments(tenant).stream()
                .filter(one -> one.namespace().equals(namespace) && machine.startsWith(one.name() + "-"))
                .max(Comparator.comparingInt(one -> one.name().length()));
        if (owner.isEmpty()) {
            throw new FleetFailure(
                    Kind.NOT_FOUND,
                    "no MachineDeployment of " + tenant + " that Machine " + namespace + "/" + machine
                            + " could be of; hub get mds -n " + tenant + " shows all");
        }
        return found(
                diagnosis.whyMachineOf(tenant, namespace, owner.get().name(), machine),
                () -> noMachineDeployment(tenant, namespace + "/" + owner.get().name()));
    }

    private List<MachineDeployment> machineDeployments(String tenant) throws FleetFailure {
        return list(Shelf.MACHINE_DEPLOYMENTS, new ListQuery(tenant, "", Map.of(), "", "", 0));
    }

    private FleetFailure noMachineDeployment(String tenant, String name) throws FleetFailure {
        return missing(
                "MachineDeployment",
                tenant,
                name,
                machineDeployments(tenant).stream()
                        .map(one -> one.namespace() + "/" + one.name())
                        .toList(),
                "mds");
    }

    private static FleetFailure missing(String kind, String namespace, String name, List<String> names, String noun) {
        String cure = Suggestion.closest(name, names)
                .map(near -> "did you mean " + near + "?")
                .orElse("hub get " + noun + " -n " + namespace + " shows all");
        return new FleetFailure(Kind.NOT_FOUND, "no " + kind + " " + name + " in namespace " + namespace + "; " + cure);
    }

    private interface Missing {
        FleetFailure failure() throws FleetFailure;
    }

    private static <T> T found(Optional<T> one, Missing missing) throws FleetFailure {
        if (one.isEmpty()) {
            throw missing.failure();
        }
        return one.get();
    }

    // Following

    /** As a stream of the API is followed: from a place that is known, change by change. */
    void follow(Wanted wanted, Receiver receiver) throws FleetFailure {
        Journal journal = model.journal();
        try {
            Position at = journal.end();
            boolean more = receiver.take(bare(StreamEvent.Type.BOOKMARK, at));
            while (more) {
                checkTrouble(receiver);
                switch (journal.standing(at)) {
                    case OLDER -> {
                        // What was listed anew after a break: the API server is asked for what lies between.
                        if (!filled(journal, at)) {
                            at = journal.end();
                            more = receiver.take(bare(StreamEvent.Type.RESET, at));
                        }
                    }
                    case NOT_READY -> Thread.sleep(BEFORE_NEXT_TRY);
                    case KNOWN, AHEAD -> {
                        Journal.Steps next = journal.next(at, BETWEEN_BOOKMARKS);
                        for (Journal.Step step : next.steps()) {
                            more = more && (!isWanted(wanted, step.told()) || receiver.take(event(step)));
                        }
                        at = next.after();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void checkTrouble(Receiver receiver) throws FleetFailure {
        ApiFailure trouble = model.trouble();
        if (trouble != null) {
            if (trouble.isUnauthorized()) {
                throw Failing.of(trouble, server);
            }
            receiver.waiting(Failing.of(trouble, server).text());
        }
    }

    private static boolean filled(Journal journal, Position at) throws InterruptedException {
        try {
            journal.fill(at);
            return true;
        } catch (ApiFailure e) {
            if (e.isGone()) {
                return false;
            }
            Thread.sleep(BEFORE_NEXT_TRY);
            return true;
        }
    }

    private static boolean isWanted(Wanted wanted, Told told) {
        return (wanted.namespace().isEmpty() || wanted.namespace().equals(told.tenant()))
                && (wanted.kinds().isEmpty() || wanted.kinds().contains(told.kind()));
    }

    private static StreamEvent event(Journal.Step step) {
        return step.told().event(step.after().text(), step.at());
    }

    private static StreamEvent bare(StreamEvent.Type type, Position at) {
        return new StreamEvent(at.text(), type, Instant.now(), null, null, null, null, null, null, null);
    }

    @Override
    public void close() {
        model.close();
    }
}

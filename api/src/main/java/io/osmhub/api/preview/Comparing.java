package io.osmhub.api.preview;

import io.osmhub.api.access.Access;
import io.osmhub.api.access.Visible;
import io.osmhub.api.diagnosis.Shown;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffReport.Item;
import io.osmhub.api.schema.DiffReport.Item.DocumentChange;
import io.osmhub.api.schema.DiffReport.Item.Result;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Preview;
import io.osmhub.tenancy.Attempt;
import io.osmhub.tenancy.LiveDetails;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.Proposal;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says what a change that nobody has applied would do, and to whom: renders every MachineDeployment that it concerns as it is and as it
 * would be. Sizes and results of all are kept for the pages that follow; texts are made anew for one page, so that they need no room.
 */
final class Comparing {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int USUAL_PAGE = 100;
    private static final int MOST_NOT_COMPARED = 1000;

    private final LiveDetails details;
    private final Access access;
    private final Turns turns;
    private final KeptReports kept;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    Comparing(LiveDetails details, Access access, Turns turns, InstantSource clock, LongSupplier nanoTime) {
        this.details = details;
        this.access = access;
        this.turns = turns;
        this.kept = new KeptReports(clock);
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** {@code diff}. */
    Reply diff(Call call) throws ApiProblem {
        DiffRequest request = Bodies.read(call.body(), DiffRequest.class);
        Changes changes = Changes.of(request);
        KeptReports.Key key = new KeptReports.Key(call.caller().user(), KeptReports.hash(request));
        String cursor = request.next();
        KeptReports.Report report = cursor == null
                ? null
                : kept.find(key, cursor)
                        .orElseThrow(
                                () -> ApiProblem.gone("this page is not kept any more; ask again without continue"));
        int from = cursor == null ? 0 : KeptReports.offset(cursor);
        // The caller's rights are asked anew for each page.
        Visible visible = access.visible(call.caller(), Verb.GET, Resource.OPERATING_SYSTEM_CONFIGS);
        Set<String> tenants = requireSeen(request, visible);
        return Reply.ok(turns.take(call.caller().user(), () -> {
            KeptReports.Report whole =
                    report != null ? report : kept.keep(key, compare(changes, tenants, visible), onlyChanged(request));
            return page(whole, from, request, changes, visible);
        }));
    }

    private static boolean onlyChanged(DiffRequest request) {
        return request.onlyChanged() == null || request.onlyChanged();
    }

    private static Set<String> requireSeen(DiffRequest request, Visible visible) throws ApiProblem {
        List<String> namespaces = request.namespaces();
        if (namespaces == null || namespaces.isEmpty()) {
            return Set.of();
        }
        for (String namespace : namespaces) {
            if (!visible.sees(namespace)) {
                throw ApiProblem.notFound("tenant in namespace " + namespace);
            }
        }
        return Set.copyOf(namespaces);
    }

    private KeptReports.Found compare(Changes changes, Set<String> tenants, Visible visible) throws ApiProblem {
        long end = nanoTime.getAsLong() + LONGEST.toNanos();
        List<Difference> differences = new ArrayList<>();
        Set<String> compared = new HashSet<>();
        for (LiveTenant tenant : details.live()) {
            String namespace = tenant.view().namespace();
            boolean asked = tenants.isEmpty() || tenants.contains(namespace);
            if (asked && visible.sees(namespace) && tenant.view().sync() != null) {
                compare(tenant, changes, differences, end);
                compared.add(namespace);
            }
        }
        differences.sort(Comparator.comparingInt((Difference difference) -> order(difference.result()))
                .thenComparing(Difference::tenant)
                .thenComparing(difference -> difference.key().namespace())
                .thenComparing(difference -> difference.key().name()));
        List<String> notCompared = details.workerClusters().stream()
                .map(WorkerClusterRecord::namespace)
                .filter(namespace -> tenants.isEmpty() || tenants.contains(namespace))
                .filter(namespace -> visible.sees(namespace) && !compared.contains(namespace))
                .distinct()
                .sorted()
                .limit(MOST_NOT_COMPARED)
                .toList();
        return new KeptReports.Found(differences, notCompared);
    }

    private void compare(LiveTenant tenant, Changes changes, List<Difference> differences, long end) throws ApiProblem {
        Proposal proposal = changes.proposalFor(tenant.view().namespace());
        for (ObjectKey key : tenant.machineDeployments()) {
            if (!changes.concern(tenant, key, proposal)) {
                continue;
            }
            if (nanoTime.getAsLong() - end > 0) {
                throw ApiProblem.badRequest("the change concerns more MachineDeployments than can be rendered in "
                        + LONGEST.toSeconds() + " s; name fewer namespaces");
            }
            Attempt before = tenant.attempt(key, Proposal.NONE).orElse(null);
            Attempt after = tenant.attempt(key, proposal).orElse(null);
            if (before != null && after != null) {
                differences.add(new Difference(
                        tenant.view().namespace(),
                        tenant.view().name(),
                        key,
                        result(before, after),
                        sizes(before, after),
                        first(after)));
            }
        }
    }

    private static @Nullable Diagnosis first(Attempt after) {
        return after.problems().isEmpty() ? null : after.problems().getFirst();
    }

    private static Result result(Attempt before, Attempt after) {
        if (!after.published()) {
            return Result.REFUSED;
        }
        if (!before.published()) {
            return Result.REPAIRED;
        }
        return texts(before).equals(texts(after)) ? Result.SAME : Result.CHANGED;
    }

    private static Map<Preview.Kind, String> texts(Attempt attempt) {
        Map<Preview.Kind, String> texts = new EnumMap<>(Preview.Kind.class);
        Preview preview = attempt.preview();
        if (preview != null) {
            preview.documents().forEach(document -> texts.put(document.kind(), document.text()));
        }
        return texts;
    }

    private static Map<Preview.Kind, Integer> bytes(Attempt attempt) {
        Map<Preview.Kind, Integer> bytes = new EnumMap<>(Preview.Kind.class);
        Preview preview = attempt.preview();
        if (preview != null) {
            preview.documents().forEach(document -> bytes.put(document.kind(), document.bytes()));
        }
        return bytes;
    }

    /** Of the documents that differ. */
    private static List<Difference.Size> sizes(Attempt before, Attempt after) {
        Map<Preview.Kind, String> old = texts(before);
        Map<Preview.Kind, String> now = texts(after);
        List<Difference.Size> sizes = new ArrayList<>();
        for (Preview.Kind kind : Preview.Kind.values()) {
            if (!Objects.equals(old.get(kind), now.get(kind))) {
                sizes.add(new Difference.Size(
                        kind, bytes(before).get(kind), bytes(after).get(kind)));
            }
        }
        return sizes;
    }

    private static int order(Result result) {
        return switch (result) {
            case REFUSED -> 0;
            case REPAIRED -> 1;
            case CHANGED -> 2;
            case SAME -> 3;
        };
    }

    private DiffReport page(
            KeptReports.Report report, int from, DiffRequest request, Changes changes, Visible visible) {
        int limit = request.limit() == null ? USUAL_PAGE : request.limit();
        List<Difference> listed = report.listed();
        int to = Math.min(listed.size(), from + limit);
        List<Item> items = new ArrayList<>();
        for (Difference difference : listed.subList(Math.min(from, to), to)) {
            if (visible.sees(difference.tenant())) {
                items.add(item(difference, request.lines() != null && request.lines(), changes));
            }
        }
        Map<Result, Integer> counts = report.counts();
        return new DiffReport(
                report.total(),
                report.tenants(),
                counts.getOrDefault(Result.CHANGED, 0),
                counts.getOrDefault(Result.REPAIRED, 0),
                counts.getOrDefault(Result.SAME, 0),
                counts.getOrDefault(Result.REFUSED, 0),
                report.notCompared().isEmpty()
                        ? null
                        : report.notCompared().stream().filter(visible::sees).toList(),
                items,
                to < listed.size() ? KeptReports.cursor(report, to) : null);
    }

    private Item item(Difference difference, boolean lines, Changes changes) {
        Map<Preview.Kind, String> patches = lines ? patches(difference, changes) : Map.of();
        return new Item(
                difference.tenant(),
                new ObjectRef(
                        ObjectRef.Cluster.WORKER,
                        "MachineDeployment",
                        difference.key().namespace(),
                        difference.key().name()),
                difference.result(),
                difference.problem() == null
                        ? null
                        : Shown.problem(
                                difference.problem(),
                                difference.tenant(),
                                difference.workerCluster(),
                                difference.key(),
                                clock.instant()),
                difference.sizes().stream()
                        .map(size -> new DocumentChange(
                                Shown.document(size.kind()),
                                size.before() == null ? null : Long.valueOf(size.before()),
                                size.after() == null ? null : Long.valueOf(size.after()),
                                patches.get(size.kind())))
                        .toList());
    }

    private Map<Preview.Kind, String> patches(Difference difference, Changes changes) {
        LiveTenant tenant = details.live(difference.tenant()).orElse(null);
        if (tenant == null) {
            return Map.of();
        }
        Attempt before = tenant.attempt(difference.key(), Proposal.NONE).orElse(null);
        Attempt after = tenant.attempt(difference.key(), changes.proposalFor(difference.tenant()))
                .orElse(null);
        Map<Preview.Kind, String> patches = new EnumMap<>(Preview.Kind.class);
        if (before != null && after != null) {
            Map<Preview.Kind, String> old = texts(before);
            Map<Preview.Kind, String> now = texts(after);
            for (Difference.Size size : difference.sizes()) {
                String patch = Patches.of(
                        ApiJson.word(Shown.document(size.kind())),
                        old.getOrDefault(size.kind(), ""),
                        now.getOrDefault(size.kind(), ""));
                if (patch != null) {
                    patches.put(size.kind(), patch);
                }
            }
        }
        return patches;
    }
}

package io.osmhub.api.preview;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.diagnosis.DiagnosisMapper;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Reply;
import io.osmhub.api.preview.DiffReportCache.MachineDeploymentDiff;
import io.osmhub.api.preview.PreviewOperations.PreviewLimiter;
import io.osmhub.api.preview.PreviewOperations.RequestBodyReader;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffReport.Item;
import io.osmhub.api.schema.DiffReport.Item.DocumentChange;
import io.osmhub.api.schema.DiffReport.Item.Result;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.LiveTenant.PreviewProposal;
import io.osmhub.tenancy.LiveTenant.PreviewResult;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Previews an unapplied change: renders every affected MachineDeployment before and after. Sizes and results are cached for later
 * pages; texts are rendered again for each page to save memory.
 */
final class DiffOperation {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int USUAL_PAGE = 100;
    private static final int MOST_NOT_COMPARED = 1000;

    private final HubQueries details;
    private final CallerAuthorizer access;
    private final PreviewLimiter turns;
    private final DiffReportCache kept;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    DiffOperation(
            HubQueries details,
            CallerAuthorizer access,
            PreviewLimiter turns,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.details = details;
        this.access = access;
        this.turns = turns;
        this.kept = new DiffReportCache(clock);
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** {@code diff}. */
    Reply diff(Call call) throws ApiProblem {
        DiffRequest request = RequestBodyReader.read(call.body(), DiffRequest.class);
        ProposedObjects changes = ProposedObjects.of(request);
        DiffReportCache.DiffReportKey key =
                new DiffReportCache.DiffReportKey(call.caller().user(), DiffReportCache.hash(request));
        String cursor = request.next();
        DiffReportCache.FullDiffReport report = cursor == null
                ? null
                : kept.find(key, cursor)
                        .orElseThrow(
                                () -> ApiProblem.gone("this page has expired; repeat the request without continue"));
        int from = cursor == null ? 0 : DiffReportCache.offset(cursor);
        // Permissions are checked for each page.
        VisibleTenants visible = access.findVisibleTenants(call.caller(), Verb.GET, Resource.OPERATING_SYSTEM_CONFIGS);
        Set<String> tenants = requireVisible(request, visible);
        return Reply.ok(turns.runLimited(call.caller().user(), () -> {
            DiffReportCache.FullDiffReport whole =
                    report != null ? report : kept.put(key, compare(changes, tenants, visible), onlyChanged(request));
            return page(whole, from, request, changes, visible);
        }));
    }

    private static boolean onlyChanged(DiffRequest request) {
        return request.onlyChanged() == null || request.onlyChanged();
    }

    private static Set<String> requireVisible(DiffRequest request, VisibleTenants visible) throws ApiProblem {
        List<String> namespaces = request.namespaces();
        if (namespaces == null || namespaces.isEmpty()) {
            return Set.of();
        }
        for (String namespace : namespaces) {
            if (!visible.includes(namespace)) {
                throw ApiProblem.notFound("tenant in namespace " + namespace);
            }
        }
        return Set.copyOf(namespaces);
    }

    private DiffReportCache.DiffResult compare(ProposedObjects changes, Set<String> tenants, VisibleTenants visible)
            throws ApiProblem {
        long end = nanoTime.getAsLong() + LONGEST.toNanos();
        List<MachineDeploymentDiff> differences = new ArrayList<>();
        Set<String> compared = new HashSet<>();
        for (LiveTenant tenant : details.live()) {
            String namespace = tenant.view().namespace();
            boolean asked = tenants.isEmpty() || tenants.contains(namespace);
            if (asked && visible.includes(namespace) && tenant.view().sync() != null) {
                compare(tenant, changes, differences, end);
                compared.add(namespace);
            }
        }
        differences.sort(Comparator.comparingInt((MachineDeploymentDiff difference) -> order(difference.result()))
                .thenComparing(MachineDeploymentDiff::alreadyRefused)
                .thenComparing(MachineDeploymentDiff::tenant)
                .thenComparing(difference -> difference.key().namespace())
                .thenComparing(difference -> difference.key().name()));
        List<String> notCompared = details.workerClusters().stream()
                .map(WorkerClusterRecord::namespace)
                .filter(namespace -> tenants.isEmpty() || tenants.contains(namespace))
                .filter(namespace -> visible.includes(namespace) && !compared.contains(namespace))
                .distinct()
                .sorted()
                .limit(MOST_NOT_COMPARED)
                .toList();
        return new DiffReportCache.DiffResult(differences, notCompared);
    }

    private void compare(LiveTenant tenant, ProposedObjects changes, List<MachineDeploymentDiff> differences, long end)
            throws ApiProblem {
        PreviewProposal proposal = changes.proposalFor(tenant.view().namespace());
        for (ObjectKey key : tenant.machineDeployments()) {
            if (!changes.affects(tenant, key, proposal)) {
                continue;
            }
            if (nanoTime.getAsLong() - end > 0) {
                throw ApiProblem.unavailable(
                        "the hub stopped rendering after its limit of " + LONGEST.toSeconds()
                                + " s; name fewer namespaces, or retry when it is less busy",
                        LONGEST);
            }
            PreviewResult before =
                    tenant.previewRendering(key, PreviewProposal.NONE).orElse(null);
            PreviewResult after = tenant.previewRendering(key, proposal).orElse(null);
            if (before != null && after != null) {
                differences.add(new MachineDeploymentDiff(
                        tenant.view().namespace(),
                        tenant.view().name(),
                        key,
                        result(before, after),
                        !before.published() && !after.published(),
                        sizes(before, after),
                        first(after)));
            }
        }
    }

    private static @Nullable ReasonMessage first(PreviewResult after) {
        return after.problems().isEmpty() ? null : after.problems().getFirst();
    }

    private static Result result(PreviewResult before, PreviewResult after) {
        if (!after.published()) {
            return Result.REFUSED;
        }
        if (!before.published()) {
            return Result.REPAIRED;
        }
        return texts(before).equals(texts(after)) ? Result.SAME : Result.CHANGED;
    }

    private static Map<Preview.Kind, String> texts(PreviewResult attempt) {
        Map<Preview.Kind, String> texts = new EnumMap<>(Preview.Kind.class);
        Preview preview = attempt.preview();
        if (preview != null) {
            preview.documents().forEach(document -> texts.put(document.kind(), document.text()));
        }
        return texts;
    }

    private static Map<Preview.Kind, Integer> bytes(PreviewResult attempt) {
        Map<Preview.Kind, Integer> bytes = new EnumMap<>(Preview.Kind.class);
        Preview preview = attempt.preview();
        if (preview != null) {
            preview.documents().forEach(document -> bytes.put(document.kind(), document.bytes()));
        }
        return bytes;
    }

    /** Of documents that differ. */
    private static List<MachineDeploymentDiff.SizeChange> sizes(PreviewResult before, PreviewResult after) {
        Map<Preview.Kind, String> old = texts(before);
        Map<Preview.Kind, String> now = texts(after);
        List<MachineDeploymentDiff.SizeChange> sizes = new ArrayList<>();
        for (Preview.Kind kind : Preview.Kind.values()) {
            if (!Objects.equals(old.get(kind), now.get(kind))) {
                sizes.add(new MachineDeploymentDiff.SizeChange(
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
            DiffReportCache.FullDiffReport report,
            int from,
            DiffRequest request,
            ProposedObjects changes,
            VisibleTenants visible) {
        int limit = request.limit() == null ? USUAL_PAGE : request.limit();
        List<MachineDeploymentDiff> listed = report.listed();
        int to = Math.min(listed.size(), from + limit);
        List<Item> items = new ArrayList<>();
        for (MachineDeploymentDiff difference : listed.subList(Math.min(from, to), to)) {
            if (visible.includes(difference.tenant())) {
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
                report.alreadyRefused(),
                report.notCompared().isEmpty()
                        ? null
                        : report.notCompared().stream()
                                .filter(visible::includes)
                                .toList(),
                items,
                to < listed.size() ? DiffReportCache.cursor(report, to) : null);
    }

    private Item item(MachineDeploymentDiff difference, boolean lines, ProposedObjects changes) {
        Map<Preview.Kind, String> patches = lines ? patches(difference, changes) : Map.of();
        return new Item(
                difference.tenant(),
                new ObjectRef(
                        ObjectRef.Cluster.WORKER,
                        "MachineDeployment",
                        difference.key().namespace(),
                        difference.key().name()),
                difference.result(),
                difference.result() == Result.REFUSED ? Boolean.valueOf(difference.alreadyRefused()) : null,
                difference.problem() == null
                        ? null
                        : DiagnosisMapper.problem(
                                difference.problem(),
                                difference.tenant(),
                                difference.workerCluster(),
                                difference.key(),
                                clock.instant()),
                difference.sizes().stream()
                        .map(size -> new DocumentChange(
                                DiagnosisMapper.document(size.kind()),
                                size.before() == null ? null : Long.valueOf(size.before()),
                                size.after() == null ? null : Long.valueOf(size.after()),
                                patches.get(size.kind())))
                        .toList());
    }

    private Map<Preview.Kind, String> patches(MachineDeploymentDiff difference, ProposedObjects changes) {
        LiveTenant tenant = details.live(difference.tenant()).orElse(null);
        if (tenant == null) {
            return Map.of();
        }
        PreviewResult before =
                tenant.previewRendering(difference.key(), PreviewProposal.NONE).orElse(null);
        PreviewResult after = tenant.previewRendering(difference.key(), changes.proposalFor(difference.tenant()))
                .orElse(null);
        Map<Preview.Kind, String> patches = new EnumMap<>(Preview.Kind.class);
        if (before != null && after != null) {
            Map<Preview.Kind, String> old = texts(before);
            Map<Preview.Kind, String> now = texts(after);
            for (MachineDeploymentDiff.SizeChange size : difference.sizes()) {
                String patch = UnifiedDiffs.of(
                        ApiJson.word(DiagnosisMapper.document(size.kind())),
                        old.getOrDefault(size.kind(), ""),
                        now.getOrDefault(size.kind(), ""));
                if (patch != null) {
                    patches.put(size.kind(), patch);
                }
            }
        }
        return patches;
    }

    /** Unified diffs of redacted texts. */
    static final class UnifiedDiffs {
        private static final int LONGEST = 262_144;
        private static final int CONTEXT = 3;
        /** Longer texts take too long to compare. */
        private static final int MOST_LINES = 20_000;

        /** Null if they are too long to compare. */
        static @Nullable String of(String name, String before, String after) {
            List<String> old = before.lines().toList();
            List<String> now = after.lines().toList();
            if (old.size() + now.size() > MOST_LINES) {
                return null;
            }
            List<String> lines = UnifiedDiffUtils.generateUnifiedDiff(
                    "a/" + name, "b/" + name, old, DiffUtils.diff(old, now), CONTEXT);
            String patch = String.join("\n", lines) + "\n";
            return patch.length() <= LONGEST ? patch : cut(patch);
        }

        private static String cut(String patch) {
            String said = "\n... truncated\n";
            return patch.substring(0, patch.lastIndexOf('\n', LONGEST - said.length())) + said;
        }
    }

    /**
     * The objects of a request, applied together.
     *
     * @param specs of WorkerClusters, by namespace
     */
    private record ProposedObjects(List<StoredProfile> profiles, Map<String, JsonNode> specs) {
        ProposedObjects {
            profiles = List.copyOf(profiles);
            specs = Map.copyOf(specs);
        }

        static ProposedObjects of(DiffRequest request) throws ApiProblem {
            List<StoredProfile> profiles = new ArrayList<>();
            Map<String, JsonNode> specs = new HashMap<>();
            List<RequestError> mistakes = new ArrayList<>();
            for (int i = 0; i < request.changes().size(); i++) {
                JsonNode object = request.changes().get(i);
                String pointer = "/changes/" + i;
                String namespace = object.path("metadata").path("namespace").asText("");
                if (namespace.isEmpty()
                        || object.path("metadata").path("name").asText("").isEmpty()) {
                    mistakes.add(RequestError.body(pointer + "/metadata", "namespace or name is missing", "add both"));
                    continue;
                }
                switch (object.path("kind").asText("")) {
                    case RequestBodyReader.PROFILE, ProfileReader.CUSTOM_KIND ->
                        profiles.add(RequestBodyReader.profile(object, pointer));
                    case "WorkerCluster" -> specs.put(namespace, object.path("spec"));
                    default ->
                        mistakes.add(RequestError.body(
                                pointer + "/kind",
                                "it is neither an OperatingSystemProfile nor a WorkerCluster",
                                "provide one of them as for kubectl apply"));
                }
            }
            if (!mistakes.isEmpty()) {
                throw ApiProblem.validationFailed(mistakes);
            }
            return new ProposedObjects(profiles, specs);
        }

        PreviewProposal proposalFor(String tenant) {
            return new PreviewProposal(profiles, null, null, specs.get(tenant));
        }

        /** Whether the change affects a MachineDeployment. */
        boolean affects(LiveTenant tenant, ObjectKey machineDeployment, PreviewProposal proposal) {
            if (proposal.spec() != null) {
                return true;
            }
            String name = tenant.profileOf(machineDeployment);
            boolean named = profiles.stream().anyMatch(profile -> profile.name().equals(name));
            return named
                    && (isProposed(tenant.profile(machineDeployment, proposal))
                            || isProposed(tenant.profile(machineDeployment, PreviewProposal.NONE)));
        }

        private boolean isProposed(Optional<RenderInput.Profile> found) {
            return found.filter(profile -> profiles.stream()
                            .anyMatch(changed -> changed.namespace().equals(profile.namespace())
                                    && changed.name().equals(profile.name())))
                    .isPresent();
        }
    }
}

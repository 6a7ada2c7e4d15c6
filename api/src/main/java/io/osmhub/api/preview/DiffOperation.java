package io.osmhub.api.preview;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.diagnosis.DiagnosisMapper;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Reply;
import io.osmhub.api.paging.PageCursor;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.peer.PeerReplicas.PeerAnswers;
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
import io.osmhub.api.schema.DocumentName;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.LiveTenant.PreviewProposal;
import io.osmhub.tenancy.LiveTenant.PreviewResult;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Previews an unapplied change: each replica renders every affected MachineDeployment of its tenants before and after. Nothing is kept
 * between pages, so any replica continues: a page compares again and begins after the last item of the page before.
 */
final class DiffOperation {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    /** Other replicas need as long, and a little more for the requests. */
    private static final Duration LONGEST_OF_OTHERS = LONGEST.plusSeconds(5);

    /** As many as the threads that render previews. */
    private static final int PARALLEL_TENANTS = 2;

    private static final int USUAL_PAGE = 100;
    private static final int MOST_NOT_CONNECTED = 1000;
    /** Of the key of an item: rejected ones first, of these the ones that are not rejected today. */
    private static final int KEY_PARTS = 5;
    /** Number of leading parts that are numbers; the others are texts. */
    private static final int NUMBERS = 2;

    private static final List<Result> ORDER = List.of(Result.REFUSED, Result.REPAIRED, Result.CHANGED, Result.SAME);
    private static final Comparator<Item> FIRST = (one, other) -> compareKeys(key(one), key(other));

    private final HubQueries hubQueries;
    private final CallerAuthorizer authorizer;
    private final PeerReplicas peers;
    private final PreviewLimiter limiter;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    DiffOperation(
            HubQueries hubQueries,
            CallerAuthorizer authorizer,
            PeerReplicas peers,
            PreviewLimiter limiter,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.hubQueries = hubQueries;
        this.authorizer = authorizer;
        this.peers = peers;
        this.limiter = limiter;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** {@code diff}. */
    Reply diff(Call call) throws ApiProblem {
        DiffRequest request = RequestBodyReader.read(call.body(), DiffRequest.class);
        ProposedObjects changes = ProposedObjects.of(request);
        PageCursor after = after(request);
        // Permissions are checked for each page, and by each replica.
        VisibleTenants visible =
                authorizer.findVisibleTenants(call.caller(), Verb.GET, Resource.OPERATING_SYSTEM_CONFIGS);
        Set<String> tenants = requireVisible(request, visible);
        PeerAnswers<DiffReport> all = peers.askAll(
                "diff",
                call,
                DiffReport.class,
                LONGEST_OF_OTHERS,
                () -> limiter.runLimited(call.caller().user(), () -> {
                    List<Item> found = new ArrayList<>();
                    List<String> notConnected = compare(changes, tenants, visible, found);
                    return page(found, notConnected, after, request, changes);
                }));
        return Reply.ok(merge(all, request));
    }

    /** The counts of all replicas, and the first items of all pages. */
    static DiffReport merge(PeerAnswers<DiffReport> all, DiffRequest request) {
        List<DiffReport> reports = all.answers();
        List<Item> items = reports.stream()
                .flatMap(report -> report.items().stream())
                .sorted(FIRST)
                .toList();
        List<Item> page = items.subList(0, Math.min(items.size(), limit(request)));
        boolean more = page.size() < items.size() || reports.stream().anyMatch(report -> report.next() != null);
        return new DiffReport(
                sum(reports, DiffReport::total),
                sum(reports, report -> Objects.requireNonNullElse(report.workerClusters(), 0)),
                sum(reports, DiffReport::changed),
                sum(reports, DiffReport::repaired),
                sum(reports, DiffReport::same),
                sum(reports, DiffReport::refused),
                sum(reports, report -> Objects.requireNonNullElse(report.alreadyRefused(), 0)),
                NullableCollections.nullIfEmpty(reports.stream()
                        .flatMap(report -> NullableCollections.stream(report.notConnected()))
                        .distinct()
                        .sorted()
                        .limit(MOST_NOT_CONNECTED)
                        .toList()),
                NullableCollections.nullIfEmpty(all.unanswered()),
                page,
                more && !page.isEmpty() ? cursor(page.getLast(), request) : null);
    }

    private static List<Object> key(Item item) {
        return List.of(
                (long) ORDER.indexOf(item.result()),
                Boolean.TRUE.equals(item.alreadyRefused()) ? 1L : 0L,
                item.tenant(),
                Objects.requireNonNullElse(item.machineDeployment().namespace(), ""),
                item.machineDeployment().name());
    }

    @SuppressWarnings("unchecked")
    private static int compareKeys(List<?> one, List<?> other) {
        int order = 0;
        for (int i = 0; order == 0 && i < KEY_PARTS; i++) {
            order = ((Comparable<Object>) one.get(i)).compareTo(other.get(i));
        }
        return order;
    }

    private static String cursor(Item last, DiffRequest request) {
        return PageCursor.after(key(last).toArray()).write(shown(request));
    }

    private static @Nullable PageCursor after(DiffRequest request) throws ApiProblem {
        if (request.next() == null) {
            return null;
        }
        PageCursor cursor = PageCursor.read(request.next(), shown(request), KEY_PARTS);
        for (int i = 0; i < KEY_PARTS; i++) {
            if (cursor.isBefore()
                    || cursor.isEdge()
                    || !(cursor.key()[i] instanceof Comparable<?> part)
                    || part instanceof Long != i < NUMBERS) {
                throw RequestBodyReader.invalidBody(
                        "/continue", "not a cursor of a comparison", "leave it out to begin with the first page");
            }
        }
        return cursor;
    }

    /** The same for all pages of a request, whatever their size. */
    private static String shown(DiffRequest request) {
        DiffRequest whole =
                new DiffRequest(request.changes(), request.namespaces(), request.onlyChanged(), null, null, null);
        try {
            return "diff " + Sha256.hex(ApiJson.client().writeValueAsBytes(whole));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a parsed request is serializable", e);
        }
    }

    private static int sum(List<DiffReport> reports, ToIntFunction<DiffReport> count) {
        return reports.stream().mapToInt(count).sum();
    }

    private static int limit(DiffRequest request) {
        return request.limit() == null ? USUAL_PAGE : request.limit();
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

    /**
     * Compares the tenants of this replica.
     *
     * @return namespaces of those whose worker cluster is not connected
     */
    private List<String> compare(ProposedObjects changes, Set<String> tenants, VisibleTenants visible, List<Item> found)
            throws ApiProblem {
        long end = nanoTime.getAsLong() + LONGEST.toNanos();
        Set<String> compared = new HashSet<>();
        List<Callable<List<Item>>> tasks = new ArrayList<>();
        for (LiveTenant tenant : hubQueries.live()) {
            String namespace = tenant.view().namespace();
            boolean asked = tenants.isEmpty() || tenants.contains(namespace);
            if (asked && visible.includes(namespace) && tenant.view().sync() != null) {
                tasks.add(() -> compare(tenant, changes, end));
                compared.add(namespace);
            }
        }
        // More would queue for the threads that render, in front of admission.
        ThreadFactory threads = Thread.ofVirtual().factory();
        try (ExecutorService executor = Executors.newFixedThreadPool(PARALLEL_TENANTS, threads)) {
            for (Future<List<Item>> items : executor.invokeAll(tasks)) {
                found.addAll(items.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiProblem.unavailable("the hub is stopping", LONGEST);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiProblem problem) {
                throw problem;
            }
            throw new IllegalStateException("a comparison failed", e.getCause());
        }
        return hubQueries.workerClusters().stream()
                .map(WorkerClusterRecord::namespace)
                .filter(namespace -> tenants.isEmpty() || tenants.contains(namespace))
                .filter(namespace -> visible.includes(namespace) && !compared.contains(namespace))
                .filter(peers::belongsHere)
                .distinct()
                .toList();
    }

    private List<Item> compare(LiveTenant tenant, ProposedObjects changes, long end) throws ApiProblem {
        List<Item> found = new ArrayList<>();
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
                found.add(item(tenant, key, before, after, false));
            }
        }
        return found;
    }

    private static Result result(PreviewResult before, PreviewResult after, List<DocumentChange> changes) {
        if (!after.published()) {
            return Result.REFUSED;
        }
        if (!before.published()) {
            return Result.REPAIRED;
        }
        return changes.isEmpty() ? Result.SAME : Result.CHANGED;
    }

    private DiffReport page(
            List<Item> found,
            List<String> notConnected,
            @Nullable PageCursor after,
            DiffRequest request,
            ProposedObjects changes) {
        Map<Result, Integer> counts = new EnumMap<>(Result.class);
        found.forEach(item -> counts.merge(item.result(), 1, Integer::sum));
        boolean onlyChanged = request.onlyChanged() == null || request.onlyChanged();
        List<Item> listed = found.stream()
                .filter(item -> !onlyChanged || item.result() != Result.SAME)
                .filter(item -> after == null || compareKeys(key(item), Arrays.asList(after.key())) > 0)
                .sorted(FIRST)
                .toList();
        List<Item> items = listed.subList(0, Math.min(listed.size(), limit(request)));
        boolean lines = request.lines() != null && request.lines();
        return new DiffReport(
                found.size(),
                (int) found.stream().map(Item::tenant).distinct().count(),
                counts.getOrDefault(Result.CHANGED, 0),
                counts.getOrDefault(Result.REPAIRED, 0),
                counts.getOrDefault(Result.SAME, 0),
                counts.getOrDefault(Result.REFUSED, 0),
                (int) found.stream()
                        .filter(item -> Boolean.TRUE.equals(item.alreadyRefused()))
                        .count(),
                notConnected,
                null,
                items.stream()
                        .map(item -> lines ? withLines(item, changes) : item)
                        .toList(),
                items.size() < listed.size() ? cursor(items.getLast(), request) : null);
    }

    private Item item(LiveTenant tenant, ObjectKey key, PreviewResult before, PreviewResult after, boolean lines) {
        String namespace = tenant.view().namespace();
        List<DocumentChange> changes = after.preview() == null ? List.of() : documents(before, after, lines);
        Result result = result(before, after, changes);
        return new Item(
                namespace,
                new ObjectRef(Cluster.WORKER, "MachineDeployment", key.namespace(), key.name()),
                result,
                result == Result.REFUSED ? Boolean.valueOf(!before.published()) : null,
                after.published()
                        ? null
                        : DiagnosisMapper.problem(
                                after.problems().getFirst(),
                                namespace,
                                tenant.view().name(),
                                key,
                                clock.instant()),
                after.preview() == null ? null : changes);
    }

    /** Those that differ. */
    private static List<DocumentChange> documents(PreviewResult before, PreviewResult after, boolean lines) {
        Map<DocumentName, Preview.Document> old = documents(before, lines);
        Map<DocumentName, Preview.Document> now = documents(after, lines);
        List<DocumentChange> changes = new ArrayList<>();
        for (DocumentName name : DocumentName.values()) {
            Preview.Document one = old.get(name);
            Preview.Document other = now.get(name);
            if (!Objects.equals(one == null ? null : one.text(), other == null ? null : other.text())) {
                changes.add(new DocumentChange(
                        name,
                        one == null ? null : Long.valueOf(one.bytes()),
                        other == null ? null : Long.valueOf(other.bytes()),
                        lines ? UnifiedDiffs.of(ApiJson.word(name), shownText(one), shownText(other)) : null));
            }
        }
        return changes;
    }

    private static Map<DocumentName, Preview.Document> documents(PreviewResult attempt, boolean lines) {
        Map<DocumentName, Preview.Document> documents = new EnumMap<>(DocumentName.class);
        Preview preview = attempt.preview();
        if (preview != null) {
            (lines ? preview.documents() : preview.documentsToCompare())
                    .forEach(document -> documents.put(DiagnosisMapper.name(document), document));
        }
        return documents;
    }

    private static String shownText(Preview.@Nullable Document document) {
        return document == null ? "" : document.shownText();
    }

    /** The same with the lines that differ. Texts are rendered again for each page to save memory. */
    private Item withLines(Item item, ProposedObjects changes) {
        LiveTenant tenant = hubQueries.live(item.tenant()).orElse(null);
        ObjectKey key = new ObjectKey(
                Objects.requireNonNullElse(item.machineDeployment().namespace(), ""),
                item.machineDeployment().name());
        if (tenant == null) {
            return item;
        }
        PreviewResult before =
                tenant.previewRendering(key, PreviewProposal.NONE).orElse(null);
        PreviewResult after =
                tenant.previewRendering(key, changes.proposalFor(item.tenant())).orElse(null);
        return before == null || after == null ? item : item(tenant, key, before, after, true);
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
    private record ProposedObjects(
            List<StoredProfile> profiles, List<StoredExtension> extensions, Map<String, JsonNode> specs) {
        ProposedObjects {
            profiles = List.copyOf(profiles);
            extensions = List.copyOf(extensions);
            specs = Map.copyOf(specs);
        }

        static ProposedObjects of(DiffRequest request) throws ApiProblem {
            List<StoredProfile> profiles = new ArrayList<>();
            List<StoredExtension> extensions = new ArrayList<>();
            Map<String, JsonNode> specs = new HashMap<>();
            List<RequestError> mistakes = new ArrayList<>();
            for (ProposedObject proposed : objects(request)) {
                JsonNode object = proposed.object();
                String pointer = proposed.pointer();
                String namespace = object.path("metadata").path("namespace").asText("");
                if (namespace.isEmpty()
                        || object.path("metadata").path("name").asText("").isEmpty()) {
                    mistakes.add(RequestError.body(pointer + "/metadata", "namespace or name is missing", "add both"));
                    continue;
                }
                switch (object.path("kind").asText("")) {
                    case RequestBodyReader.PROFILE, ProfileReader.CUSTOM_KIND ->
                        profiles.add(RequestBodyReader.profile(object, pointer));
                    case ProfileExtension.KIND -> {
                        StoredExtension extension = StoredExtension.of(object);
                        extensions.add(extension);
                        extension
                                .mistakes()
                                .forEach(mistake -> mistakes.add(RequestBodyReader.mistake(pointer, mistake)));
                    }
                    case "WorkerCluster" -> specs.put(namespace, object.path("spec"));
                    default ->
                        mistakes.add(RequestError.body(
                                pointer + "/kind",
                                "it is not an OperatingSystemProfile, OperatingSystemProfileExtension or WorkerCluster",
                                "provide one of them as for kubectl apply"));
                }
            }
            if (!mistakes.isEmpty()) {
                throw ApiProblem.validationFailed(mistakes);
            }
            return new ProposedObjects(profiles, extensions, specs);
        }

        /**
         * An object of a request.
         *
         * @param pointer of the object, or of the text that contains it
         */
        private record ProposedObject(JsonNode object, String pointer) {}

        private static List<ProposedObject> objects(DiffRequest request) throws ApiProblem {
            List<ProposedObject> objects = new ArrayList<>();
            for (int i = 0; i < request.changes().size(); i++) {
                JsonNode change = request.changes().get(i);
                String pointer = "/changes/" + i;
                List<JsonNode> parts = change.isTextual() ? parse(change.asText(), pointer) : List.of(change);
                parts.forEach(object -> objects.add(new ProposedObject(object, pointer)));
            }
            return objects;
        }

        private static List<JsonNode> parse(String text, String pointer) throws ApiProblem {
            List<JsonNode> objects;
            try {
                objects = YamlDocumentReader.read("the text", text, Reason.SettingsInvalid).stream()
                        .map(document -> SourceDocument.json(document.root()))
                        .filter(JsonNode::isObject)
                        .toList();
            } catch (TenantMistake mistake) {
                throw ApiProblem.validationFailed(mistake.findings().stream()
                        .map(finding -> RequestError.body(pointer, finding.cause(), finding.fix())
                                .withField(
                                        finding.position().line() > 0
                                                ? "line " + finding.position().line()
                                                : ""))
                        .toList());
            }
            if (objects.isEmpty()) {
                throw RequestBodyReader.invalidBody(
                        pointer, "it contains no object", "provide an OperatingSystemProfile as for kubectl apply");
            }
            return objects;
        }

        PreviewProposal proposalFor(String tenant) {
            return new PreviewProposal(profiles, extensions, null, null, specs.get(tenant));
        }

        /** Whether the change affects a MachineDeployment. */
        boolean affects(LiveTenant tenant, ObjectKey machineDeployment, PreviewProposal proposal) {
            if (proposal.spec() != null) {
                return true;
            }
            String name = tenant.profileOf(machineDeployment);
            boolean named = profiles.stream().anyMatch(profile -> profile.name().equals(name));
            if (!named && extensions.isEmpty()) {
                return false;
            }
            Optional<RenderInput.Profile> after = tenant.profile(machineDeployment, proposal);
            Optional<RenderInput.Profile> before = tenant.profile(machineDeployment, PreviewProposal.NONE);
            return isProposed(after) || isProposed(before) || after.isPresent() != before.isPresent();
        }

        private boolean isProposed(Optional<RenderInput.Profile> found) {
            return found.filter(profile -> profiles.stream()
                                    .anyMatch(changed -> changed.namespace().equals(profile.namespace())
                                            && changed.name().equals(profile.name()))
                            || profile.applied().extensions().stream()
                                    .anyMatch(applied -> extensions.stream().anyMatch(changed -> changed.path()
                                            .equals(applied.extension().path()))))
                    .isPresent();
        }
    }
}

package io.osmhub.api.preview;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.diagnosis.DiagnosisMapper;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Reply;
import io.osmhub.api.inventory.InventoryRowMapper;
import io.osmhub.api.preview.PreviewOperations.PreviewLimiter;
import io.osmhub.api.preview.PreviewOperations.RequestBodyReader;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DocumentName;
import io.osmhub.api.schema.ObjectSource.ObjectByName;
import io.osmhub.api.schema.ObjectSource.ObjectInFull;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.RenderRequest;
import io.osmhub.api.schema.RenderResult;
import io.osmhub.api.schema.RenderResult.Document;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.Previewer;
import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.LiveTenant.PreviewProposal;
import io.osmhub.tenancy.LiveTenant.PreviewResult;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.reconcile.MachineDeploymentViews.MachineDeploymentView;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Renders documents from stored state, from the current desired state, or from a request. */
final class RenderOperation {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final HubQueries hubQueries;
    private final CallerAuthorizer authorizer;
    private final UnaryOperator<String> serving;
    private final PreviewLimiter limiter;
    private final InstantSource clock;

    /** @param serving name of the replica that serves the tenant of a namespace */
    RenderOperation(
            HubQueries hubQueries,
            CallerAuthorizer authorizer,
            UnaryOperator<String> serving,
            PreviewLimiter limiter,
            InstantSource clock) {
        this.hubQueries = hubQueries;
        this.authorizer = authorizer;
        this.serving = serving;
        this.limiter = limiter;
        this.clock = clock;
    }

    /** {@code getUserData}. */
    Reply getUserData(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        ObjectKey key = new ObjectKey(call.path("machineDeploymentNamespace"), call.path("machineDeploymentName"));
        requireVisible(call, tenant, "MachineDeployment " + key);
        Predicate<DocumentName> wanted = only(call.query("document"));
        boolean stored = call.query("source").orElse("Wanted").equals("Stored");
        return Reply.ok(stored ? stored(tenant, key, wanted) : renderDesired(call, tenant, key, wanted));
    }

    private static Predicate<DocumentName> only(Optional<String> word) {
        Optional<DocumentName> one = word.flatMap(name -> ApiJson.constant(DocumentName.class, name));
        return name -> one.isEmpty() || one.get() == name;
    }

    private RenderResult renderDesired(Call call, String tenant, ObjectKey key, Predicate<DocumentName> wanted)
            throws ApiProblem {
        LiveTenant live = served(tenant);
        return limiter.runLimited(call.caller().user(), () -> result(live, key, PreviewProposal.NONE, wanted));
    }

    private LiveTenant served(String tenant) throws ApiProblem {
        Optional<LiveTenant> live = hubQueries.live(tenant);
        if (live.isPresent()) {
            return live.get();
        }
        if (hubQueries.workerCluster(tenant).isEmpty()) {
            throw ApiProblem.notFound("WorkerCluster in namespace " + tenant);
        }
        throw ApiProblem.unavailable(
                "replica " + serving.apply(tenant) + " of the hub does not answer for the tenant of namespace " + tenant
                        + " now; try again in " + SOON.toSeconds() + " s",
                SOON);
    }

    private RenderResult stored(String tenant, ObjectKey key, Predicate<DocumentName> wanted) throws ApiProblem {
        String name = new ObjectNames(key.namespace(), key.name()).operatingSystemConfig();
        StoredConfig config = hubQueries
                .config(tenant, name)
                .orElseThrow(() -> ApiProblem.notFound("OperatingSystemConfig " + name + " in namespace " + tenant));
        if (!key.toString().equals(config.annotations().get(OwnershipAnnotations.OWNER))) {
            // Another program's object may contain credentials.
            throw ApiProblem.conflict(
                    "OperatingSystemConfig " + name + " was not written by this hub for MachineDeployment " + key
                            + "; request the wanted configuration");
        }
        boolean upgrade = hubQueries
                .live(tenant)
                .flatMap(live -> live.machineDeployment(key))
                .map(MachineDeploymentView::distUpgradeOnBoot)
                .orElse(false);
        try {
            OperatingSystemConfig read = hubQueries.read(config);
            return new RenderResult(
                    config.status() == null
                            ? null
                            : InventoryRowMapper.source(config.status().source()),
                    RenderedDocuments.of(read, config.status(), key.name(), upgrade, wanted),
                    List.of());
        } catch (ApiFailure e) {
            throw ApiProblem.unavailable(
                    "the management cluster did not return OperatingSystemConfig " + name + ": " + e.text(),
                    Duration.ofSeconds(5));
        } catch (TenantMistake e) {
            throw ApiProblem.conflict(
                    "cannot generate user-data from OperatingSystemConfig " + name + ": " + e.getMessage());
        }
    }

    /** {@code render}. */
    Reply render(Call call) throws ApiProblem {
        RenderRequest request = RequestBodyReader.read(call.body(), RenderRequest.class);
        String tenant = request.tenant();
        if (tenant == null) {
            throw RequestBodyReader.invalidBody("/tenant", "it is missing", "name the tenant whose settings apply");
        }
        requireVisible(call, tenant, "tenant " + tenant);
        LiveTenant live = served(tenant);
        MachineDeployment given = null;
        ObjectKey key;
        switch (request.machineDeployment()) {
            case ObjectByName named -> key = named(named);
            case ObjectInFull full -> {
                given = machineDeployment(full.object());
                key = new ObjectKey(given.namespace(), given.name());
            }
        }
        JsonNode settings = call.body().get("settings");
        PreviewProposal proposal =
                new PreviewProposal(List.of(), List.of(), profile(call, tenant, request), given, settings);
        List<DocumentName> documents = request.documents();
        Predicate<DocumentName> wanted = name -> documents == null || documents.isEmpty() || documents.contains(name);
        ObjectKey about = key;
        return Reply.ok(limiter.runLimited(call.caller().user(), () -> result(live, about, proposal, wanted)));
    }

    private static ObjectKey named(ObjectByName named) throws ApiProblem {
        if (named.namespace() == null) {
            throw RequestBodyReader.invalidBody(
                    "/machineDeployment/namespace", "it is missing", "name its namespace in the worker cluster");
        }
        return new ObjectKey(named.namespace(), named.name());
    }

    private static MachineDeployment machineDeployment(JsonNode object) throws ApiProblem {
        try {
            return MachineDeployment.read(SourceDocument.of(ProblemObject.of("MachineDeployment", ""), object));
        } catch (TenantMistake e) {
            throw ApiProblem.validationFailed(e.findings().stream()
                    .map(finding -> RequestBodyReader.mistake("/machineDeployment/object", finding))
                    .toList());
        }
    }

    private @Nullable StoredProfile profile(Call call, String tenant, RenderRequest request) throws ApiProblem {
        return switch (request.profile()) {
            case null -> null;
            case ObjectInFull full -> RequestBodyReader.profile(full.object(), "/profile/object");
            case ObjectByName named -> stored(call, tenant, named);
        };
    }

    private StoredProfile stored(Call call, String tenant, ObjectByName named) throws ApiProblem {
        List<String> places = named.namespace() == null
                ? List.of(tenant, hubQueries.sharedProfileNamespace())
                : List.of(named.namespace());
        for (String place : places) {
            Optional<StoredProfile> found = hubQueries.profile(place, named.name());
            // Profiles usable by all tenants, or by this one, need no further permission.
            boolean tenants = place.equals(tenant) || place.equals(hubQueries.sharedProfileNamespace());
            if (found.isPresent()
                    && (tenants
                            || authorizer.isAllowed(
                                    call.caller(),
                                    Verb.GET,
                                    Resource.OPERATING_SYSTEM_PROFILES,
                                    place,
                                    named.name()))) {
                return found.get();
            }
        }
        throw ApiProblem.notFound("OperatingSystemProfile " + named.name() + " in " + String.join(" or ", places));
    }

    private RenderResult result(
            LiveTenant live, ObjectKey key, PreviewProposal proposal, Predicate<DocumentName> wanted)
            throws ApiProblem {
        PreviewResult attempt = live.previewRendering(key, proposal)
                .orElseThrow(() -> ApiProblem.notFound("MachineDeployment " + key + " in namespace "
                        + live.view().namespace()));
        Preview preview = attempt.preview();
        List<ProblemEntry> problems = attempt.problems().stream()
                .map(diagnosis -> DiagnosisMapper.problem(
                        diagnosis, live.view().namespace(), live.view().name(), key, clock.instant()))
                .toList();
        return preview == null
                ? new RenderResult(null, List.of(), problems)
                : new RenderResult(
                        DiagnosisMapper.source(preview.rendered(), clock.instant()),
                        RenderedDocuments.of(
                                preview,
                                hubQueries
                                        .config(
                                                live.view().namespace(),
                                                new ObjectNames(key.namespace(), key.name()).operatingSystemConfig())
                                        .map(StoredConfig::status)
                                        .orElse(null),
                                wanted),
                        problems);
    }

    private void requireVisible(Call call, String tenant, String what) throws ApiProblem {
        if (!authorizer.isAllowed(call.caller(), Verb.GET, Resource.OPERATING_SYSTEM_CONFIGS, tenant, "")) {
            throw ApiProblem.notFound(what + " in namespace " + tenant);
        }
    }

    /** Redacted documents in the API's form. */
    private static final class RenderedDocuments {
        static List<Document> of(
                Preview preview, @Nullable OperatingSystemConfigStatus status, Predicate<DocumentName> wanted) {
            OperatingSystemConfigStatus published = DiagnosisMapper.ifPublished(preview, status);
            return preview.documents().stream()
                    .filter(document -> wanted.test(DiagnosisMapper.name(document)))
                    .map(document -> document(
                            DiagnosisMapper.name(document),
                            format(document.format()),
                            DiagnosisMapper.size(document, published),
                            document.limit() == null
                                    ? null
                                    : Long.valueOf(document.limit().bytes()),
                            document.shownText()))
                    .toList();
        }

        /**
         * Of a stored configuration, which contains no credential.
         *
         * @throws TenantMistake if a document cannot be generated from it
         */
        static List<Document> of(
                OperatingSystemConfig config,
                @Nullable OperatingSystemConfigStatus status,
                String machineDeployment,
                boolean upgrade,
                Predicate<DocumentName> wanted) {
            List<Document> documents = new ArrayList<>();
            for (DocumentName name : List.of(DocumentName.BOOTSTRAP, DocumentName.PROVISIONING)) {
                if (wanted.test(name)) {
                    OperatingSystemConfig.Spec spec = config.spec();
                    boolean bootstrap = name == DocumentName.BOOTSTRAP;
                    String text = UserDataGenerator.generateDocument(new UserDataInput(
                            bootstrap ? spec.bootstrapConfig() : spec.provisioningConfig(),
                            spec.provisioningUtility(),
                            spec.osName(),
                            spec.cloudProvider(),
                            machineDeployment,
                            upgrade,
                            bootstrap));
                    boolean ignition = spec.provisioningUtility().equals("ignition");
                    documents.add(document(
                            name,
                            ignition ? Document.Format.IGNITION : Document.Format.CLOUD_CONFIG,
                            DiagnosisMapper.publishedSize(name, status).orElse(text.getBytes(UTF_8).length),
                            null,
                            text));
                }
            }
            if (wanted.test(DocumentName.OPERATING_SYSTEM_CONFIG)) {
                documents.add(document(
                        DocumentName.OPERATING_SYSTEM_CONFIG,
                        Document.Format.YAML,
                        OperatingSystemConfigWriter.spec(config.spec()).getBytes(UTF_8).length,
                        null,
                        Previewer.yaml(config)));
            }
            return documents;
        }

        private static Document document(
                DocumentName name, Document.Format format, long bytes, @Nullable Long limit, String text) {
            return new Document(name, format, bytes, limit, PlaceholderCounter.count(text), Sha256.hex(text), text);
        }

        private static Document.Format format(String word) {
            return switch (word) {
                case "ignition" -> Document.Format.IGNITION;
                case "yaml" -> Document.Format.YAML;
                case "shell" -> Document.Format.SHELL;
                case "cloud-config" -> Document.Format.CLOUD_CONFIG;
                default -> throw new IllegalArgumentException("no format " + word.toLowerCase(Locale.ROOT));
            };
        }
    }

    /** Counts the placeholders in a document, for any encoding of its files. */
    static final class PlaceholderCounter {
        /** Cloud-init accepts file content as text or base64, Ignition as URL escapes. */
        private static final Pattern OPENING = Pattern.compile("<redacted:|%3[Cc]redacted(?::|%3[Aa])");

        private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{16,}={0,2}");

        static int count(String document) {
            int count = (int) OPENING.matcher(document).results().count();
            Matcher encoded = BASE64.matcher(document);
            while (encoded.find()) {
                String text = encoded.group();
                // Anything other than complete base64 is just a long word.
                if (text.length() % 4 == 0) {
                    count +=
                            (int) OPENING.matcher(new String(Base64.getDecoder().decode(text), ISO_8859_1))
                                    .results()
                                    .count();
                }
            }
            return count;
        }
    }
}

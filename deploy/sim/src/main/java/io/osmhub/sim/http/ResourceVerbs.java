package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.ReviewHandler;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.objects.DeleteOptions;
import io.osmhub.sim.objects.EventConversion;
import io.osmhub.sim.objects.ListParameters;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.WriteOptions;
import io.osmhub.sim.objects.WriteScope;
import io.osmhub.sim.patch.JsonPatch;
import io.osmhub.sim.patch.MergePatchApplier;
import io.osmhub.sim.patch.StrategicMergePatch;
import io.osmhub.sim.protobuf.ProtobufReader;
import io.osmhub.sim.resource.BuiltInResources;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.resource.ResourceType.ScalePaths;
import io.osmhub.sim.select.FieldSelector;
import io.osmhub.sim.select.LabelSelectorMatcher;
import io.osmhub.sim.status.ApiError;
import io.osmhub.sim.store.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Carries out the verbs on resources, except watch. */
final class ResourceVerbs {
    private static final int MAX_BODY_BYTES = 3 * 1024 * 1024;
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    private final ObjectOperations objects;
    private final ReviewHandler reviews;
    private final ServiceAccountTokens tokens;
    private final ObjectTables tables;

    ResourceVerbs(ObjectOperations objects, ReviewHandler reviews, ServiceAccountTokens tokens) {
        this.objects = objects;
        this.reviews = reviews;
        this.tokens = tokens;
        this.tables = new ObjectTables(objects.clock());
    }

    /** The answer to any verb but watch. */
    SimulatedResponse handle(SimulatedRequest exchange, ApiPath path) {
        Optional<String> review = ReviewHandler.kind(path.group(), path.plural());
        if (review.isPresent() && path.version().equals("v1")) {
            if (!exchange.verb().equals("create")) {
                throw ApiError.methodNotAllowed();
            }
            ObjectNode body = object(parse(exchange));
            return SimulatedResponse.json(201, reviews.review(path.group(), review.get(), body, exchange.identity()));
        }
        ResourceType type = type(path);
        if (path.plural().equals("serviceaccounts") && path.subresource().equals("token")) {
            return requestToken(exchange, path);
        }
        ScalePaths scale = type.traits().scale();
        if (path.subresource().equals("scale") && scale != null) {
            return scale(exchange, path, new ScaleVerbs(objects, type, scale));
        }
        WriteScope part = part(type, path.subresource());
        return switch (exchange.verb()) {
            case "get" -> {
                StoredObject found = objects.get(EventConversion.storedAs(type), path.namespace(), path.name());
                yield SimulatedResponse.json(200, view(exchange).encodeObject(type, found));
            }
            case "list" -> {
                ResponseEncoding view = view(exchange);
                long wanted = WatchStream.revision(exchange.parameter("resourceVersion"));
                if (wanted > objects.store().revision()) {
                    throw ApiError.revisionTooLarge(wanted, objects.store().revision());
                }
                boolean exact = exchange.parameter("resourceVersionMatch").equals("Exact");
                ListParameters query = query(exchange, path, type);
                ResourceType stored = EventConversion.storedAs(type);
                yield SimulatedResponse.json(
                        200,
                        view.encodeList(
                                type, exact ? objects.listAt(stored, query, wanted) : objects.list(stored, query)));
            }
            case "create" -> create(exchange, path, type);
            case "update" -> update(exchange, path, type, part);
            case "patch" -> patch(exchange, path, type, part);
            case "delete" -> delete(exchange, path, type);
            case "deletecollection" -> {
                DeleteOptions options = DeleteOptions.of(optionalBody(exchange), isDryRun(exchange));
                ResourceType stored = EventConversion.storedAs(type);
                yield SimulatedResponse.json(
                        200,
                        view(exchange)
                                .encodeList(type, objects.deleteAll(stored, query(exchange, path, type), options)));
            }
            default -> throw ApiError.methodNotAllowed();
        };
    }

    private static SimulatedResponse scale(SimulatedRequest exchange, ApiPath path, ScaleVerbs verbs) {
        return switch (exchange.verb()) {
            case "get" -> verbs.get(path);
            case "update" -> {
                ObjectNode wanted = object(parse(exchange));
                yield verbs.write(path, _ -> wanted, options(exchange));
            }
            case "patch" -> {
                ObjectNode patch = object(parseJson(exchange));
                yield verbs.write(path, current -> MergePatchApplier.apply(current, patch), options(exchange));
            }
            default -> throw ApiError.methodNotAllowed();
        };
    }

    /** The type served at a path. */
    ResourceType type(ApiPath path) {
        ResourceType type = objects.catalog()
                .at(path.group(), path.version(), path.plural())
                .orElseThrow(ApiError::noSuchPath);
        if (!path.namespace().isEmpty() && !type.namespaced()) {
            throw ApiError.noSuchPath();
        }
        return type;
    }

    /** What a list or watch asks for. */
    ListParameters query(SimulatedRequest exchange, ApiPath path, ResourceType type) {
        return new ListParameters(
                path.namespace(),
                LabelSelectorMatcher.parse(exchange.parameter("labelSelector")),
                FieldSelector.parse(exchange.parameter("fieldSelector"), type),
                exchange.number("limit", 0),
                exchange.parameter("continue"));
    }

    /** In which form the client wants its answer. */
    ResponseEncoding view(SimulatedRequest exchange) {
        return ResponseEncoding.of(exchange.header("Accept"), exchange.parameter("includeObject"), tables);
    }

    private SimulatedResponse create(SimulatedRequest exchange, ApiPath path, ResourceType type) {
        if (!path.name().isEmpty()) {
            throw ApiError.methodNotAllowed();
        }
        ObjectNode body = object(parse(exchange));
        EventConversion.toStored(type, body);
        EventConversion.checkNew(type, body);
        StoredObject created =
                objects.create(EventConversion.storedAs(type), path.namespace(), body, options(exchange));
        return SimulatedResponse.json(201, view(exchange).encodeObject(type, created));
    }

    private SimulatedResponse update(SimulatedRequest exchange, ApiPath path, ResourceType type, WriteScope part) {
        ObjectNode body = object(parse(exchange));
        EventConversion.toStored(type, body);
        boolean creates = ObjectOperations.isCreatedByUpdate(type)
                && objects.store().get(EventConversion.storedAs(type).key(), path.namespace(), path.name()) == null;
        StoredObject updated = objects.update(
                EventConversion.storedAs(type), path.namespace(), path.name(), part, body, options(exchange));
        return SimulatedResponse.json(creates ? 201 : 200, view(exchange).encodeObject(type, updated));
    }

    private SimulatedResponse patch(SimulatedRequest exchange, ApiPath path, ResourceType type, WriteScope part) {
        String mediaType = mediaType(exchange);
        List<String> accepted = new ArrayList<>(List.of(JSON_PATCH, MERGE, APPLY));
        if (type.traits().builtIn()) {
            accepted.add(STRATEGIC);
        }
        if (!accepted.contains(mediaType)) {
            throw ApiError.unsupportedMediaType(accepted);
        }
        JsonNode patch = parseJson(exchange);
        ResourceType stored = EventConversion.storedAs(type);
        if (mediaType.equals(APPLY)) {
            if (exchange.parameter("fieldManager").isEmpty()) {
                throw ApiError.badRequest(
                        "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply patch");
            }
            ObjectNode applied = object(patch);
            EventConversion.toStored(type, applied);
            boolean exists = objects.store().get(stored.key(), path.namespace(), path.name()) != null;
            StoredObject result =
                    objects.apply(stored, path.namespace(), path.name(), part, applied, options(exchange));
            return SimulatedResponse.json(exists ? 200 : 201, view(exchange).encodeObject(type, result));
        }
        UnaryOperator<ObjectNode> change =
                switch (mediaType) {
                    case JSON_PATCH -> target -> JsonPatch.apply(target, patch);
                    case MERGE -> target -> MergePatchApplier.apply(target, object(patch));
                    default -> target -> StrategicMergePatch.apply(target, object(patch), type.lists());
                };
        UnaryOperator<ObjectNode> served = target -> {
            EventConversion.toServed(type, target);
            target.put("kind", type.kind()).put("apiVersion", type.apiVersion());
            ObjectNode changed = change.apply(target);
            EventConversion.toStored(type, changed);
            return changed;
        };
        StoredObject patched = objects.patch(stored, path.namespace(), path.name(), part, served, options(exchange));
        return SimulatedResponse.json(200, view(exchange).encodeObject(type, patched));
    }

    private SimulatedResponse delete(SimulatedRequest exchange, ApiPath path, ResourceType type) {
        DeleteOptions options = DeleteOptions.of(optionalBody(exchange), isDryRun(exchange));
        ObjectOperations.Deletion deletion =
                objects.delete(EventConversion.storedAs(type), path.namespace(), path.name(), options);
        if (!deletion.removed() || type.key().equals(BuiltInResources.SERVICE_ACCOUNTS)) {
            return SimulatedResponse.json(200, view(exchange).encodeObject(type, deletion.last()));
        }
        ObjectNode status = JsonTrees.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = status.putObject("details").put("name", path.name());
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        details.put("kind", type.plural()).put("uid", deletion.last().uid());
        return SimulatedResponse.json(200, status);
    }

    private SimulatedResponse requestToken(SimulatedRequest exchange, ApiPath path) {
        if (!exchange.verb().equals("create")) {
            throw ApiError.methodNotAllowed();
        }
        ResourceType accounts =
                objects.catalog().any(BuiltInResources.SERVICE_ACCOUNTS).orElseThrow();
        StoredObject account = objects.get(accounts, path.namespace(), path.name());
        ObjectNode review = object(parse(exchange));
        ObjectNode spec = JsonTrees.child(review, "spec");
        long seconds = spec.path("expirationSeconds").asLong(3600);
        if (seconds < 600) {
            throw ApiError.invalid(
                    "authentication.k8s.io",
                    "TokenRequest",
                    "",
                    List.of(new ApiError.Cause(
                            "spec.expirationSeconds",
                            "FieldValueInvalid",
                            "Invalid value: %d: may not specify a duration less than 10 minutes".formatted(seconds))));
        }
        spec.put("expirationSeconds", seconds);
        Duration life = Duration.ofSeconds(seconds);
        List<String> audiences = JsonTrees.texts(spec.path("audiences"));
        review.put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
        ObjectNode metadata = JsonTrees.child(review, "metadata");
        metadata.put("name", account.name())
                .put("namespace", account.namespace())
                .put("creationTimestamp", objects.now());
        review.putObject("status")
                .put("token", tokens.issue(account, life, audiences))
                .put(
                        "expirationTimestamp",
                        objects.clock()
                                .instant()
                                .plus(life)
                                .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                                .toString());
        return SimulatedResponse.json(201, review);
    }

    private static WriteScope part(ResourceType type, String subresource) {
        return switch (subresource) {
            case "" -> WriteScope.MAIN;
            case "status" -> {
                if (!type.traits().status()) {
                    throw ApiError.noSuchPath();
                }
                yield WriteScope.STATUS;
            }
            case "finalize" -> {
                if (!type.key().equals(BuiltInResources.NAMESPACES)) {
                    throw ApiError.noSuchPath();
                }
                yield WriteScope.FINALIZE;
            }
            default -> throw ApiError.noSuchPath();
        };
    }

    private static WriteOptions options(SimulatedRequest exchange) {
        return new WriteOptions(exchange.fieldManager(), isDryRun(exchange), exchange.flag("force"));
    }

    private static boolean isDryRun(SimulatedRequest exchange) {
        return exchange.parameter("dryRun").equals("All");
    }

    private static JsonNode parse(SimulatedRequest exchange) {
        return switch (mediaType(exchange)) {
            case "", JSON -> parseJson(exchange);
            case PROTOBUF -> parseProtobuf(exchange);
            default -> throw ApiError.unsupportedMediaType(List.of(JSON, PROTOBUF));
        };
    }

    private static String mediaType(SimulatedRequest exchange) {
        return exchange.header("Content-Type").split(";")[0].strip().toLowerCase(Locale.ROOT);
    }

    private static JsonNode parseProtobuf(SimulatedRequest exchange) {
        try {
            return ProtobufReader.read(exchange.body());
        } catch (IllegalArgumentException unreadable) {
            throw ApiError.badRequest(String.valueOf(unreadable.getMessage()));
        }
    }

    private static JsonNode parseJson(SimulatedRequest exchange) {
        byte[] body = exchange.body();
        if (body.length > MAX_BODY_BYTES) {
            throw ApiError.injected(413);
        }
        try {
            JsonNode parsed = JsonTrees.parse(body);
            if (parsed == null || parsed.isMissingNode()) {
                throw ApiError.badRequest("the request has no body");
            }
            return parsed;
        } catch (IOException notJson) {
            throw ApiError.badRequest("couldn't get version/kind; json parse error: " + notJson.getMessage());
        }
    }

    private static JsonNode optionalBody(SimulatedRequest exchange) {
        return exchange.body().length == 0 ? JsonTrees.object() : parse(exchange);
    }

    private static ObjectNode object(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            return object;
        }
        throw ApiError.badRequest("the body of the request is not an object");
    }
}

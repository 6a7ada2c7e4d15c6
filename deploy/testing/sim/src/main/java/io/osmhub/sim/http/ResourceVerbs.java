package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.ReviewHandler;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.auth.UserIdentity;
import io.osmhub.sim.http.SimulatedRequest.ApiPath;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.EventConversion;
import io.osmhub.sim.objects.JsonPatches;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ListParameters;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ObjectOperations.DeleteOptions;
import io.osmhub.sim.objects.ObjectOperations.WriteOptions;
import io.osmhub.sim.objects.ObjectPage;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.ResourceType;
import io.osmhub.sim.objects.ResourceType.ScalePaths;
import io.osmhub.sim.objects.StoredObject;
import io.osmhub.sim.objects.StrategicMergePatch;
import io.osmhub.sim.objects.WriteScope;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The verbs on resources, except watch. */
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

    /** The response to any verb except watch. */
    SimulatedResponse handle(SimulatedRequest exchange, ApiPath path, UserIdentity identity) {
        Optional<String> review = ReviewHandler.kind(path.group(), path.plural());
        if (review.isPresent() && path.version().equals("v1")) {
            requireCreate(exchange);
            ObjectNode body = object(parse(exchange));
            return SimulatedResponse.json(201, reviews.review(path.group(), review.get(), body, identity));
        }
        ResourceType type = type(path);
        if (path.plural().equals("serviceaccounts") && path.subresource().equals("token")) {
            requireCreate(exchange);
            return requestToken(exchange, path);
        }
        ScalePaths scale = type.scale();
        if (path.subresource().equals("scale") && scale != null) {
            return scale(exchange, path, type, scale);
        }
        WriteScope scope = scope(type, path.subresource());
        ResourceType stored = EventConversion.storedAs(type);
        return switch (exchange.verb()) {
            case "get" -> one(200, exchange, type, objects.get(stored, path.namespace(), path.name()));
            case "list" -> {
                long wanted = WatchStream.revision(exchange.parameter("resourceVersion"));
                if (wanted > objects.store().revision()) {
                    throw ApiError.revisionTooLarge(wanted, objects.store().revision());
                }
                boolean exact = exchange.parameter("resourceVersionMatch").equals("Exact");
                ListParameters query = query(exchange, path, type);
                yield page(exchange, type, exact ? objects.listAt(stored, query, wanted) : objects.list(stored, query));
            }
            case "create" -> {
                if (!path.name().isEmpty()) {
                    throw ApiError.methodNotAllowed();
                }
                ObjectNode body = object(parse(exchange));
                EventConversion.toStored(type, body);
                EventConversion.checkNew(type, body);
                yield one(201, exchange, type, objects.create(stored, path.namespace(), body, options(exchange)));
            }
            case "update" -> {
                ObjectNode body = object(parse(exchange));
                EventConversion.toStored(type, body);
                boolean creates = ObjectOperations.isCreatedByUpdate(type) && !exists(stored, path);
                StoredObject updated =
                        objects.update(stored, path.namespace(), path.name(), scope, body, options(exchange));
                yield one(creates ? 201 : 200, exchange, type, updated);
            }
            case "patch" -> patch(exchange, path, type, scope);
            case "delete" -> delete(exchange, path, type);
            case "deletecollection" -> {
                ListParameters query = query(exchange, path, type);
                yield page(exchange, type, objects.deleteAll(stored, query, deleteOptions(exchange)));
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

    /** The parameters of a list or watch. */
    ListParameters query(SimulatedRequest exchange, ApiPath path, ResourceType type) {
        return ListParameters.parse(
                path.namespace(),
                type,
                exchange.parameter("labelSelector"),
                exchange.parameter("fieldSelector"),
                exchange.number("limit", 0),
                exchange.parameter("continue"));
    }

    /** The response form that the client requests. */
    ResponseEncoding view(SimulatedRequest exchange) {
        return ResponseEncoding.of(exchange.header("Accept"), exchange.parameter("includeObject"), tables);
    }

    private SimulatedResponse one(int code, SimulatedRequest exchange, ResourceType type, StoredObject object) {
        return SimulatedResponse.json(code, view(exchange).encodeObject(type, object));
    }

    private SimulatedResponse page(SimulatedRequest exchange, ResourceType type, ObjectPage page) {
        return SimulatedResponse.json(200, view(exchange).encodeList(type, page));
    }

    private boolean exists(ResourceType stored, ApiPath path) {
        return objects.store().get(stored.key(), path.namespace(), path.name()) != null;
    }

    private static void requireCreate(SimulatedRequest exchange) {
        if (!exchange.verb().equals("create")) {
            throw ApiError.methodNotAllowed();
        }
    }

    private SimulatedResponse scale(SimulatedRequest exchange, ApiPath path, ResourceType type, ScalePaths paths) {
        ObjectNode current = toScale(objects.get(type, path.namespace(), path.name()), paths);
        ObjectNode wanted =
                switch (exchange.verb()) {
                    case "get" -> current;
                    case "update" -> object(parse(exchange));
                    case "patch" -> JsonPatches.applyMergePatch(current, object(parseJson(exchange)));
                    default -> throw ApiError.methodNotAllowed();
                };
        if (exchange.verb().equals("get")) {
            return SimulatedResponse.json(200, current);
        }
        JsonNode replicas = JsonTrees.at(wanted, "spec", "replicas");
        if (!replicas.isIntegralNumber() || replicas.asInt() < 0) {
            ApiError.Cause cause =
                    ApiError.Cause.invalid("spec.replicas", replicas + ": must be greater than or equal to 0");
            throw ApiError.invalid("autoscaling", "Scale", path.name(), List.of(cause));
        }
        UnaryOperator<ObjectNode> change = body -> {
            String revision = JsonTrees.text(wanted, "metadata", "resourceVersion");
            if (!revision.isEmpty()) {
                JsonTrees.child(body, "metadata").put("resourceVersion", revision);
            }
            List<String> steps = List.of(steps(paths.specReplicasPath()));
            ObjectNode parent = body;
            for (String step : steps.subList(0, steps.size() - 1)) {
                parent = JsonTrees.child(parent, step);
            }
            parent.set(steps.getLast(), replicas);
            return body;
        };
        StoredObject scaled =
                objects.patch(type, path.namespace(), path.name(), WriteScope.MAIN, change, options(exchange));
        return SimulatedResponse.json(200, toScale(scaled, paths));
    }

    /** The object as autoscaling/v1 shows it. */
    private static ObjectNode toScale(StoredObject object, ScalePaths paths) {
        ObjectNode tree = object.tree();
        ObjectNode scale = JsonTrees.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        scale.putObject("metadata")
                .put("name", object.name())
                .put("namespace", object.namespace())
                .put("uid", object.uid())
                .put("resourceVersion", Long.toString(object.revision()))
                .put("creationTimestamp", JsonTrees.text(tree, "metadata", "creationTimestamp"));
        JsonNode wanted = JsonTrees.at(tree, steps(paths.specReplicasPath()));
        JsonNode actual = JsonTrees.at(tree, steps(paths.statusReplicasPath()));
        scale.putObject("spec").put("replicas", wanted.asInt());
        scale.putObject("status").put("replicas", actual.asInt());
        return scale;
    }

    private static String[] steps(String path) {
        return path.substring(1).split("\\.");
    }

    private SimulatedResponse patch(SimulatedRequest exchange, ApiPath path, ResourceType type, WriteScope scope) {
        String mediaType = mediaType(exchange);
        List<String> accepted = new ArrayList<>(List.of(JSON_PATCH, MERGE, APPLY));
        if (type.builtIn()) {
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
            int code = exists(stored, path) ? 200 : 201;
            return one(
                    code,
                    exchange,
                    type,
                    objects.apply(stored, path.namespace(), path.name(), scope, applied, options(exchange)));
        }
        UnaryOperator<ObjectNode> change = target -> {
            EventConversion.toServed(type, target);
            target.put("kind", type.kind()).put("apiVersion", type.apiVersion());
            ObjectNode changed =
                    switch (mediaType) {
                        case JSON_PATCH -> JsonPatches.applyJsonPatch(target, patch);
                        case MERGE -> JsonPatches.applyMergePatch(target, object(patch));
                        default -> StrategicMergePatch.apply(target, object(patch), type.lists());
                    };
            EventConversion.toStored(type, changed);
            return changed;
        };
        return one(
                200,
                exchange,
                type,
                objects.patch(stored, path.namespace(), path.name(), scope, change, options(exchange)));
    }

    private SimulatedResponse delete(SimulatedRequest exchange, ApiPath path, ResourceType type) {
        ObjectOperations.Deletion deletion =
                objects.delete(EventConversion.storedAs(type), path.namespace(), path.name(), deleteOptions(exchange));
        if (!deletion.removed() || type.key().equals(ResourceCatalog.SERVICE_ACCOUNTS)) {
            return one(200, exchange, type, deletion.last());
        }
        ObjectNode status = JsonTrees.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        ObjectNode details =
                status.put("status", "Success").putObject("details").put("name", path.name());
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        details.put("kind", type.plural()).put("uid", deletion.last().uid());
        return SimulatedResponse.json(200, status);
    }

    private SimulatedResponse requestToken(SimulatedRequest exchange, ApiPath path) {
        ResourceType accounts = objects.catalog().any(ResourceCatalog.SERVICE_ACCOUNTS);
        StoredObject account = objects.get(accounts, path.namespace(), path.name());
        ObjectNode review = object(parse(exchange));
        ObjectNode spec = JsonTrees.child(review, "spec");
        long seconds = spec.path("expirationSeconds").asLong(3600);
        if (seconds < 600) {
            ApiError.Cause tooShort = ApiError.Cause.invalid(
                    "spec.expirationSeconds", seconds + ": may not specify a duration less than 10 minutes");
            throw ApiError.invalid("authentication.k8s.io", "TokenRequest", "", List.of(tooShort));
        }
        spec.put("expirationSeconds", seconds);
        Duration life = Duration.ofSeconds(seconds);
        review.put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
        JsonTrees.child(review, "metadata")
                .put("name", account.name())
                .put("namespace", account.namespace())
                .put("creationTimestamp", objects.now());
        String end = objects.clock()
                .instant()
                .plus(life)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        review.putObject("status")
                .put("token", tokens.issue(account, life, JsonTrees.texts(spec.path("audiences"))))
                .put("expirationTimestamp", end);
        return SimulatedResponse.json(201, review);
    }

    private static WriteScope scope(ResourceType type, String subresource) {
        if (subresource.isEmpty()) {
            return WriteScope.MAIN;
        }
        if (subresource.equals("status") && type.status()) {
            return WriteScope.STATUS;
        }
        if (subresource.equals("finalize") && type.key().equals(ResourceCatalog.NAMESPACES)) {
            return WriteScope.FINALIZE;
        }
        throw ApiError.noSuchPath();
    }

    private static WriteOptions options(SimulatedRequest exchange) {
        return new WriteOptions(exchange.fieldManager(), isDryRun(exchange), exchange.flag("force"));
    }

    private static DeleteOptions deleteOptions(SimulatedRequest exchange) {
        JsonNode body = exchange.body().length == 0 ? JsonTrees.object() : parse(exchange);
        return DeleteOptions.of(body, isDryRun(exchange));
    }

    private static boolean isDryRun(SimulatedRequest exchange) {
        return exchange.parameter("dryRun").equals("All");
    }

    private static String mediaType(SimulatedRequest exchange) {
        return exchange.header("Content-Type").split(";")[0].strip().toLowerCase(Locale.ROOT);
    }

    private static JsonNode parse(SimulatedRequest exchange) {
        return switch (mediaType(exchange)) {
            case "", JSON -> parseJson(exchange);
            case PROTOBUF -> {
                try {
                    yield ProtobufReader.read(exchange.body());
                } catch (IllegalArgumentException unreadable) {
                    throw ApiError.badRequest(String.valueOf(unreadable.getMessage()));
                }
            }
            default -> throw ApiError.unsupportedMediaType(List.of(JSON, PROTOBUF));
        };
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

    private static ObjectNode object(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            return object;
        }
        throw ApiError.badRequest("the body of the request is not an object");
    }
}

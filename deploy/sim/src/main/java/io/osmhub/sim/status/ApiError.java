package io.osmhub.sim.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.resource.ResourceKey;
import java.util.List;

/** An answer other than success, as the Status document that an API server sends for it. */
public final class ApiError extends RuntimeException {
    /** One field that is wrong: {@code reason} is a word such as {@code FieldValueInvalid}. */
    public record Cause(String field, String reason, String message) {}

    private final int code;
    private final ObjectNode status;

    private ApiError(int code, String reason, String message) {
        // Runs with faults cause thousands of errors, whose stack traces are useless.
        super(message, null, false, false);
        this.code = code;
        this.status = JsonTrees.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", message);
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
        status.put("code", code);
    }

    /** The HTTP status code. */
    public int code() {
        return code;
    }

    /** The Status document. */
    public ObjectNode status() {
        return status;
    }

    /** The machine-readable word, empty when there is none. */
    public String reason() {
        return JsonTrees.text(status, "reason");
    }

    /** 400. */
    public static ApiError badRequest(String message) {
        return new ApiError(400, "BadRequest", message);
    }

    /** 401. */
    public static ApiError unauthorized() {
        return new ApiError(401, "Unauthorized", "Unauthorized");
    }

    /** 404 for a path that is not served. */
    public static ApiError noSuchPath() {
        return new ApiError(404, "NotFound", "the server could not find the requested resource")
                .about("", "", "", List.of());
    }

    /** 404 for an object. */
    public static ApiError notFound(ResourceKey resource, String name) {
        return new ApiError(404, "NotFound", "%s \"%s\" not found".formatted(resource, name))
                .about(name, resource.group(), resource.plural(), List.of());
    }

    /** 409 for a name that is taken. */
    public static ApiError alreadyExists(ResourceKey resource, String name) {
        return new ApiError(409, "AlreadyExists", "%s \"%s\" already exists".formatted(resource, name))
                .about(name, resource.group(), resource.plural(), List.of());
    }

    /** 409 for a write based on what no longer is. */
    public static ApiError conflict(ResourceKey resource, String name, String why) {
        return new ApiError(
                        409,
                        "Conflict",
                        "Operation cannot be fulfilled on %s \"%s\": %s".formatted(resource, name, why))
                .about(name, resource.group(), resource.plural(), List.of());
    }

    /** 409 for a server-side apply that would take fields from other managers. */
    public static ApiError applyConflict(List<Cause> conflicts) {
        String message = "Apply failed with %d conflict%s: %s"
                .formatted(
                        conflicts.size(),
                        conflicts.size() == 1 ? "" : "s",
                        String.join(
                                ", ",
                                conflicts.stream()
                                        .map(each -> each.message() + ": " + each.field())
                                        .toList()));
        return new ApiError(409, "Conflict", message).about("", "", "", conflicts);
    }

    /** 403. {@code resource} may carry a subresource after a slash. */
    public static ApiError forbidden(ResourceKey resource, String name, String why) {
        String what = name.isEmpty() ? resource.toString() : "%s \"%s\"".formatted(resource, name);
        return new ApiError(403, "Forbidden", what + " is forbidden: " + why)
                .about(name, resource.group(), resource.plural(), List.of());
    }

    /** 403 for a non-resource path. */
    public static ApiError forbiddenPath(String message) {
        return new ApiError(403, "Forbidden", message).about("", "", "", List.of());
    }

    /** 422 with the wrong fields. */
    public static ApiError invalid(String group, String kind, String name, List<Cause> causes) {
        List<String> parts = causes.stream()
                .map(each -> each.field() + ": " + each.message())
                .toList();
        String all = parts.size() == 1 ? parts.getFirst() : "[" + String.join(", ", parts) + "]";
        String qualified = group.isEmpty() ? kind : kind + "." + group;
        return new ApiError(422, "Invalid", "%s \"%s\" is invalid: %s".formatted(qualified, name, all))
                .about(name, group, kind, causes);
    }

    /** 422 for a JSON patch that does not fit its object; the real server does not say why. */
    public static ApiError unprocessable() {
        return new ApiError(422, "Invalid", "the server rejected our request due to an error in our request")
                .about("", "", "", List.of());
    }

    /** 405. */
    public static ApiError methodNotAllowed() {
        return new ApiError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource")
                .about("", "", "", List.of());
    }

    /** 406. */
    public static ApiError notAcceptable(List<String> offered) {
        return new ApiError(
                406, "NotAcceptable", "only the following media types are accepted: " + String.join(", ", offered));
    }

    /** 410 for a revision or continue token that history no longer reaches. */
    public static ApiError expired(String message) {
        return new ApiError(410, "Expired", message);
    }

    /** 415. */
    public static ApiError unsupportedMediaType(List<String> accepted) {
        return new ApiError(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                        + String.join(", ", accepted));
    }

    /** 429, which the caller sends with a {@code Retry-After} header. */
    public static ApiError tooManyRequests(long retryAfterSeconds) {
        ApiError error = new ApiError(429, "TooManyRequests", "Too many requests, please try again later.");
        JsonTrees.child(error.status, "details").put("retryAfterSeconds", retryAfterSeconds);
        return error;
    }

    /** Any other code, as a fault switch asks for it. */
    public static ApiError injected(int code) {
        String reason =
                switch (code) {
                    case 401 -> "Unauthorized";
                    case 403 -> "Forbidden";
                    case 404 -> "NotFound";
                    case 409 -> "Conflict";
                    case 410 -> "Expired";
                    case 429 -> "TooManyRequests";
                    case 500 -> "InternalError";
                    case 503 -> "ServiceUnavailable";
                    case 504 -> "Timeout";
                    default -> "";
                };
        return new ApiError(code, reason, "the simulator was told to answer " + code);
    }

    /** 500 without a reason: what the real server answers where it forgot to classify a mistake of the client. */
    public static ApiError unclassified(String message) {
        return new ApiError(500, "", message);
    }

    /** 504 for a list at a revision that does not exist yet. */
    public static ApiError revisionTooLarge(long wanted, long current) {
        ApiError error = new ApiError(
                504, "Timeout", "Timeout: Too large resource version: %d, current: %d".formatted(wanted, current));
        error.about("", "", "", List.of(new Cause("", "ResourceVersionTooLarge", "Too large resource version")));
        JsonTrees.child(error.status, "details").put("retryAfterSeconds", 1);
        return error;
    }

    /** 503 for a WebSocket: clients then use a plain HTTP watch. */
    public static ApiError noWebSockets() {
        return new ApiError(503, "ServiceUnavailable", "the simulator serves watches as plain HTTP only");
    }

    /** 500 for a mistake of the simulator itself. */
    public static ApiError internal(String message) {
        return new ApiError(500, "InternalError", "Internal error occurred: " + message);
    }

    private ApiError about(String name, String group, String kind, List<Cause> causes) {
        ObjectNode details = status.putObject("details");
        putUnlessEmpty(details, "name", name);
        putUnlessEmpty(details, "group", group);
        putUnlessEmpty(details, "kind", kind);
        if (!causes.isEmpty()) {
            ArrayNode array = details.putArray("causes");
            for (Cause each : causes) {
                ObjectNode cause =
                        array.addObject().put("reason", each.reason()).put("message", each.message());
                putUnlessEmpty(cause, "field", each.field());
            }
        }
        return this;
    }

    private static void putUnlessEmpty(ObjectNode object, String field, String value) {
        if (!value.isEmpty()) {
            object.put(field, value);
        }
    }
}

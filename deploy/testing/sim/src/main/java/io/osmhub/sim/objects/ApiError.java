package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** An error response, as the Status document of an API server. */
public final class ApiError extends RuntimeException {
    /** One invalid field: {@code reason} is a word such as {@code FieldValueInvalid}. */
    public record Cause(String field, String reason, String message) {
        /** {@code what} is the value and why it is invalid. */
        public static Cause invalid(String field, String what) {
            return new Cause(field, "FieldValueInvalid", "Invalid value: " + what);
        }

        static Cause required(String field) {
            return new Cause(field, "FieldValueRequired", "Required value");
        }

        static Cause immutable(String field, String value) {
            return invalid(field, "\"" + value + "\": field is immutable");
        }
    }

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
        putUnlessEmpty(status, "reason", reason);
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

    public static ApiError badRequest(String message) {
        return new ApiError(400, "BadRequest", message);
    }

    public static ApiError unauthorized() {
        return new ApiError(401, "Unauthorized", "Unauthorized");
    }

    /** For a path that is not served. */
    public static ApiError noSuchPath() {
        return withDetails(404, "NotFound", "the server could not find the requested resource");
    }

    public static ApiError notFound(ResourceKey resource, String name) {
        return about(404, "NotFound", resource, name, "%s \"%s\" not found".formatted(resource, name));
    }

    static ApiError alreadyExists(ResourceKey resource, String name) {
        return about(409, "AlreadyExists", resource, name, "%s \"%s\" already exists".formatted(resource, name));
    }

    /** For a write based on an outdated state. */
    static ApiError conflict(ResourceKey resource, String name, String why) {
        String message = "Operation cannot be fulfilled on %s \"%s\": %s".formatted(resource, name, why);
        return about(409, "Conflict", resource, name, message);
    }

    /** For a server-side apply that would take fields from other managers. */
    static ApiError applyConflict(List<Cause> conflicts) {
        List<String> parts = conflicts.stream()
                .map(each -> each.message() + ": " + each.field())
                .toList();
        String message = "Apply failed with %d conflict%s: %s"
                .formatted(parts.size(), parts.size() == 1 ? "" : "s", String.join(", ", parts));
        return new ApiError(409, "Conflict", message).details("", "", "", conflicts);
    }

    public static ApiError forbidden(ResourceKey resource, String name, String why) {
        String what = name.isEmpty() ? resource.toString() : "%s \"%s\"".formatted(resource, name);
        return about(403, "Forbidden", resource, name, what + " is forbidden: " + why);
    }

    /** For a non-resource path. */
    public static ApiError forbiddenPath(String message) {
        return withDetails(403, "Forbidden", message);
    }

    /** 422 with the invalid fields. */
    public static ApiError invalid(String group, String kind, String name, List<Cause> causes) {
        List<String> parts = causes.stream()
                .map(each -> each.field() + ": " + each.message())
                .toList();
        String all = parts.size() == 1 ? parts.getFirst() : "[" + String.join(", ", parts) + "]";
        String message = "%s \"%s\" is invalid: %s".formatted(new ResourceKey(group, kind), name, all);
        return new ApiError(422, "Invalid", message).details(name, group, kind, causes);
    }

    /** 422 for a JSON patch that does not fit its object; the real server does not give a cause either. */
    static ApiError unprocessable() {
        return withDetails(422, "Invalid", "the server rejected our request due to an error in our request");
    }

    public static ApiError methodNotAllowed() {
        String message = "the server does not allow this method on the requested resource";
        return withDetails(405, "MethodNotAllowed", message);
    }

    public static ApiError notAcceptable(List<String> offered) {
        String message = "only the following media types are accepted: " + String.join(", ", offered);
        return new ApiError(406, "NotAcceptable", message);
    }

    /** 410 for a revision or continue token older than the history. */
    public static ApiError expired(String message) {
        return new ApiError(410, "Expired", message);
    }

    public static ApiError unsupportedMediaType(List<String> accepted) {
        String message = "the body of the request was in an unknown format - accepted media types include: "
                + String.join(", ", accepted);
        return new ApiError(415, "UnsupportedMediaType", message);
    }

    /** 429; the caller adds the {@code Retry-After} header. */
    public static ApiError tooManyRequests(long retryAfterSeconds) {
        return new ApiError(429, "TooManyRequests", "Too many requests, please try again later.")
                .retryAfter(retryAfterSeconds);
    }

    /** Any other code, injected by a fault. */
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
        return new ApiError(code, reason, "injected fault: " + code);
    }

    /** 500 without a reason: the real server's response to client errors that it does not classify. */
    public static ApiError unclassified(String message) {
        return new ApiError(500, "", message);
    }

    /** 504 for a list at a future revision. */
    public static ApiError revisionTooLarge(long wanted, long current) {
        String message = "Timeout: Too large resource version: %d, current: %d".formatted(wanted, current);
        Cause cause = new Cause("", "ResourceVersionTooLarge", "Too large resource version");
        return new ApiError(504, "Timeout", message)
                .details("", "", "", List.of(cause))
                .retryAfter(1);
    }

    /** 503 for a WebSocket: clients then use a plain HTTP watch. */
    public static ApiError noWebSockets() {
        return new ApiError(503, "ServiceUnavailable", "the simulator serves watches as plain HTTP only");
    }

    /** 500 for a bug of the simulator. */
    public static ApiError internal(String message) {
        return new ApiError(500, "InternalError", "Internal error occurred: " + message);
    }

    private static ApiError about(int code, String reason, ResourceKey resource, String name, String message) {
        return new ApiError(code, reason, message).details(name, resource.group(), resource.plural(), List.of());
    }

    private static ApiError withDetails(int code, String reason, String message) {
        return new ApiError(code, reason, message).details("", "", "", List.of());
    }

    private ApiError details(String name, String group, String kind, List<Cause> causes) {
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

    private ApiError retryAfter(long seconds) {
        JsonTrees.child(status, "details").put("retryAfterSeconds", seconds);
        return this;
    }

    private static void putUnlessEmpty(ObjectNode object, String field, String value) {
        if (!value.isEmpty()) {
            object.put(field, value);
        }
    }
}

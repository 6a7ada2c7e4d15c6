package io.osmhub.api.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ProblemDetails;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.problem.MessageFormatter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * An encoded response.
 *
 * @param mediaType empty without a body
 * @param body null if there is none
 */
record EncodedReply(int status, Map<String, String> headers, String mediaType, byte @Nullable [] body) {
    static final String JSON = "application/json";
    private static final String PROBLEM_JSON = "application/problem+json";
    private static final int LONGEST = 1_024;
    private static final int WORTH_PACKING = 1_024;
    private static final int NOT_MODIFIED = 304;
    private static final int ETAG_DIGITS = 16;

    /** @throws JsonProcessingException if the body is not a record of the schema, or contains a credential */
    static EncodedReply of(Reply reply) throws JsonProcessingException {
        Object body = reply.body();
        Map<String, String> headers = new LinkedHashMap<>(reply.headers());
        if (body == null) {
            return new EncodedReply(reply.status(), headers, "", null);
        }
        byte[] bytes;
        String mediaType;
        if (body instanceof Reply.ReplyContent content) {
            bytes = content.bytes();
            mediaType = content.mediaType();
        } else {
            bytes = ApiJson.server().writeValueAsBytes(body);
            mediaType = JSON;
        }
        Object identity = reply.identity();
        if (identity != null) {
            headers.put("ETag", "W/" + etag(ApiJson.server().writeValueAsBytes(identity)));
        } else if (reply.status() < 300) {
            headers.putIfAbsent("ETag", etag(bytes));
        }
        return new EncodedReply(reply.status(), headers, mediaType, bytes);
    }

    static EncodedReply of(ApiProblem problem, String path, String requestId) {
        Map<String, String> headers = new LinkedHashMap<>(problem.headers());
        if (problem.retryAfter() != null) {
            headers.put(
                    "Retry-After",
                    String.valueOf(Math.max(1, problem.retryAfter().toSeconds())));
        }
        if (problem.status() == 401) {
            headers.put("WWW-Authenticate", "Bearer realm=\"osm-hub\"");
        }
        try {
            byte[] bytes = ApiJson.server().writeValueAsBytes(details(problem, path, requestId));
            return new EncodedReply(problem.status(), headers, PROBLEM_JSON, bytes);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The JSON body, for contract checks; null if it is not JSON. */
    @Nullable JsonNode json() throws IOException {
        return body == null || !mediaType.endsWith("json")
                ? null
                : ApiJson.server().readTree(body);
    }

    private static String etag(byte[] bytes) {
        return "\"" + Sha256.hex(bytes).substring(0, ETAG_DIGITS) + "\"";
    }

    /** 304 if the client has this body; the same otherwise. */
    EncodedReply withIfNoneMatch(@Nullable String ifNoneMatch) {
        String etag = headers.get("ETag");
        if (ifNoneMatch == null || etag == null || status != 200 || !names(ifNoneMatch, etag)) {
            return this;
        }
        return new EncodedReply(NOT_MODIFIED, headers, "", null);
    }

    private static boolean names(String ifNoneMatch, String etag) {
        String bare = bare(etag);
        for (String each : ifNoneMatch.split(",", -1)) {
            String one = each.strip();
            if (one.equals("*") || bare(one).equals(bare)) {
                return true;
            }
        }
        return false;
    }

    private static String bare(String etag) {
        return etag.startsWith("W/") ? etag.substring(2) : etag;
    }

    /** Compressed if that saves bytes. */
    EncodedReply compressed() {
        if (body == null || body.length < WORTH_PACKING) {
            return this;
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream(body.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put("Content-Encoding", "gzip");
        return new EncodedReply(status, more, mediaType, packed.toByteArray());
    }

    /** The problem in the contract's form, truncated to its lengths. */
    private static ProblemDetails details(ApiProblem problem, String path, String requestId) {
        List<ProblemDetails.ProblemError> errors =
                problem.mistakes().stream().map(EncodedReply::mistake).toList();
        return new ProblemDetails(
                problem.type().uri(),
                problem.type().title(),
                problem.status(),
                cut(problem.detail(), LONGEST),
                cut(path, LONGEST),
                requestId,
                errors.isEmpty() ? null : errors);
    }

    private static ProblemDetails.ProblemError mistake(RequestError mistake) {
        RequestError.RequestPart in = mistake.in();
        return new ProblemDetails.ProblemError(
                in == null ? null : ProblemDetails.ProblemError.Part.valueOf(in.name()),
                cut(mistake.pointer(), LONGEST),
                cut(mistake.field(), LONGEST),
                mistake.reason(),
                Objects.requireNonNullElse(cut(mistake.detail(), LONGEST), ""),
                cut(mistake.cure(), LONGEST));
    }

    /** Null if empty. Details may quote the request. */
    private static @Nullable String cut(String given, int most) {
        if (given.isEmpty()) {
            return null;
        }
        String text = MessageFormatter.visible(given);
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }
}

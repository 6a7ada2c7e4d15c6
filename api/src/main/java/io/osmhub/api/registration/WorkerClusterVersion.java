package io.osmhub.api.registration;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Metadata;
import io.osmhub.api.schema.WorkerCluster;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ETag of a worker cluster. Its first half stands for what people set, its second for the whole body. A body that was read is
 * out of date as soon as anything in it is another; a change is refused only if somebody else has changed what people set, since a
 * status changes all the time.
 */
public final class WorkerClusterVersion {
    private static final int HALF = 6;

    private WorkerClusterVersion() {}

    /** With its quotes. */
    public static String etag(WorkerCluster shown) {
        try {
            return "\"" + settings(shown) + "-" + hash(ApiJson.server().writeValueAsString(shown)) + "\"";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the value of If-Match names the worker cluster as it is now. */
    static boolean matches(String ifMatch, WorkerCluster now) {
        String settings = settings(now);
        for (String one : ifMatch.split(",", -1)) {
            String tag = one.strip();
            if (tag.equals("*") || tag.startsWith("\"" + settings + "-") || tag.startsWith("W/\"" + settings + "-")) {
                return true;
            }
        }
        return false;
    }

    private static String settings(WorkerCluster shown) {
        Metadata metadata = shown.metadata();
        Map<String, String> labels = metadata.labels() == null ? Map.of() : metadata.labels();
        return hash(metadata.uid() + " " + metadata.generation() + " " + new TreeMap<>(labels));
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, HALF);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

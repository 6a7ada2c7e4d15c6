package io.osmhub.api.registration;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Metadata;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.model.Sha256;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * ETag of a worker cluster: the first half is a hash of what users set, the second of the whole body. A cached body is stale after any
 * change, but a write is rejected only if what users set has changed, because the status changes all the time.
 */
public final class WorkerClusterEtag {
    private static final int HALF = 6;

    private WorkerClusterEtag() {}

    /** Includes the quotes. */
    public static String etag(WorkerClusterEntry shown) {
        try {
            return "\"" + settings(shown) + "-" + Sha256.hex(ApiJson.server().writeValueAsString(shown), HALF) + "\"";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the value of If-Match matches the current worker cluster. */
    static boolean matches(String ifMatch, WorkerClusterEntry now) {
        String settings = settings(now);
        for (String one : ifMatch.split(",", -1)) {
            String tag = one.strip();
            if (tag.equals("*") || tag.startsWith("\"" + settings + "-") || tag.startsWith("W/\"" + settings + "-")) {
                return true;
            }
        }
        return false;
    }

    private static String settings(WorkerClusterEntry shown) {
        Metadata metadata = shown.metadata();
        Map<String, String> labels = metadata.labels() == null ? Map.of() : metadata.labels();
        return Sha256.hex(metadata.uid() + " " + metadata.generation() + " " + new TreeMap<>(labels), HALF);
    }
}

package io.osmhub.tenancy.crds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.Map;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the hub's fields of profiles stored under schema revision 2 to their annotations, so that a definition without these
 * fields loses nothing. Blocks.
 */
public final class ProfileFieldMigration {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileFieldMigration.class);
    private static final int PAGE = 100;

    private ProfileFieldMigration() {}

    /**
     * Copies the fields of all profiles; call it before the definition loses them.
     *
     * @throws ApiFailure if one could not be listed or changed: the definition must not be changed yet
     */
    public static void migrateAll(KubeApi management) throws ApiFailure {
        String next = "";
        do {
            Map<String, String> query = next.isEmpty()
                    ? Map.of("limit", Integer.toString(PAGE))
                    : Map.of("limit", Integer.toString(PAGE), "continue", next);
            JsonNode page = WireJson.response(
                    management.send(ApiRequest.list(Resource.OPERATING_SYSTEM_PROFILES, "", query)),
                    "a list of OperatingSystemProfiles");
            for (JsonNode profile : page.path("items")) {
                SortedMap<String, String> missing = ProfileAnnotations.missing(profile);
                if (!missing.isEmpty()) {
                    ObjectMetadata head = ObjectMetadata.of(profile);
                    annotate(management, head.namespace(), head.name(), head.resourceVersion(), missing);
                }
            }
            next = page.path("metadata").path("continue").asText("");
        } while (!next.isEmpty());
    }

    /**
     * Adds annotations to one profile unless it has changed.
     *
     * @return the response
     */
    public static byte[] annotate(
            KubeApi management, String namespace, String name, String resourceVersion, Map<String, String> annotations)
            throws ApiFailure {
        ObjectNode patch = WireJson.object();
        ObjectNode metadata = patch.putObject("metadata").put("resourceVersion", resourceVersion);
        annotations.forEach(metadata.putObject("annotations")::put);
        byte[] answer = management.send(ApiRequest.patch(
                Resource.OPERATING_SYSTEM_PROFILES, namespace, name, ApiRequest.MERGE_PATCH, WireJson.text(patch)));
        LOG.info("Fields of profile {}/{} copied to annotations {}", namespace, name, annotations.keySet());
        return answer;
    }
}

package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import java.util.Map;
import java.util.TreeMap;

/**
 * The objects to watch.
 *
 * @param namespace empty for all namespaces
 * @param selectors {@code labelSelector} and {@code fieldSelector} query parameters
 */
public record Selection(Resource resource, String namespace, Map<String, String> selectors) {
    public Selection {
        selectors = Map.copyOf(selectors);
    }

    public static Selection all(Resource resource, String namespace) {
        return new Selection(resource, namespace, Map.of());
    }

    public static Selection labelled(Resource resource, String namespace, String labelSelector) {
        return new Selection(resource, namespace, Map.of("labelSelector", labelSelector));
    }

    public static Selection where(Resource resource, String namespace, String fieldSelector) {
        return new Selection(resource, namespace, Map.of("fieldSelector", fieldSelector));
    }

    /** @param page maximum number of objects */
    ApiRequest list(String continueToken, int page) {
        Map<String, String> query = new TreeMap<>(selectors);
        query.put("limit", Integer.toString(page));
        if (!continueToken.isEmpty()) {
            query.put("continue", continueToken);
        }
        return ApiRequest.list(resource, namespace, query);
    }

    ApiRequest watch(String resourceVersion, long seconds) {
        Map<String, String> query = new TreeMap<>(selectors);
        query.put("resourceVersion", resourceVersion);
        query.put("allowWatchBookmarks", "true");
        query.put("timeoutSeconds", Long.toString(seconds));
        return ApiRequest.watch(resource, namespace, query);
    }

    @Override
    public String toString() {
        return resource.plural() + (namespace.isEmpty() ? "" : " in " + namespace);
    }
}

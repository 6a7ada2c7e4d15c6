package io.osmhub.workersync.fake;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;

/** Selectors of a list or watch. */
final class Selectors {
    private Selectors() {}

    static boolean match(ApiRequest request, Resource resource, JsonNode object) {
        return request.resource() == resource
                && (request.namespace().isEmpty()
                        || request.namespace()
                                .equals(object.path("metadata")
                                        .path("namespace")
                                        .asText()))
                && labels(
                        request.query().getOrDefault("labelSelector", ""),
                        object.path("metadata").path("labels"))
                && fields(request.query().getOrDefault("fieldSelector", ""), object);
    }

    private static boolean labels(String selector, JsonNode labels) {
        for (String term : terms(selector)) {
            int equals = term.indexOf('=');
            boolean fits = equals < 0
                    ? labels.has(term)
                    : labels.path(term.substring(0, equals)).asText("").equals(term.substring(equals + 1));
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static boolean fields(String selector, JsonNode object) {
        for (String term : terms(selector)) {
            int equals = term.indexOf('=');
            String pointer = "/" + term.substring(0, equals).replace('.', '/');
            if (!object.at(pointer).asText("").equals(term.substring(equals + 1))) {
                return false;
            }
        }
        return true;
    }

    private static String[] terms(String selector) {
        return selector.isEmpty() ? new String[0] : selector.split(",");
    }
}

package io.osmhub.tenancy.connection;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.EndpointSource;
import io.osmhub.workersync.watch.WorkerObjectDecoders;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What nodes of a worker cluster need beside the hub.
 *
 * @param noMachineDeployments whether machine-controller's definitions are missing
 * @param noGetterToken whether the Secret that nodes fetch their configuration with is missing
 * @param apiServer why nodes would not know the API server, as rendering finds it; empty if they would, or if it may not be read
 */
record Prerequisites(boolean noMachineDeployments, boolean noGetterToken, List<Problem> apiServer) {
    private static final String SETTINGS = "cloud-init-settings";
    private static final String GETTER = "cloud-init-getter-token";

    /** @param apiServerUrl where the settings say that nodes find the API server; empty if they do not */
    static Prerequisites read(KubeApi api, String apiServerUrl) throws ApiFailure {
        return new Prerequisites(
                isMissing(api, ApiRequest.list(Resource.MACHINE_DEPLOYMENTS, "", Map.of("limit", "1"))),
                isMissing(api, ApiRequest.get(Resource.SECRETS, SETTINGS, GETTER)),
                apiServerProblems(api, apiServerUrl));
    }

    /** False if it may not be read. */
    private static boolean isMissing(KubeApi api, ApiRequest request) throws ApiFailure {
        try {
            WireJson.response(api.send(request), "an object");
            return false;
        } catch (ApiFailure failure) {
            if (failure.isForbidden() || failure.isNotFound()) {
                return failure.isNotFound();
            }
            throw failure;
        }
    }

    private static List<Problem> apiServerProblems(KubeApi api, String override) throws ApiFailure {
        try {
            // The hub's role does not permit to get the ConfigMap.
            JsonNode item = list(
                            api,
                            Resource.CONFIG_MAPS,
                            "kube-public",
                            Map.of("fieldSelector", "metadata.name=cluster-info"))
                    .path(0);
            String kubeconfig = item.isMissingNode()
                    ? null
                    : WorkerObjectDecoders.clusterInfo(item.traverse()).object();
            List<EndpointSlice> slices = ApiServerDiscovery.isUsable(kubeconfig) ? List.of() : slices(api);
            ApiServerDiscovery.find(new ApiServerDiscovery.Sources(kubeconfig, slices, ""), override);
            return List.of();
        } catch (TenantMistake mistake) {
            return mistake.findings();
        } catch (IOException e) {
            throw WireJson.unexpected("a ConfigMap or EndpointSlice");
        } catch (ApiFailure failure) {
            if (failure.isForbidden()) {
                return List.of();
            }
            throw failure;
        }
    }

    /** None if they may not be read, as rendering sees none then. */
    private static List<EndpointSlice> slices(KubeApi api) throws ApiFailure, IOException {
        try {
            return EndpointSource.read(api);
        } catch (ApiFailure failure) {
            if (!failure.isForbidden() && !failure.isNotFound()) {
                throw failure;
            }
            return List.of();
        }
    }

    private static JsonNode list(KubeApi api, Resource resource, String namespace, Map<String, String> query)
            throws ApiFailure {
        return WireJson.response(api.send(ApiRequest.list(resource, namespace, query)), "a list")
                .path("items");
    }
}

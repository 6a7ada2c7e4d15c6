package io.osmhub.workersync.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.ForbiddenRequests;
import io.osmhub.workersync.apiserver.ItemSplitter.ItemHandler;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.MetadataScanner;
import io.osmhub.workersync.apiserver.ObjectSource;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The API server's EndpointSlices, also with a role for OSM, whose permissions differ between OSM, KubeOne and KKP: without the
 * permission to list them they are made from Endpoints {@code kubernetes}, and without the permission to watch they are listed every
 * minute. A forbidden request is tried again after 10 minutes. Thread-safe.
 *
 * <p>Sources: operating-system-manager v1.11.2, {@code deploy/osm.yaml}; the addon of KubeOne 1.14; user clusters of KKP 2.31.
 */
public final class EndpointSource implements ObjectSource {
    static final Selection SELECTION =
            Selection.labelled(Resource.ENDPOINT_SLICES, "default", "kubernetes.io/service-name=kubernetes");

    private static final String ENDPOINTS = "kubernetes";
    private static final String LIST_SLICES = "list EndpointSlices";
    private static final String WATCH_SLICES = "watch EndpointSlices";
    private static final Duration BETWEEN_LISTS = Duration.ofMinutes(1);
    private static final int PAGE_SIZE = 500;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubeApi kubeApi;
    private final Scheduler scheduler;
    private final ForbiddenRequests forbiddenRequests;

    EndpointSource(KubeApi kubeApi, Scheduler scheduler) {
        this.kubeApi = kubeApi;
        this.scheduler = scheduler;
        this.forbiddenRequests = new ForbiddenRequests(scheduler::nanoTime, new CurrentConnection(kubeApi));
    }

    /**
     * Reads them once; blocks.
     *
     * @throws ApiFailure if neither EndpointSlices nor Endpoints can be read
     * @throws IOException if the response contains something else
     */
    public static List<EndpointSlice> read(KubeApi kubeApi) throws ApiFailure, IOException {
        List<EndpointSlice> slices = new ArrayList<>();
        ItemHandler items = json -> {
            try (JsonParser parser = JSON.createParser(json)) {
                EndpointSlice slice = WorkerObjectDecoders.endpointSlice(parser).object();
                if (slice != null) {
                    slices.add(slice);
                }
            }
        };
        list(
                kubeApi,
                new ForbiddenRequests(System::nanoTime, new CurrentConnection(kubeApi)),
                SELECTION.list("", PAGE_SIZE),
                items);
        return slices;
    }

    @Override
    public byte[] list(ApiRequest request, ItemHandler items) throws ApiFailure, IOException {
        return list(kubeApi, forbiddenRequests, request, items);
    }

    private static byte[] list(
            KubeApi kubeApi, ForbiddenRequests forbiddenRequests, ApiRequest request, ItemHandler items)
            throws ApiFailure, IOException {
        return forbiddenRequests.send(
                LIST_SLICES, () -> kubeApi.list(request, items), () -> listEndpoints(kubeApi, items));
    }

    /** Delivers Endpoints as EndpointSlices with the fields that the hub reads. */
    private static byte[] listEndpoints(KubeApi kubeApi, ItemHandler items) throws ApiFailure, IOException {
        JsonNode endpoints =
                JSON.readTree(kubeApi.send(ApiRequest.get(Resource.ENDPOINTS, SELECTION.namespace(), ENDPOINTS)));
        if (!(endpoints.path("metadata") instanceof ObjectNode metadata)) {
            throw new IOException("Endpoints without metadata");
        }
        int count = 0;
        for (JsonNode subset : endpoints.path("subsets")) {
            count++;
            ObjectNode slice = JSON.createObjectNode();
            slice.set("metadata", metadata.deepCopy().put("name", ENDPOINTS + "-" + count));
            slice.set("ports", subset.path("ports"));
            for (JsonNode address : subset.path("addresses")) { // the others are in notReadyAddresses
                ObjectNode endpoint = slice.withArray("endpoints").addObject();
                endpoint.putArray("addresses").add(address.path("ip").asText());
                endpoint.putObject("conditions").put("ready", true);
            }
            items.onItem(slice.toString().getBytes(UTF_8));
        }
        ObjectNode list = JSON.createObjectNode();
        list.putObject("metadata")
                .put("resourceVersion", metadata.path("resourceVersion").asText());
        return list.toString().getBytes(UTF_8);
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        EndpointWatch endpointWatch = new EndpointWatch(lines);
        if (forbiddenRequests.isForbidden(WATCH_SLICES)) {
            endpointWatch.poll();
        } else {
            endpointWatch.watch = kubeApi.watch(request, endpointWatch);
        }
        return endpointWatch;
    }

    /** A watch that, where it is forbidden, ends as expired after a while, so that its owner lists again. */
    private final class EndpointWatch implements Watch, WatchLineHandler {
        private final WatchLineHandler lines;
        private volatile @Nullable Watch watch;
        private volatile boolean stopped;

        EndpointWatch(WatchLineHandler lines) {
            this.lines = lines;
        }

        /** Not under the locks of the caller, which expects no event yet. */
        private void poll() {
            schedule(Duration.ZERO, lines::onOpened);
            ApiFailure expired = new ApiFailure(
                    ApiFailure.ApiFailureKind.ANSWERED, 410, "Expired", "watch is forbidden, list again", null);
            schedule(BETWEEN_LISTS, () -> lines.onFailed(expired));
        }

        private void schedule(Duration delay, Runnable notification) {
            scheduler.schedule(delay, () -> {
                if (!stopped) {
                    notification.run();
                }
            });
        }

        @Override
        public void stop() {
            stopped = true;
            Watch begun = watch;
            if (begun != null) {
                begun.stop();
            }
        }

        @Override
        public void onOpened() {
            lines.onOpened();
        }

        @Override
        public void onLine(byte[] json, UnaryOperator<String> redactor) {
            lines.onLine(json, redactor);
        }

        @Override
        public void onTooLarge(MetadataScanner event, String why) {
            lines.onTooLarge(event, why);
        }

        @Override
        public void onEnded() {
            lines.onEnded();
        }

        @Override
        public void onFailed(ApiFailure failure) {
            if (failure.isForbidden()) {
                forbiddenRequests.setForbidden(WATCH_SLICES);
                poll();
            } else {
                lines.onFailed(failure);
            }
        }
    }
}

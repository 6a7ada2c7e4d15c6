package io.osmhub.bench.inventory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A management cluster that generates its objects on each list, so that they use no memory. */
final class GeneratedServer implements KubeApi {
    private static final int PAGE = 500;

    private final GeneratedFleet fleet;
    private final Map<Resource, WatchLineHandler> watches = new EnumMap<>(Resource.class);
    private long version = 1_000_000;

    GeneratedServer(GeneratedFleet fleet) {
        this.fleet = fleet;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        String from = request.query().getOrDefault("continue", "");
        int start = from.isEmpty() ? 0 : Integer.parseInt(from);
        int count = fleet.count(request.resource());
        int end = Math.min(count, start + PAGE);
        List<String> items = new ArrayList<>(end - start);
        for (int i = start; i < end; i++) {
            items.add(fleet.object(request.resource(), i, i + 1, 0));
        }
        String next = end < count ? ",\"continue\":\"" + end + "\"" : "";
        return ("{\"metadata\":{\"resourceVersion\":\"1000000\"" + next + "},\"items\":[" + String.join(",", items)
                        + "]}")
                .getBytes(UTF_8);
    }

    @Override
    public synchronized Watch watch(ApiRequest request, WatchLineHandler lines) {
        watches.put(request.resource(), lines);
        lines.onOpened();
        return () -> {};
    }

    /** Sends an object's new state; returns whether it is watched. */
    synchronized boolean change(Resource resource, int index, int state) {
        WatchLineHandler lines = watches.get(resource);
        if (lines != null) {
            version++;
            lines.onLine(
                    ("{\"type\":\"MODIFIED\",\"object\":" + fleet.object(resource, index, version, state) + "}")
                            .getBytes(UTF_8),
                    UnaryOperator.identity());
        }
        return lines != null;
    }
}

package io.osmhub.workersync.fake;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.RequestInfo;
import io.osmhub.workersync.apiserver.WriteGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An API server of a test: answers requests without a network. {@link #api()} is the hub's client of it. */
public interface ServerHandler {
    /** As {@link KubeApi#send}. */
    byte[] send(ApiRequest request) throws ApiFailure;

    /** As {@link KubeApi#list}; by default all at once. */
    default byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
        ItemSplitter splitter = ItemSplitter.ofList(
                Integer.MAX_VALUE, MemoryBudget.unlimited().createShare(), MemoryBudget.MemoryShare::tryReserve, items);
        splitter.add(ByteBuffer.wrap(send(request)));
        return splitter.remainder();
    }

    /** As {@link KubeApi#watch}. */
    KubeApi.Watch watch(ApiRequest request, KubeApi.WatchLineHandler lines);

    /** A client of this server, for typed requests as well. */
    default KubeApi api() {
        return new Client(this);
    }

    /** Sends every request to the server on the caller's thread. */
    record Client(ServerHandler server) implements KubeApi {
        @Override
        public <T extends @Nullable Object> T call(Function<KubernetesClient, T> request) throws ApiFailure {
            return KubeApi.call(FakeHttpClient.client(server), UnaryOperator.identity(), request);
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            return server.send(request);
        }

        @Override
        public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
            return server.list(request, items);
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return server.watch(request, lines);
        }

        @Override
        public KubeApi guardedBy(WriteGuard guard) {
            return new GuardedServer(server, guard).api();
        }
    }

    /** Checks writes when they are sent, as the transport does. */
    record GuardedServer(ServerHandler server, WriteGuard guard) implements ServerHandler {
        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            if (!request.verb().writes()) {
                return server.send(request);
            }
            RequestInfo write = new RequestInfo(
                    request.verb(),
                    request.resource().group(),
                    request.resource().plural(),
                    request.subresource(),
                    request.namespace(),
                    request.name());
            boolean successful = false;
            guard.onBegin(write);
            try {
                guard.check(write);
                byte[] answer = server.send(request);
                successful = true;
                return answer;
            } finally {
                guard.onEnd(write, successful);
            }
        }

        @Override
        public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
            return server.list(request, items);
        }

        @Override
        public KubeApi.Watch watch(ApiRequest request, KubeApi.WatchLineHandler lines) {
            return server.watch(request, lines);
        }
    }
}

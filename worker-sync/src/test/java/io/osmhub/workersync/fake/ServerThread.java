package io.osmhub.workersync.fake;

import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.port.ConfigStore;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link SimulatedServer} usable by many threads: it runs on one thread, which is also the event loop of watches, so that
 * events arrive before, during and after responses.
 */
public final class ServerThread implements ServerHandler, AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final SimulatedServer server;
    private final VirtualTime time;

    public ServerThread(SimulatedServer server, VirtualTime time) {
        this.server = server;
        this.time = time;
    }

    /** Runs a task on the server's thread, and delivers the resulting events. */
    public <T> T on(Callable<T> work) {
        try {
            return wait(thread.submit(() -> {
                try {
                    return work.call();
                } finally {
                    time.settle();
                }
            }));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private <T> T failing(Callable<T> work) throws ApiFailure {
        try {
            return wait(thread.submit(() -> {
                try {
                    return work.call();
                } finally {
                    time.settle();
                }
            }));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static <T> T wait(Future<T> future) throws ExecutionException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        return failing(() -> server.send(request));
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        // A watch is started under the caller's locks: it must not wait for the delivering thread.
        Future<Watch> begun = thread.submit(() -> {
            Watch watch = server.watch(request, lines);
            time.settle();
            return watch;
        });
        return () -> thread.execute(() -> {
            try {
                begun.get().stop();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** The same for configurations on a server with the same thread. */
    public ConfigStore configs(FakeConfigs configs) {
        return new ConfigStore() {
            @Override
            public @Nullable StoredConfig find(String name) {
                return on(() -> configs.find(name));
            }

            @Override
            public boolean hasStatusSubresource() {
                return on(configs::hasStatusSubresource);
            }

            @Override
            public Collection<StoredConfig> all() {
                return on(configs::all);
            }

            @Override
            public StoredConfig create(OperatingSystemConfig config, Map<String, String> own) throws ApiFailure {
                return failing(() -> configs.create(config, own));
            }

            @Override
            public StoredConfig patch(StoredConfig found, String patch) throws ApiFailure {
                return failing(() -> configs.patch(found, patch));
            }

            @Override
            public StoredConfig replace(StoredConfig found, OperatingSystemConfig config, Map<String, String> own)
                    throws ApiFailure {
                return failing(() -> configs.replace(found, config, own));
            }

            @Override
            public void delete(StoredConfig found) throws ApiFailure {
                failing(() -> {
                    configs.delete(found);
                    return "";
                });
            }

            @Override
            public void enqueueStatus(String name, OperatingSystemConfigStatus status) {
                on(() -> {
                    configs.enqueueStatus(name, status);
                    return "";
                });
            }
        };
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}

package io.osmhub.tenancy.certificate;

import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One Secret of the hub's own namespace that all replicas watch and write, each only what it has read. */
final class SharedSecret {
    private final KubeApi management;
    private final String namespace;
    private final String name;
    private final String type;
    private final ManagementInformer<StoredSecret> informer;

    /**
     * A Secret that is not watched yet.
     *
     * @param changed called after the first list and after each change
     * @param failed receives why it cannot be watched
     */
    SharedSecret(
            KubeApi management,
            String namespace,
            String name,
            String type,
            Runnable changed,
            Consumer<String> failed,
            RuntimeContext around) {
        this.management = management;
        this.namespace = namespace;
        this.name = name;
        this.type = type;
        this.informer = new ManagementInformer<>(
                Selection.where(Resource.SECRETS, namespace, "metadata.name=" + name),
                StoredSecret::of,
                (key, before, after, origin) -> changed.run(),
                new NoopListWatchListener() {
                    @Override
                    public void onSynced() {
                        changed.run();
                    }

                    @Override
                    public void onFailed(ApiFailure cause, int inARow) {
                        failed.accept(cause.text());
                    }

                    @Override
                    public void onAccessDenied(ApiFailure cause) {
                        failed.accept(cause.text());
                    }
                },
                around);
    }

    void start() {
        informer.start(management);
    }

    void stop() {
        informer.stop();
    }

    boolean isSynced() {
        return informer.isSynced();
    }

    /** Null if there is none, or it is not synced. */
    @Nullable StoredSecret find() {
        return informer.find(namespace, name);
    }

    /**
     * Stores other content. Blocks.
     *
     * @param replaces null if there is none yet
     * @throws ApiFailure also if another replica has written it since
     */
    void store(Map<String, String> data, @Nullable StoredSecret replaces) throws ApiFailure {
        String secret = StoredSecret.manifest(namespace, name, type, data, replaces);
        try {
            informer.putWritten(management.send(
                    replaces == null
                            ? ApiRequest.create(Resource.SECRETS, namespace, secret)
                            : ApiRequest.update(Resource.SECRETS, namespace, name, secret)));
        } catch (IOException e) {
            throw WireJson.unexpected("a Secret");
        }
    }
}

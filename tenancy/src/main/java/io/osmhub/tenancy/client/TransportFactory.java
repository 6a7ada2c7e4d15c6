package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.vertx.core.Context;

/** Makes transports to one API server. */
final class TransportFactory implements HttpClient.Factory {
    private final Context context;
    private final ServerAccess access;
    private final ClientLimits limits;
    private final ConnectionObserver observer;

    TransportFactory(Context context, ServerAccess access, ClientLimits limits, ConnectionObserver observer) {
        this.context = context;
        this.access = access;
        this.limits = limits;
        this.observer = observer;
    }

    @Override
    public TransportBuilder newBuilder() {
        return new TransportBuilder(this);
    }

    /**
     * Takes from the configuration who is asking, and nothing about TLS: fabric8 would look for files, system properties and
     * the runtime's trust store. Only the management client has a configuration.
     */
    @Override
    public HttpClient.Builder newBuilder(Config config) {
        TransportBuilder builder = newBuilder();
        builder.tag(config.getRequestConfig());
        HttpClientUtils.createApplicableInterceptors(config, this).forEach(builder::addOrReplaceInterceptor);
        return builder;
    }

    Line newLine() {
        return new Line(context, access, limits, observer);
    }
}

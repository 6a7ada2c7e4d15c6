package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.vertx.core.Context;

final class TransportFactory implements HttpClient.Factory {
    private final Context context;
    private final ServerAccess access;
    private final TransportOptions options;

    TransportFactory(Context context, ServerAccess access, TransportOptions options) {
        this.context = context;
        this.access = access;
        this.options = options;
    }

    @Override
    public TransportBuilder newBuilder() {
        return new TransportBuilder(this);
    }

    /**
     * Uses only the configuration's authentication, not its TLS settings: fabric8 would read files, system properties and the
     * runtime's trust store. Only the management client has a configuration.
     */
    @Override
    public HttpClient.Builder newBuilder(Config config) {
        TransportBuilder builder = newBuilder();
        builder.tag(config.getRequestConfig());
        HttpClientUtils.createApplicableInterceptors(config, this).forEach(builder::addOrReplaceInterceptor);
        return builder;
    }

    ServerConnection newLine() {
        return new ServerConnection(context, access, options);
    }
}

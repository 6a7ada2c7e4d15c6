package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;

/** Builds the transport of one API server, and others that share its connection but not its interceptors. */
final class TransportBuilder extends StandardHttpClientBuilder<Transport, TransportFactory, TransportBuilder> {
    TransportBuilder(TransportFactory factory) {
        super(factory);
    }

    @Override
    public Transport build() {
        // Set if this builder was derived from a client, whose connection it shares.
        return new Transport(this, client != null ? client.line() : clientFactory.newLine());
    }

    @Override
    protected TransportBuilder newInstance(TransportFactory factory) {
        return new TransportBuilder(factory);
    }
}

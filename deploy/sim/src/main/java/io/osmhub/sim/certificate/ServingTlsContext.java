package io.osmhub.sim.certificate;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import javax.net.ssl.SSLException;

/** TLS contexts that offer HTTP/2 and HTTP/1.1 and ask for, but do not demand, a client certificate. One serves any number of clusters. */
public final class ServingTlsContext {
    private ServingTlsContext() {}

    /** A context serving with a certificate of this authority, which also vouches for clients. */
    public static SslContext of(SimulatedAuthority authority) {
        return of(authority.serving(), authority);
    }

    /** A context serving with a given certificate; {@code clients} vouches for client certificates. */
    public static SslContext of(CertifiedKey serving, SimulatedAuthority clients) {
        try {
            return SslContextBuilder.forServer(serving.key(), serving.certificate())
                    .sslProvider(SslProvider.JDK)
                    .trustManager(clients.certificate())
                    .clientAuth(ClientAuth.OPTIONAL)
                    .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            Protocol.ALPN,
                            SelectorFailureBehavior.NO_ADVERTISE,
                            SelectedListenerFailureBehavior.ACCEPT,
                            "h2",
                            "http/1.1"))
                    .build();
        } catch (SSLException impossible) {
            throw new IllegalStateException("the Java runtime cannot serve TLS", impossible);
        }
    }
}

package io.osmhub.tenancy.client;

import io.vertx.core.http.HttpConnection;
import java.security.cert.X509Certificate;
import java.time.Instant;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Negotiated connection parameters.
 *
 * @param protocol for display, for example {@code TLS 1.3}
 * @param http2 whether all requests and watches share the connection
 * @param certificateEnds expiration of the server's certificate; null if it sent none
 */
public record TlsSession(
        String protocol, boolean http2, @Nullable Instant certificateEnds) {
    static TlsSession of(HttpConnection connection) {
        SSLSession session = connection.sslSession();
        return new TlsSession(session.getProtocol().replace("TLSv", "TLS "), isHttp2(connection), end(session));
    }

    /** Only HTTP/2 has settings. */
    private static boolean isHttp2(HttpConnection connection) {
        try {
            connection.settings();
            return true;
        } catch (UnsupportedOperationException http1) {
            return false;
        }
    }

    private static @Nullable Instant end(SSLSession session) {
        try {
            return session.getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? certificate.getNotAfter().toInstant()
                    : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }
}

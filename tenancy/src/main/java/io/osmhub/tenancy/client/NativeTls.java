package io.osmhub.tenancy.client;

import io.osmhub.tenancy.client.ServerAccess.Authentication;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import io.vertx.core.net.OpenSSLEngineOptions;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;

/**
 * TLS by BoringSSL, which takes a fraction of the processor time of Java's (docs/adr/0013). It exists for Linux with glibc on x86_64
 * and aarch64, and knows RSA keys and the curves P-256 and P-384.
 */
final class NativeTls {
    /** Authenticated encryption only, as docs/security.md promises; Java's TLS is restricted by its own setting. */
    static final List<String> CIPHER_SUITES = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final int LARGEST_CURVE_BITS = 384;

    private NativeTls() {}

    /** Whether it runs here and can prove possession of the hub's key. Otherwise a server would see an anonymous client. */
    static boolean supports(Authentication authentication) {
        return OpenSSLEngineOptions.isAvailable()
                && (!(authentication instanceof Authentication.Certificate certificate)
                        || isKnown(certificate.certificatePem()));
    }

    /** Without a session cache: a resumed session would show the expiration of a certificate that was replaced. */
    static OpenSSLEngineOptions engine() {
        return new OpenSSLEngineOptions().setSessionCacheEnabled(false);
    }

    /** Whether the TLS handshake failed for another reason than the server's certificate. */
    static boolean isRejected(Throwable failure) {
        return TransportFailures.of(failure, false).kind() == ApiFailureKind.TLS
                && TransportFailures.certificateFailure(failure) == null;
    }

    private static boolean isKnown(String pem) {
        try {
            PublicKey key = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))
                    .getPublicKey();
            return key instanceof RSAPublicKey rsa && "RSA".equals(rsa.getAlgorithm())
                    || key instanceof ECPublicKey curve
                            && curve.getParams().getCurve().getField().getFieldSize() <= LARGEST_CURVE_BITS;
        } catch (CertificateException unreadable) {
            return false;
        }
    }
}

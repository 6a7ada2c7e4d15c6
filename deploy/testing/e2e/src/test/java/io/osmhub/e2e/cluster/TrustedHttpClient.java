package io.osmhub.e2e.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** HTTPS to servers whose certificate one given authority has signed. */
public final class TrustedHttpClient {
    private TrustedHttpClient() {}

    /** @param authority one certificate, PEM */
    public static HttpClient of(String authority) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "ca",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(authority.getBytes(UTF_8))));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, trust.getTrustManagers(), null);
            return HttpClient.newBuilder().sslContext(tls).build();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the certificate authority cannot be used", e);
        }
    }
}

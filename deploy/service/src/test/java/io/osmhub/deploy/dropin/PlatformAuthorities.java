package io.osmhub.deploy.dropin;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Certificates that the Java platform trusts: some that are real. */
final class PlatformAuthorities {
    private PlatformAuthorities() {}

    /** One of them as PEM text. */
    static String pem(int which) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            X509TrustManager manager = (X509TrustManager) factory.getTrustManagers()[0];
            byte[] der = manager.getAcceptedIssuers()[which].getEncoded();
            return "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                    + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.osmhub.sim.certificate;

import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** PEM text of keys and certificates. */
final class PemFormatter {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private PemFormatter() {}

    static String of(X509Certificate certificate) {
        try {
            return of("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException impossible) {
            throw new IllegalStateException("a certificate that was just made cannot be written", impossible);
        }
    }

    static String of(String label, byte[] der) {
        return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                .formatted(label, LINES.encodeToString(der), label)
                .replace("\r", "");
    }
}

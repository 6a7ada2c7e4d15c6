package io.osmhub.core.settings;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** PEM text with certificates. */
public final class PemBundle {
    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String END = "-----END CERTIFICATE-----";

    private PemBundle() {}

    /** Whether at least one certificate in it parses. */
    public static boolean hasCertificate(String pem) {
        return !certificates(pem).isEmpty();
    }

    /** The certificates that parse; blocks that do not are skipped. */
    public static List<X509Certificate> certificates(String pem) {
        List<X509Certificate> certificates = new ArrayList<>();
        int at = pem.indexOf(BEGIN);
        while (at >= 0) {
            int end = pem.indexOf(END, at);
            if (end < 0) {
                break;
            }
            String body = pem.substring(at + BEGIN.length(), end);
            try {
                byte[] der = Base64.getMimeDecoder().decode(body);
                certificates.add((X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
            } catch (CertificateException | IllegalArgumentException e) {
                // A broken block does not spoil the others; the caller asks what is left.
            }
            at = pem.indexOf(BEGIN, end);
        }
        return certificates;
    }
}

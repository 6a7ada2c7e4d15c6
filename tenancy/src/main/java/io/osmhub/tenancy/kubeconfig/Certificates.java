package io.osmhub.tenancy.kubeconfig;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The certificates of a PEM text. */
final class Certificates {
    // More than any bundle of authorities has.
    private static final int MOST = 512;

    private Certificates() {}

    /** Those that parse, in order; other blocks and broken ones are left out. */
    static List<X509Certificate> read(byte[] pem) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Pem.Block block : Pem.blocks(pem)) {
            byte[] content = block.content();
            if (block.type().equals("CERTIFICATE") && content != null && certificates.size() < MOST) {
                X509Certificate certificate = certificate(content);
                if (certificate != null) {
                    certificates.add(certificate);
                }
            }
        }
        return certificates;
    }

    private static @Nullable X509Certificate certificate(byte[] der) {
        if (!DerShape.isPlain(der)) {
            return null;
        }
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException | RuntimeException e) {
            // The parser also throws what it does not document. The caller asks what is left.
            return null;
        }
    }

    /** As PEM, without anything that stood around them. */
    static String pem(List<X509Certificate> certificates) {
        StringBuilder pem = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            try {
                pem.append(Pem.write("CERTIFICATE", certificate.getEncoded()));
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("a certificate that was read from its encoding has none", e);
            }
        }
        return pem.toString();
    }
}

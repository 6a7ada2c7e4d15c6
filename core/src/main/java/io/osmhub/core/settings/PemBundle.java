package io.osmhub.core.settings;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads only the certificates of a PEM text (RFC 7468): a private key in the same text or block is never passed on. */
public final class PemBundle {
    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String END = "-----END CERTIFICATE-----";
    // As in Go, a block with headers is not a certificate.
    private static final Pattern BLOCK = Pattern.compile(BEGIN + "([A-Za-z0-9+/=\\s]*+)" + END);
    private static final Pattern COMMENT = Pattern.compile("(?m)^#.*$");
    // More than any real bundle of authorities.
    private static final int MAX_CERTIFICATES = 512;
    /** How to fix what {@link #findError} finds. */
    public static final String CURE = "give PEM text with 1 to " + MAX_CERTIFICATES + " certificates";

    private PemBundle() {}

    /** Why the text cannot be used, as a clause that follows the field name; null if it can. */
    public static @Nullable String findError(String pem) {
        int found = certificates(pem, MAX_CERTIFICATES + 1).size();
        return found == 0
                ? "holds no valid certificate"
                : found > MAX_CERTIFICATES ? "holds more than " + MAX_CERTIFICATES + " certificates" : null;
    }

    /** The certificates that parse, in order; other blocks are skipped. At most 512: {@link #findError} rejects more. */
    public static List<X509Certificate> certificates(String pem) {
        return certificates(pem, MAX_CERTIFICATES);
    }

    private static List<X509Certificate> certificates(String pem, int most) {
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = BLOCK.matcher(pem);
        while (certificates.size() < most && block.find()) {
            X509Certificate certificate = certificate(block.group(1));
            if (certificate != null) {
                certificates.add(certificate);
            }
        }
        return certificates;
    }

    /**
     * The text with only its certificates. A text of certificates and white space is returned verbatim, because nodes
     * get it byte for byte; any other is rewritten. Empty if none parses.
     */
    public static String certificatesOnly(String pem) {
        return isClean(pem) ? pem : of(certificates(pem));
    }

    /** The same for a text in the settings, which may have comments: OSM keeps them. */
    public static String certificatesAndComments(String pem) {
        return isClean(COMMENT.matcher(pem).replaceAll("")) ? pem : of(certificates(pem));
    }

    private static boolean isClean(String pem) {
        Matcher blocks = BLOCK.matcher(pem);
        return blocks.results().count() == certificates(pem).size()
                && blocks.replaceAll("").isBlank();
    }

    /** Certificates as PEM. */
    public static String of(List<X509Certificate> certificates) {
        Base64.Encoder base64 = Base64.getMimeEncoder(64, new byte[] {'\n'});
        StringBuilder pem = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            pem.append(BEGIN + "\n")
                    .append(base64.encodeToString(encoded(certificate)))
                    .append("\n" + END + "\n");
        }
        return pem.toString();
    }

    /** Null unless the block is exactly one certificate. */
    private static @Nullable X509Certificate certificate(String body) {
        try {
            byte[] der = Base64.getDecoder().decode(body.replaceAll("\\s", ""));
            if (!DerNestingCheck.isWithinLimits(der)) {
                return null;
            }
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException | RuntimeException e) {
            // The parser also throws undocumented exceptions. The caller checks the rest.
            return null;
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a parsed certificate has no encoding", e);
        }
    }
}

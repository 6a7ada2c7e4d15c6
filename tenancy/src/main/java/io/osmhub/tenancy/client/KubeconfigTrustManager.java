package io.osmhub.tenancy.client;

import io.osmhub.core.model.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts only the authorities of one kubeconfig, and explains why a certificate is rejected. */
final class KubeconfigTrustManager extends X509ExtendedTrustManager {
    private static final int NAMES_SHOWN = 5;

    private final X509ExtendedTrustManager checks;
    private final String expected;

    private KubeconfigTrustManager(X509ExtendedTrustManager checks, String expected) {
        this.checks = checks;
        this.expected = expected;
    }

    static final class UntrustedServerException extends CertificateException {
        private static final long serialVersionUID = 1L;

        private final transient CertificateFailure refusal;

        UntrustedServerException(CertificateFailure refusal, CertificateException cause) {
            super(refusal.toString(), cause);
            this.refusal = refusal;
        }

        CertificateFailure refusal() {
            return refusal;
        }
    }

    /**
     * Trusts only these authorities.
     *
     * @throws IllegalArgumentException if the text contains no readable certificate
     */
    static KubeconfigTrustManager ofAuthorities(String pem) {
        try {
            Collection<? extends Certificate> authorities = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
            if (authorities.isEmpty()) {
                throw new IllegalArgumentException("expected a certificate authority in PEM form");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int count = 0;
            for (Certificate authority : authorities) {
                store.setCertificateEntry(Integer.toString(count++), authority);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return new KubeconfigTrustManager(
                    extended(factory), fingerprint(authorities.iterator().next()));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the certificate authority cannot be read", e);
        }
    }

    private static X509ExtendedTrustManager extended(TrustManagerFactory factory) {
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new IllegalStateException("no X509 trust manager available");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        try {
            checks.checkServerTrusted(chain, authType, engine);
        } catch (CertificateException e) {
            String got = fingerprint(chain[chain.length - 1]);
            throw new UntrustedServerException(
                    new CertificateFailure(cause(chain[0], engine.getPeerHost(), e), expected, got), e);
        }
    }

    private static String cause(X509Certificate server, String host, CertificateException failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof CertificateExpiredException) {
                return "it or its authority expired at "
                        + server.getNotAfter().toInstant().truncatedTo(ChronoUnit.SECONDS);
            }
            if (at instanceof CertificateNotYetValidException) {
                return "it or its authority is not valid before "
                        + server.getNotBefore().toInstant().truncatedTo(ChronoUnit.SECONDS);
            }
            if (at instanceof CertPathBuilderException) {
                return "not signed by the kubeconfig's certificate authority";
            }
        }
        // Anything else is a wrong name or a violated rule, which the runtime names.
        String message = String.valueOf(failure.getMessage());
        return message.contains("matching") ? "it is for " + names(server) + ", not for " + host : message;
    }

    private static String names(X509Certificate server) {
        try {
            Collection<List<?>> names = server.getSubjectAlternativeNames();
            if (names == null || names.isEmpty()) {
                return "no host";
            }
            return names.stream()
                            .limit(NAMES_SHOWN)
                            .map(name -> String.valueOf(name.get(1)))
                            .collect(Collectors.joining(", "))
                    + (names.size() > NAMES_SHOWN ? " and " + (names.size() - NAMES_SHOWN) + " more" : "");
        } catch (CertificateParsingException e) {
            return "unreadable names";
        }
    }

    private static String fingerprint(Certificate certificate) {
        try {
            return "sha256:" + Sha256.hex(certificate.getEncoded());
        } catch (CertificateException e) {
            throw new IllegalStateException("every certificate that was read has an encoding", e);
        }
    }

    // The transport verifies servers with an engine. Everything else is rejected.

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("server verification requires the host name");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("server verification requires the host name");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("the hub is the client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("the hub is the client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("the hub is the client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}

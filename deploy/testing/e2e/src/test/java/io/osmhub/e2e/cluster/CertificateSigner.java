package io.osmhub.e2e.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

/** A certificate authority in files. The certificate also serves for 127.0.0.1. */
public record CertificateSigner(KeyStore keys, Path certificateFile, Path keyFile) {
    /** Protects the key store, which lies in a folder of a test. */
    public static final String PASSWORD = "password";

    /** Creates one; its files lie in the folder. */
    public static CertificateSigner create(Path folder, String name) {
        try {
            Path file = folder.resolve(name + ".p12");
            Files.deleteIfExists(file);
            runKeytool(file);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            Path certificate = folder.resolve(name + ".crt");
            Path key = folder.resolve(name + ".key");
            Files.writeString(
                    certificate,
                    PemTexts.of("CERTIFICATE", keys.getCertificate("server").getEncoded()));
            Files.writeString(
                    key,
                    PemTexts.of(
                            "PRIVATE KEY",
                            keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
            return new CertificateSigner(keys, certificate, key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** PEM text. */
    public String certificate() {
        return ManifestObjects.text(certificateFile);
    }

    /** Signs a new client certificate and returns it with its key, as PEM texts. Needs openssl. */
    public List<String> issue(String user) {
        String key = certificateFile.resolveSibling(user + ".key").toString();
        String request = certificateFile.resolveSibling(user + ".csr").toString();
        String signed = certificateFile.resolveSibling(user + ".crt").toString();
        run(
                "openssl",
                "req",
                "-new",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-subj",
                "/CN=" + user,
                "-keyout",
                key,
                "-out",
                request);
        run(
                "openssl",
                "x509",
                "-req",
                "-days",
                "30",
                "-in",
                request,
                "-out",
                signed,
                "-CAcreateserial",
                "-CA",
                certificateFile.toString(),
                "-CAkey",
                keyFile.toString());
        return List.of(ManifestObjects.text(Path.of(signed)), ManifestObjects.text(Path.of(key)));
    }

    private static void runKeytool(Path file) {
        run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=other",
                "-ext",
                "san=ip:127.0.0.1",
                "-ext",
                "bc:critical=ca:true",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString());
    }

    private static void run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

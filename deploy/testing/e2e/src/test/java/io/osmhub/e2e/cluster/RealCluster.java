package io.osmhub.e2e.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One cluster, as far as the hub sees one: a kube-apiserver with its own CA, accounts, RBAC and audit log. There is no
 * controller manager: nothing collects garbage, deletes the content of a namespace or fills in tokens of service accounts, so
 * what a test sees was done by the hub or by the test.
 */
public final class RealCluster implements AutoCloseable {
    /** Address, for documentation, that API servers advertise and that their certificates name. */
    public static final String ADVERTISED = "192.0.2.10";

    /** Name of the user who may do everything. */
    public static final String ADMIN = "admin";

    private static final String ADMIN_TOKEN = "token-of-the-admin";
    private static final Duration TOKEN_LIFE = Duration.ofDays(30);
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    // Nothing but who did what: counting requests needs no bodies, and these would be secrets. Leases show who owned
    // what.
    private static final String AUDIT_POLICY = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules:
            - level: None
              users: ["system:apiserver"]
            - level: None
              nonResourceURLs: ["/livez*", "/readyz*", "/healthz*", "/version"]
            - level: Request
              verbs: [create, update, patch]
              resources: [{group: coordination.k8s.io, resources: [leases]}]
            - level: Metadata
            """;

    private final String name;
    private final ServerPrograms programs;
    private final String etcd;
    private final Path folder;
    private final String address;
    private final int port;
    private final List<String> flags;
    private ServerProcess process;
    private long launchedAt;
    private @Nullable ClusterClient admin;

    private RealCluster(
            String name, ServerPrograms programs, String etcd, Path folder, String address, List<String> flags) {
        this.name = name;
        this.programs = programs;
        this.etcd = etcd;
        this.folder = folder;
        this.address = address;
        this.port = FreePort.find();
        this.flags = flags;
        writeFiles();
        this.process = launch();
    }

    /**
     * Starts the process; {@link #awaitReady} says when it can be used.
     *
     * @param address of the loopback, IPv4 or IPv6
     * @param flags in addition to those of all clusters, with the mode of authorization
     */
    static RealCluster start(
            String name, ServerPrograms programs, String etcd, Path folder, String address, List<String> flags) {
        return new RealCluster(name, programs, etcd, folder, address, flags);
    }

    private void writeFiles() {
        try {
            Files.createDirectories(folder);
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair key = generator.generateKeyPair();
            write(
                    "service-accounts.key",
                    PemTexts.of("PRIVATE KEY", key.getPrivate().getEncoded()));
            write(
                    "service-accounts.pub",
                    PemTexts.of("PUBLIC KEY", key.getPublic().getEncoded()));
            write("tokens.csv", ADMIN_TOKEN + "," + ADMIN + "," + ADMIN + ",system:masters\n");
            write("audit.yaml", AUDIT_POLICY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }

    private ServerProcess launch() {
        launchedAt = audit().position();
        List<String> command = new ArrayList<>(List.of(
                programs.kubeApiServer().toString(),
                "--etcd-servers=" + etcd,
                "--etcd-prefix=/" + name,
                "--bind-address=" + address,
                "--secure-port=" + port,
                // The EndpointSlice of "kubernetes" may not name the loopback.
                "--advertise-address=" + ADVERTISED,
                "--cert-dir=" + folder.resolve("certificates"),
                "--service-account-key-file=" + folder.resolve("service-accounts.pub"),
                "--service-account-signing-key-file=" + folder.resolve("service-accounts.key"),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-cluster-ip-range=10.96.0.0/16",
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--enable-bootstrap-token-auth",
                "--audit-policy-file=" + folder.resolve("audit.yaml"),
                "--audit-log-path=" + folder.resolve("audit.log"),
                "--audit-log-mode=blocking",
                "--profiling=false",
                "--v=1"));
        command.addAll(flags);
        return ServerProcess.start("kube-apiserver " + name, command, Map.of(), folder.resolve("kube-apiserver.log"));
    }

    /** Returns when the API server is ready. */
    RealCluster awaitReady() {
        Await.until("kube-apiserver " + name + " is ready", START_LIMIT, () -> {
            if (!process.running()) {
                throw new AssertionError(process.tail());
            }
            if (admin == null) {
                if (!Files.exists(certificate())
                        || PemTexts.certificates(ManifestObjects.text(certificate()))
                                        .size()
                                < 2) {
                    return false;
                }
                admin = client(ADMIN_TOKEN);
            }
            return admin.isReady();
        });
        audit().recordStart(launchedAt);
        return this;
    }

    public String name() {
        return name;
    }

    /** Address of the API server. */
    public String url() {
        return "https://" + (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
    }

    /** Its files; a test may add others. */
    public Path folder() {
        return folder;
    }

    public int port() {
        return port;
    }

    /** PEM text of the CA that signed the API server's certificate. */
    public String certificateAuthority() {
        // The server writes its own certificate first, then the CA that it made for it.
        return PemTexts.certificates(ManifestObjects.text(certificate())).getLast();
    }

    private Path certificate() {
        return folder.resolve("certificates/apiserver.crt");
    }

    /** Requests as the user who may do everything. */
    public ClusterClient admin() {
        return Objects.requireNonNull(admin, "the API server is ready before it is used");
    }

    /** Requests as the bearer of a token. */
    public ClusterClient client(String token) {
        return new ClusterClient(url(), certificateAuthority(), token);
    }

    /**
     * A token of a ServiceAccount, as {@code kubectl create token} gets it, for 30 days: with one that ends within 14 days the hub
     * would call every new node at risk.
     */
    public String token(String namespace, String serviceAccount) {
        return requestedToken(namespace, serviceAccount, List.of());
    }

    /** The same for a single audience. */
    public String tokenFor(String audience, String namespace, String serviceAccount) {
        return requestedToken(namespace, serviceAccount, List.of(audience));
    }

    private String requestedToken(String namespace, String serviceAccount, List<String> audiences) {
        TokenRequest request = new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(TOKEN_LIFE.toSeconds())
                .withAudiences(audiences)
                .endSpec()
                .build();
        return admin().typed()
                .serviceAccounts()
                .inNamespace(namespace)
                .withName(serviceAccount)
                .tokenRequest(request)
                .getStatus()
                .getToken();
    }

    /** The same token of a ServiceAccount with another life, signed with the key of the API server. */
    public String withLife(String token, Instant from, Instant until) {
        String[] parts = token.split("\\.");
        ObjectNode claims = ManifestObjects.json(
                        new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8))
                .deepCopy();
        claims.put("iat", from.getEpochSecond())
                .put("nbf", from.getEpochSecond())
                .put("exp", until.getEpochSecond());
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String signed =
                parts[0] + "." + encoder.encodeToString(claims.toString().getBytes(UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            byte[] key = PemTexts.decode(ManifestObjects.text(folder.resolve("service-accounts.key")));
            signature.initSign(KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key)));
            signature.update(signed.getBytes(UTF_8));
            return signed + "." + encoder.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A kubeconfig with everything inline, as a tenant hands it over. */
    public String kubeconfig(String token) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: cluster
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: user
                  user:
                    token: %s
                contexts:
                - name: context
                  context: {cluster: cluster, user: user}
                current-context: context
                """.formatted(
                url(), Base64.getEncoder().encodeToString(certificateAuthority().getBytes(UTF_8)), token);
    }

    /** Token of the user who may do everything. */
    public String adminToken() {
        return ADMIN_TOKEN;
    }

    /** What this API server was asked. */
    public AuditLog audit() {
        return new AuditLog(folder.resolve("audit.log"));
    }

    /** Ends the API server; its objects stay, and {@link #resume} brings it back at the same address. */
    public void stop() {
        process.kill();
    }

    /** Brings a stopped API server back. */
    public void resume() {
        process = launch();
        awaitReady();
    }

    /** Brings the API server back with another CA. */
    public void resumeWithNewAuthority() {
        process.kill();
        closeAdmin();
        try {
            Files.delete(certificate());
            Files.delete(folder.resolve("certificates/apiserver.key"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        resume();
    }

    private void closeAdmin() {
        if (admin != null) {
            admin.close();
            admin = null;
        }
    }

    @Override
    public void close() {
        closeAdmin();
        process.kill();
    }
}

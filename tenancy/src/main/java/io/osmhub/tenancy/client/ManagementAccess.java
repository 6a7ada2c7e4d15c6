package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.Config;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.client.ServerAccess.Authentication;
import io.osmhub.tenancy.client.ServerAccess.ServerTrustPolicy;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.jspecify.annotations.Nullable;

/**
 * How the hub reaches the management cluster: by the operator's own configuration, which may name files and programs. A token
 * file is reread every minute and after a 401, to support a pod's short-lived tokens.
 */
public final class ManagementAccess {
    private static final int HTTP = 80;

    private final Config config;
    private final @Nullable KubeconfigContext context;
    private final ServerAccess access;

    private ManagementAccess(Config config, @Nullable KubeconfigContext context) throws IOException {
        this.config = config;
        this.context = context;
        this.access = access(config, context);
    }

    /** @param context empty for the current one */
    public static ManagementAccess ofKubeconfig(Path file, String context) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException("kubeconfig " + file + " cannot be read");
        }
        KubeconfigContext selected = KubeconfigContext.select(List.of(file.toFile()), context);
        return new ManagementAccess(Config.fromKubeconfig(selected.name(), file.toFile()), selected);
    }

    /** Uses KUBECONFIG, {@code ~/.kube/config}, or a pod's ServiceAccount, whichever is found first. */
    public static ManagementAccess ofEnvironment() throws IOException {
        return ofEnvironment("");
    }

    /** @param context of the kubeconfig; empty for the current one */
    public static ManagementAccess ofEnvironment(String context) throws IOException {
        List<File> files = filesOfEnvironment();
        if (!files.isEmpty()) {
            KubeconfigContext selected = KubeconfigContext.select(files, context);
            return new ManagementAccess(Config.autoConfigure(selected.name()), selected);
        }
        if (!context.isEmpty()) {
            throw new IOException(
                    "context \"" + context + "\" does not exist: no kubeconfig found; use --kubeconfig FILE");
        }
        Config config = Config.autoConfigure(null);
        if (config.getAutoOAuthToken() == null && System.getenv("KUBERNETES_SERVICE_HOST") == null) {
            throw new IOException("no management cluster: use --kubeconfig FILE, set KUBECONFIG, or run in a pod with a"
                    + " ServiceAccount");
        }
        return new ManagementAccess(config, null);
    }

    private static List<File> filesOfEnvironment() {
        return Config.getKubeconfigFilenames().stream()
                .map(File::new)
                .filter(file -> file.isFile() && file.length() > 0)
                .toList();
    }

    /**
     * Names of the contexts.
     *
     * @param kubeconfig null for the files of the environment
     */
    public static List<String> contexts(@Nullable Path kubeconfig) throws IOException {
        return KubeconfigContext.names(kubeconfig == null ? filesOfEnvironment() : List.of(kubeconfig.toFile()));
    }

    /** Impersonates another user, which requires the permission to do so. */
    public ManagementAccess as(String user) throws IOException {
        // A copy would lose the token renewal.
        config.setImpersonateUsername(user);
        return new ManagementAccess(config, context);
    }

    private static ServerAccess access(Config config, @Nullable KubeconfigContext context) throws IOException {
        String authorities = pem(config.getCaCertData(), config.getCaCertFile());
        ServerTrustPolicy trust = config.isTrustCerts() || config.isDisableHostnameVerification()
                ? new ServerTrustPolicy.Insecure()
                : authorities == null
                        ? new ServerTrustPolicy.Defaults()
                        : new ServerTrustPolicy.Authorities(authorities);
        String certificate = pem(config.getClientCertData(), config.getClientCertFile());
        String key = pem(config.getClientKeyData(), config.getClientKeyFile());
        // Tokens change, so interceptors add them.
        Authentication signIn = certificate == null || key == null
                ? new Authentication.Anonymous()
                : new Authentication.Certificate(certificate, new Sensitive(pkcs8(key)));
        return new ServerAccess(
                URI.create(config.getMasterUrl()), trust, signIn, "", null, context == null ? null : proxy(context));
    }

    /**
     * The kubeconfig's proxy only. HTTPS_PROXY is ignored: it is for traffic that leaves the cluster, and few exclude the API
     * server from it.
     */
    private static @Nullable URI proxy(KubeconfigContext context) throws IOException {
        return context.proxyUrl().isBlank()
                ? null
                : proxy(context.cluster(), context.proxyUrl().strip());
    }

    private static URI proxy(String cluster, String text) throws IOException {
        URI proxy;
        try {
            proxy = new URI(text);
        } catch (URISyntaxException e) {
            throw unusableProxy(cluster);
        }
        boolean usable =
                "http".equalsIgnoreCase(proxy.getScheme()) && proxy.getHost() != null && proxy.getRawUserInfo() == null;
        if (!usable) {
            throw unusableProxy(cluster);
        }
        return URI.create("http://" + proxy.getHost() + ":" + (proxy.getPort() < 0 ? HTTP : proxy.getPort()));
    }

    /** Omits the URL, which may contain a password. */
    private static IOException unusableProxy(String cluster) {
        return new IOException("proxy-url of cluster " + cluster
                + " in the management cluster's kubeconfig cannot be used; write http://HOST:PORT, without"
                + " user and password");
    }

    /** Converts a key from any common PEM format to PKCS #8, which the transport reads. */
    private static String pkcs8(String pem) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
                PrivateKeyInfo key = part instanceof PEMKeyPair pair
                        ? pair.getPrivateKeyInfo()
                        : part instanceof PrivateKeyInfo info ? info : null;
                if (key != null) {
                    return "-----BEGIN PRIVATE KEY-----\n"
                            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded())
                            + "\n-----END PRIVATE KEY-----\n";
                }
            }
        }
        throw new IOException(
                "the client key of the management cluster's kubeconfig is not a private key, or is encrypted");
    }

    private static @Nullable String pem(@Nullable String base64, @Nullable String file) throws IOException {
        if (base64 != null && !base64.isBlank()) {
            return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.US_ASCII);
        }
        return file == null || file.isBlank() ? null : Files.readString(Path.of(file), StandardCharsets.US_ASCII);
    }

    Config config() {
        return config;
    }

    ServerAccess access() {
        return access;
    }

    /** PEM; empty if the Java runtime's authorities, or any, are trusted. */
    public String authorities() {
        return access.trust() instanceof ServerTrustPolicy.Authorities(String pem) ? pem : "";
    }

    public URI server() {
        return access.server();
    }

    /** The API server and the selected context, for messages. */
    public String describe() {
        return access.server() + (context == null ? "" : " (context " + context.name() + ")");
    }

    /** Namespace of the context or of the pod; empty if there is none. */
    public String namespace() {
        return config.getNamespace() == null ? "" : config.getNamespace();
    }
}

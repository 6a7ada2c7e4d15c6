package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.schema.VersionInfo;
import io.osmhub.deploy.fleet.OutputDirectory.OutputFile;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.management.WireJson;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code hub login --server} stores for a management cluster, so that later commands need only the kubeconfig. Contains no
 * credential: the kubeconfig's user requests a token for each command.
 *
 * @param server URL of the hub's API
 * @param serviceAccount {@code NAMESPACE/NAME} as which to use it
 * @param authorities certificate authorities of the server in PEM; empty for those of Java
 */
public record Login(URI server, String serviceAccount, String authorities) {
    /**
     * Creates the account of {@code hub login} unless it exists, uses it at the hub once, and stores how to reach it. Blocks.
     *
     * @param server null to delete a stored one and reach the hub by a port-forward to its pod
     * @return what was done, for the user
     */
    public static String create(FleetEndpoint remote, @Nullable URI server) {
        ManagementClient management = ManagementClient.open(remote);
        try {
            String name = remote.tunnel().accountOr("");
            AccountCredential account = new AccountCredential(management, name);
            boolean isNew = account.create();
            Path file = file(management.access(), System.getenv());
            if (server == null) {
                Files.deleteIfExists(file);
            }
            Path authorityFile = remote.authorityFile();
            Login login = server == null
                    ? null
                    : new Login(
                            server,
                            name,
                            authorityFile == null
                                    ? account.storedAuthorities(remote.tunnel().hubNamespace())
                                    : Files.readString(authorityFile));
            try (HubClient hub = HubClient.open(remote, management, login)) {
                hub.get(VersionInfo.class, "/version");
                if (login != null) {
                    new OutputDirectory(file.resolveSibling(""))
                            .write(List.of(new OutputFile(String.valueOf(file.getFileName()), login.json(), true, "")));
                }
                return "logged in to " + hub.describe() + " as " + name
                        + (isNew ? ", created with read access to all tenants" : "");
            }
        } catch (IOException e) {
            throw CommandFailure.unusable(e.getMessage() + ": cannot be read or deleted; check the path");
        } finally {
            management.close();
        }
    }

    /** Returns null if there is none for this management cluster. */
    static @Nullable Login find(ManagementAccess access) {
        Path file = file(access, System.getenv());
        try {
            var stored = WireJson.read(Files.readAllBytes(file));
            return new Login(
                    URI.create(stored.path("server").asText()),
                    stored.path("serviceAccount").asText(),
                    stored.path("certificateAuthorities").asText());
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException | IllegalArgumentException e) {
            throw CommandFailure.unusable(file + ": cannot be read; delete it, or run hub login again");
        }
    }

    /** The file of a management cluster. */
    static Path file(ManagementAccess access, Map<String, String> environment) {
        String home = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path configuration = home.isEmpty() ? Path.of(System.getProperty("user.home"), ".config") : Path.of(home);
        String name = access.server().toString().replaceAll("[^A-Za-z0-9.-]+", "_");
        return configuration.resolve("osm-hub").resolve("login").resolve(name + ".json");
    }

    String json() {
        ObjectNode stored = WireJson.object();
        stored.put("server", server.toString())
                .put("serviceAccount", serviceAccount)
                .put("certificateAuthorities", authorities);
        return WireJson.text(stored);
    }
}

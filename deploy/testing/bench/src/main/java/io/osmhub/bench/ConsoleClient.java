package io.osmhub.bench;

import io.osmhub.api.contract.ApiContract;
import io.osmhub.bench.BenchHubProcess.HubSetup;
import io.osmhub.e2e.cluster.TrustedHttpClient;
import io.osmhub.sim.auth.SimulatedAuthority;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Uses the API and the console of a measured hub as an administrator. */
final class ConsoleClient {
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(20);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    /** What the page of the fleet reads. */
    private static final List<String> FLEET = List.of(
            "/me",
            "/summary",
            "/worker-clusters?limit=50",
            "/problems?state=Resolved&sort=-resolvedAt&limit=500",
            "/queue",
            "/machine-deployments?sort=tokenExpiresAt&limit=500");

    private final HttpClient client;
    private final String server;
    private final String token;

    private ConsoleClient(ApiAccess access) {
        client = TrustedHttpClient.of(access.authority());
        server = access.server();
        token = access.token();
    }

    /**
     * How to use the API of a measured hub.
     *
     * @param server URL
     * @param authority of its certificate, PEM
     * @param token of an administrator
     */
    record ApiAccess(String server, String authority, String token) {
        /** Lets a hub serve its API and console with a known certificate. Call it before the hub starts. */
        static ApiAccess of(HubSetup setup, BenchFleet fleet) throws IOException {
            SimulatedAuthority authority = SimulatedAuthority.create("bench");
            return new ApiAccess(
                    "https://127.0.0.1:" + setup.serveApi(authority.serving()),
                    authority.pem(),
                    fleet.management().tokenForAudience("osm-hub", "admin", "system:masters"));
        }
    }

    /** Lets a hub serve its API and console, which it does not otherwise. Call it before the hub starts. */
    static ConsoleClient of(HubSetup setup, BenchFleet fleet) throws IOException {
        return new ConsoleClient(ApiAccess.of(setup, fleet));
    }

    /** Signs in with the form, and returns the session's cookie. */
    String signIn(BenchHubProcess hub) throws IOException, InterruptedException {
        HttpResponse<String> response = send(
                hub,
                request("/signin")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Origin", server)
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "token=" + URLEncoder.encode(token, StandardCharsets.UTF_8))));
        return response.headers()
                .firstValue("Set-Cookie")
                .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
                .orElseThrow(() -> new IOException("sign-in: " + response.statusCode() + " " + response.body()));
    }

    /** The page of the fleet and everything that its script reads at first. It must list a tenant. */
    void readFleet(BenchHubProcess hub, String cookie) throws IOException, InterruptedException {
        List<String> addresses = new ArrayList<>();
        addresses.add("/");
        FLEET.forEach(path -> addresses.add(ApiContract.BASE + path));
        for (String address : addresses) {
            HttpResponse<String> response = send(hub, request(address).header("Cookie", cookie));
            boolean listed =
                    !address.contains("/worker-clusters") || response.body().contains("\"metadata\"");
            if (response.statusCode() != 200 || !listed) {
                throw new IOException("page of the fleet: " + response.statusCode() + " " + response.body());
            }
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path)).timeout(LONGEST_WAIT);
    }

    /** Sends the request, again while the hub starts. */
    private HttpResponse<String> send(BenchHubProcess hub, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        while (true) {
            hub.requireAlive();
            try {
                return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                if (hub.sinceStart().compareTo(LONGEST_WAIT) > 0) {
                    throw new IOException("no response of the API", e);
                }
                Thread.sleep(BETWEEN_ATTEMPTS);
            }
        }
    }
}

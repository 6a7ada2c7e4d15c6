package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.CommandResult;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.TrustedHttpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * What replicas answer: to every request of the OpenAPI document that reads or previews, except for the queue of one replica, and to
 * the commands that list, describe, explain and compare.
 */
final class ReplicaAnswers {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** Times of the request itself, and how long ago something was. */
    private static final Pattern TIMES_OF_REQUEST =
            Pattern.compile("\"(checkedAt|requestId|shortestTokenSeconds|oldestSeconds)\" ?: ?(\"[^\"]*\"|[0-9.]+)"
                    + "|[0-9]+ (s|min|h)( [0-9]+ min)? (ago|left)");

    /** That of a preview; of what is stored, all know the same time. */
    private static final Pattern TIME_OF_PREVIEW = Pattern.compile("\"renderedAt\":\"[^\"]*\"");

    /** Its queue, whose answer names it. */
    private static final Set<String> OF_ONE_REPLICA = Set.of("/queue");

    private final RealCluster management;
    private final HttpClient http;
    private final Map<String, IntFunction<String>> requests = new LinkedHashMap<>();
    private final Map<String, IntFunction<String>> commands = new LinkedHashMap<>();

    /**
     * @param port of a replica
     * @param machineDeployments one of each tenant, with a machine of the same name
     * @param change profile that is not applied
     */
    ReplicaAnswers(
            RealCluster management,
            int port,
            Collection<CreatedMachineDeployment> machineDeployments,
            ObjectNode change) {
        this.management = management;
        // Creates the caller.
        InstalledHub.command(management, port, "version").requireSuccess("hub version");
        http = TrustedHttpClient.of(ManifestObjects.value(
                management.admin().get(ApiResource.SECRETS.in(InstalledHub.NAMESPACE, "osm-hub-webhook-tls")),
                "ca.crt"));
        String token = management.tokenFor("osm-hub", "default", "operator");
        JsonNode paths = ManifestObjects.json(send(port, "GET", "/openapi.json", "", token))
                .path("paths");
        assertThat(paths).isNotEmpty();
        for (CreatedMachineDeployment each : machineDeployments) {
            addCommand("why", "md", each.names().name(), "-n", each.tenant().namespace());
            paths.fieldNames().forEachRemaining(path -> {
                if (paths.path(path).has("get") && !OF_ONE_REPLICA.contains(path)) {
                    addRequest("GET", resolve(path, each), "", token);
                }
            });
            addRequest("POST", "/render", renderRequest(each).toString(), token);
        }
        ObjectNode diff = JsonNodeFactory.instance.objectNode();
        diff.putArray("changes").add(change);
        addRequest("POST", "/diff", diff.toString(), token);
        CreatedMachineDeployment first = machineDeployments.iterator().next();
        String tenant = first.tenant().namespace();
        addCommand("why", "machine", "kube-system/" + first.names().name(), "-n", tenant);
        addCommand("get", "settings", "-n", tenant);
        addCommand(
                "diff",
                "-A",
                "-f",
                InstalledHub.write(management.folder().resolve("change.json"), change.toString())
                        .toString());
        for (String kind : List.of("clusters", "md", "osc", "osp", "problems", "causes")) {
            addCommand("get", kind, "-A");
        }
        addCommand("version");
    }

    private static ObjectNode renderRequest(CreatedMachineDeployment of) {
        ObjectNode request =
                JsonNodeFactory.instance.objectNode().put("tenant", of.tenant().namespace());
        request.putObject("machineDeployment")
                .put("namespace", of.names().namespace())
                .put("name", of.names().name());
        return request;
    }

    private static String resolve(String template, CreatedMachineDeployment of) {
        Map<String, String> names = Map.of(
                "worker-clusters", RealTenant.NAME,
                "osps", ManifestObjects.name(ExampleObjects.profile()),
                "oscs", of.names().osc());
        Map<String, String> values = Map.of(
                "namespace", of.tenant().namespace(),
                "machineDeploymentNamespace", of.names().namespace(),
                "machineDeploymentName", of.names().name(),
                "machineNamespace", of.names().namespace(),
                "machineName", of.names().name());
        String path = Pattern.compile("([^/]+)/\\{name}")
                .matcher(template)
                .replaceAll(
                        found -> found.group(1) + "/" + Objects.requireNonNull(names.get(found.group(1)), template));
        path = Pattern.compile("\\{([^}]+)}")
                .matcher(path)
                .replaceAll(found -> Objects.requireNonNull(values.get(found.group(1)), template));
        return path.equals("/search") ? path + "?q=" + of.names().name() : path;
    }

    private void addRequest(String method, String path, String body, String token) {
        requests.put(method + " " + path + " " + body, port -> send(port, method, "/api/v1" + path, body, token));
    }

    private void addCommand(String... verb) {
        List<String> command = new ArrayList<>(List.of(verb));
        command.addAll(List.of("-o", "json"));
        commands.put(String.join(" ", verb), port -> {
            CommandResult result = InstalledHub.command(management, port, command.toArray(String[]::new));
            return result.code() + " " + result.output();
        });
    }

    private String send(int port, String method, String path, String body, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Authorization", "Bearer " + token);
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        try {
            var response = http.send(request.build(), BodyHandlers.ofString());
            return path.equals("/openapi.json") ? response.body() : response.statusCode() + " " + response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Waits until all replicas give the same answer to each: what one has just received, another may receive a moment later. */
    void assertSame(Collection<Integer> ports) {
        Map<String, IntFunction<String>> all = new LinkedHashMap<>(requests);
        all.putAll(commands);
        all.forEach((question, answer) -> Await.untilAsserted(LIMIT, () -> {
            List<String> answers = ports.stream()
                    .map(port -> withoutTimes(question, answer.apply(port)))
                    .toList();
            assertThat(answers).as(question).allMatch(answers.getFirst()::equals);
        }));
    }

    private static String withoutTimes(String question, String answer) {
        String text = TIMES_OF_REQUEST.matcher(answer).replaceAll("");
        return question.contains("/render") || question.contains("/user-data")
                ? TIME_OF_PREVIEW.matcher(text).replaceAll("")
                : text;
    }

    /** Waits until a replica has the answers of all others, and answers to every question without an error. */
    void awaitComplete(int port) {
        requests.forEach((question, answer) -> Await.untilAsserted(LIMIT, () -> assertThat(answer.apply(port))
                .as(question)
                .startsWith("200 ")
                .doesNotContain("unanswered")));
    }
}

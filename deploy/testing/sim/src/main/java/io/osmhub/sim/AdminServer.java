package io.osmhub.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.controllers.MachineController;
import io.osmhub.sim.http.RequestCounters;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.JsonTrees;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Controls simulated clusters over plain HTTP on loopback. {@code NAME} is a cluster's name, or {@code *} for all workers:
 *
 * <pre>
 * GET    /clusters                    names, addresses, connections, machines
 * GET    /clusters/NAME/kubeconfig    a kubeconfig with all permissions
 * GET    /counters                    requests of all clusters together; /clusters/NAME/counters of one
 * DELETE /counters                    resets the counters
 * GET    /published                   milliseconds from MachineDeployments to their secrets, and how many still wait
 * DELETE /published                   discards the measurements
 * GET    /machines                    number of running machines, and what the others wait for
 * POST   /clusters/NAME/objects?count=N   creates the object in the body N times; %n% in it becomes 0, 1, ...
 * POST   /clusters/NAME/faults        sets the faults in the body (see {@link io.osmhub.sim.faults.ClusterFaults#apply}); DELETE clears all
 * </pre>
 */
final class AdminServer {
    private final SimulatedClusters clusters;
    private volatile int port;

    private AdminServer(SimulatedClusters clusters) {
        this.clusters = clusters;
    }

    static AdminServer start(SimulatedClusters clusters, int port) {
        AdminServer admin = new AdminServer(clusters);
        Vertx vertx = clusters.vertx();
        HttpServer server = vertx.createHttpServer().requestHandler(request -> request.body()
                // Bulk work must not block the clusters' event loops.
                .onSuccess(body -> vertx.<byte[]>executeBlocking(() -> admin.answer(request, body), false)
                        .onSuccess(answer -> send(request.response(), 200, answer))
                        .onFailure(failure -> send(request.response(), 400, problem(failure)))));
        SimulatedClusters.await(server.listen(port, "127.0.0.1"));
        admin.port = server.actualPort();
        return admin;
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    private byte[] answer(HttpServerRequest request, Buffer body) {
        List<String> path = Arrays.stream(request.path().split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        String what = request.method().name() + " " + (path.size() == 3 ? path.get(2) : path.getFirst());
        List<SimulatedCluster> chosen = path.size() == 3 ? named(path.get(1)) : clusters.all();
        return switch (what) {
            case "GET clusters" -> JsonTrees.bytes(describe());
            case "GET kubeconfig" -> chosen.getFirst().kubeconfig().getBytes(StandardCharsets.UTF_8);
            case "GET counters" -> JsonTrees.bytes(counters(chosen));
            case "DELETE counters" -> {
                chosen.forEach(cluster -> cluster.counters().reset());
                yield done();
            }
            case "GET published" -> JsonTrees.bytes(published(chosen));
            case "DELETE published" -> {
                chosen.forEach(cluster -> cluster.publishTimes().reset());
                yield done();
            }
            case "GET machines" -> JsonTrees.bytes(machines(chosen));
            case "POST objects" -> create(chosen, body.toString(), count(request));
            case "POST faults" -> {
                JsonNode document = JsonTrees.read(body.toString());
                chosen.forEach(cluster -> cluster.faults().apply(document));
                yield done();
            }
            case "DELETE faults" -> {
                chosen.forEach(cluster -> cluster.faults().clear());
                yield done();
            }
            default -> throw new IllegalArgumentException("unknown request " + request.method() + " " + request.path());
        };
    }

    private List<SimulatedCluster> named(String name) {
        List<SimulatedCluster> found = clusters.all().stream()
                .filter(cluster -> name.equals("*")
                        ? cluster != clusters.cluster(0)
                        : cluster.name().equals(name))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("unknown cluster " + name);
        }
        return found;
    }

    private ArrayNode describe() {
        ArrayNode list = JsonTrees.array();
        for (SimulatedCluster cluster : clusters.all()) {
            list.addObject()
                    .put("name", cluster.name())
                    .put("url", cluster.url())
                    .put("connections", cluster.connections())
                    .put("revision", cluster.objects().revision());
        }
        return list;
    }

    private static ArrayNode counters(List<SimulatedCluster> chosen) {
        Map<RequestCounters.RequestSeries, Long> sums = new TreeMap<>();
        chosen.forEach(
                cluster -> cluster.counters().all().forEach((kind, count) -> sums.merge(kind, count, Long::sum)));
        ArrayNode list = JsonTrees.array();
        sums.forEach((kind, count) -> list.addObject()
                .put("verb", kind.verb())
                .put("resource", kind.resource())
                .put("user", kind.user())
                .put("code", kind.code())
                .put("count", count));
        return list;
    }

    private static ObjectNode published(List<SimulatedCluster> chosen) {
        ObjectNode result = JsonTrees.object();
        ArrayNode millis = result.putArray("millis");
        long pending = 0;
        for (SimulatedCluster cluster : chosen) {
            cluster.publishTimes().millis().forEach(millis::add);
            pending += cluster.publishTimes().pending();
        }
        return result.put("pending", pending);
    }

    private static ObjectNode machines(List<SimulatedCluster> chosen) {
        ObjectNode result = JsonTrees.object();
        Map<String, Integer> waiting = new TreeMap<>();
        long running = 0;
        for (SimulatedCluster cluster : chosen) {
            for (MachineController.MachineState machine : cluster.machines()) {
                running += machine.running() ? 1 : 0;
                if (!machine.running()) {
                    waiting.merge(machine.reason(), 1, Integer::sum);
                }
            }
        }
        ObjectNode reasons = result.put("running", running).putObject("waiting");
        waiting.forEach(reasons::put);
        return result;
    }

    private static byte[] create(List<SimulatedCluster> chosen, String template, int count) {
        int created = 0;
        for (int n = 0; n < count; n++) {
            ObjectNode object = JsonTrees.read(template.replace("%n%", Integer.toString(n)));
            for (SimulatedCluster cluster : chosen) {
                cluster.objects().create(object);
                created++;
            }
        }
        return JsonTrees.bytes(JsonTrees.object().put("created", created));
    }

    private static int count(HttpServerRequest request) {
        String count = request.getParam("count");
        return count == null ? 1 : Integer.parseInt(count);
    }

    private static byte[] done() {
        return JsonTrees.bytes(JsonTrees.object().put("done", true));
    }

    private static byte[] problem(Throwable failure) {
        String message = failure instanceof ApiError refused
                ? refused.status().toString()
                : String.valueOf(failure.getMessage());
        return JsonTrees.bytes(JsonTrees.object().put("error", message));
    }

    private static void send(HttpServerResponse response, int code, byte[] body) {
        response.setStatusCode(code)
                .putHeader("Content-Type", "application/json")
                .end(Buffer.buffer(body));
    }
}

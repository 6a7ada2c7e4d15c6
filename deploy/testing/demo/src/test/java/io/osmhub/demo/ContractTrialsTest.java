package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.contract.ContractParameter;
import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.objects.JsonTrees;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real API over simulated clusters: random requests to every operation never end in a fault of the server and never break the
 * contract; random callers never see what is not theirs.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ContractTrialsTest {
    private static final ApiContract CONTRACT = ApiContract.load();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TENANTS = 4;
    private static final int CALLERS = 20;
    private static final int SEED = 20_261_121;
    private static final int AT_A_TIME = 8;
    private static final String RBAC = "rbac.authorization.k8s.io/v1";
    private static final Map<String, String> GROUPS = Map.of(
            "workerclusters", "osmhub.io",
            "operatingsystemprofiles", "operatingsystemmanager.k8c.io",
            "operatingsystemconfigs", "operatingsystemmanager.k8c.io");

    @TempDir
    private static Path folder;

    private SimulatedFleet stage;
    private LiveApi api;
    private String admin;

    @BeforeAll
    void start() throws Exception {
        stage = LiveApi.stage(TENANTS);
        api = LiveApi.start(stage, folder, "");
        for (SimulatedTenant tenant : stage.tenants()) {
            stage.register(tenant);
            new DemoTenant(tenant)
                    .create(new MachineDeploymentName("kube-system", "workers"), MachineFlavor.UBUNTU_ON_AWS, 1);
        }
        api.listen();
        admin = api.admin();
        LiveApi.awaitTrue(this::everyTenantIsPublished);
    }

    @AfterAll
    void stop() {
        api.close();
    }

    private boolean everyTenantIsPublished() throws Exception {
        HttpResponse<String> answer = api.get("/oscs?limit=500", admin);
        return answer.statusCode() == 200
                && JSON.readTree(answer.body()).path("items").size() == TENANTS;
    }

    // The contract

    @Test
    void randomRequestsNeverEndInAFaultAndAnswersKeepTheContract() throws Exception {
        Random random = new Random(SEED);
        Map<Integer, Integer> statuses = new TreeMap<>();
        List<String> faults = new ArrayList<>();
        for (ContractOperation operation : CONTRACT.operations()) {
            if (operation.id().startsWith("sign")) {
                continue;
            }
            for (int i = 0; i < 60; i++) {
                HttpRequest request = request(operation, random, i < 20 ? 0 : 0.3);
                HttpResponse<String> answer = api.client().send(request, HttpResponse.BodyHandlers.ofString());
                statuses.merge(answer.statusCode(), 1, Integer::sum);
                String fault = fault(operation, answer);
                if (!fault.isEmpty()) {
                    faults.add(operation.id() + " " + request.uri() + ": " + fault);
                }
            }
        }

        assertThat(faults).isEmpty();
        assertThat(statuses).containsKeys(200, 400, 404);
    }

    private static String fault(ContractOperation operation, HttpResponse<String> answer) throws IOException {
        boolean ofAWorker = answer.statusCode() == 502 || answer.statusCode() == 504;
        if (answer.statusCode() >= 500 && !ofAWorker) {
            return answer.statusCode() + " " + answer.body();
        }
        String type = answer.headers().firstValue("content-type").orElse("");
        JsonNode body = answer.body().isEmpty() ? null : JSON.readTree(answer.body());
        List<String> mistakes = operation.validateResponse(answer.statusCode(), type, body);
        return mistakes.isEmpty() ? "" : answer.statusCode() + " " + mistakes;
    }

    private HttpRequest request(ContractOperation operation, Random random, double spoilt) {
        String path = operation.path();
        List<String> query = new ArrayList<>();
        HttpRequest.Builder request = HttpRequest.newBuilder().timeout(Duration.ofSeconds(60));
        for (ContractParameter parameter : operation.parameters()) {
            boolean spoil = random.nextDouble() < spoilt;
            String value = spoil ? nonsense(random) : good(parameter, random);
            switch (parameter.in()) {
                case PATH -> path = path.replace("{" + parameter.name() + "}", encode(value.isEmpty() ? "x" : value));
                case QUERY -> {
                    boolean dry = parameter.name().equals("dryRun");
                    if (dry || parameter.required() || random.nextInt(3) == 0) {
                        query.add(encode(parameter.name()) + "=" + encode(dry ? "All" : value));
                    }
                }
                case HEADER -> {
                    if (random.nextInt(4) == 0) {
                        request.header(parameter.name(), value.replaceAll("[^ -~]", "?"));
                    }
                }
                case BODY -> throw new AssertionError("expected a parameter, not a body");
            }
        }
        if (random.nextDouble() < spoilt / 3) {
            query.add(encode(nonsense(random)) + "=1");
        }
        request.uri(URI.create(api.server()
                        + ApiContract.BASE
                        + path
                        + (query.isEmpty() ? "" : "?" + String.join("&", query))))
                .header("Authorization", "Bearer " + admin);
        if (operation.hasBody()) {
            request.header("Content-Type", "application/json");
        }
        return request.method(
                        operation.method(),
                        operation.hasBody()
                                ? HttpRequest.BodyPublishers.ofString(body(operation, random, spoilt))
                                : HttpRequest.BodyPublishers.noBody())
                .build();
    }

    private static String good(ContractParameter parameter, Random random) {
        int tenant = random.nextInt(TENANTS);
        return switch (parameter.name()) {
            case "namespace" -> "cluster-" + tenant;
            case "name" -> random.nextBoolean() ? "worker-" + tenant : "osp-example";
            case "machineDeploymentNamespace", "machineNamespace" -> "kube-system";
            case "machineDeploymentName" -> "workers";
            case "continue" -> parameter.example();
            case "If-Match", "If-None-Match", "dryRun" -> parameter.example();
            default -> parameter.example();
        };
    }

    private static String nonsense(Random random) {
        String[] some = {
            "",
            "-1",
            "0",
            "999999999999999999999",
            "1e9",
            "ä",
            "\u202e",
            "../..",
            "a/b",
            "null",
            "%",
            "'",
            "{}",
            "[]",
            "x".repeat(300),
            "x".repeat(3_000),
            "A",
            "a b",
            ",",
            "true",
            "\u0000",
            "🙂"
        };
        return some[random.nextInt(some.length)];
    }

    /** An example of the contract, or one that was spoilt somewhere. Nothing is registered, changed or removed: it is a dry run. */
    private static String body(ContractOperation operation, Random random, double spoilt) {
        String reference = CONTRACT.document()
                .path("paths")
                .path(operation.path())
                .path(operation.method().toLowerCase(Locale.ROOT))
                .at("/requestBody/content/application~1json/schema/$ref")
                .asText();
        JsonNode schema = CONTRACT.document().at(reference.substring(1));
        JsonNode example = schema.path("examples").path(0);
        if (random.nextDouble() < spoilt / 2) {
            String[] broken = {
                "", "{", "[]", "null", "1", "\"x\"", "{\"a\":1,\"a\":2}", "[".repeat(5_000), "{\"x\":1e999}"
            };
            return broken[random.nextInt(broken.length)];
        }
        JsonNode copy = example.deepCopy();
        if (copy instanceof ObjectNode object && random.nextDouble() < spoilt) {
            List<String> names = new ArrayList<>();
            schema.path("properties").fieldNames().forEachRemaining(names::add);
            names.add(nonsense(random));
            object.set(
                    names.get(random.nextInt(names.size())),
                    switch (random.nextInt(6)) {
                        case 0 -> JSON.getNodeFactory().nullNode();
                        case 1 -> JSON.getNodeFactory().numberNode(random.nextLong());
                        case 2 -> JSON.getNodeFactory().textNode(nonsense(random));
                        case 3 -> JSON.createArrayNode().add(nonsense(random));
                        case 4 -> JSON.createObjectNode().put(nonsense(random), true);
                        default -> JSON.getNodeFactory().booleanNode(true);
                    });
        }
        return copy.toString();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    // Callers

    /** One verb on one kind in one tenant. */
    private record Right(int caller, int tenant, String resource, String verb) {}

    @Test
    void noneOfTenThousandTrialsReadsWhatTheCallerMayNotSee() throws Exception {
        Random random = new Random(SEED);
        Set<Right> rights = grant(random);
        List<String> tokens = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            tokens.add(stage.management().tokenForAudience("osm-hub", "caller-" + caller));
        }
        Semaphore places = new Semaphore(AT_A_TIME);
        List<Future<String>> trials = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10_000; i++) {
                int caller = random.nextInt(CALLERS);
                int tenant = random.nextInt(TENANTS);
                int kind = random.nextInt(6);
                trials.add(threads.submit(() -> {
                    places.acquire();
                    try {
                        return trial(rights, tokens.get(caller), caller, tenant, kind);
                    } finally {
                        places.release();
                    }
                }));
            }
            int read = 0;
            for (Future<String> trial : trials) {
                String result = trial.get(10, TimeUnit.MINUTES);
                assertThat(result).isIn("read", "refused");
                read += result.equals("read") ? 1 : 0;
            }
            assertThat(read).as("reads of what is the caller's").isBetween(1_000, 9_000);
        }
    }

    private Set<Right> grant(Random random) {
        Set<Right> rights = new HashSet<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            for (int tenant = 0; tenant < TENANTS; tenant++) {
                for (String resource : GROUPS.keySet().stream().sorted().toList()) {
                    for (String verb : List.of("get", "list")) {
                        if (random.nextInt(3) == 0) {
                            rights.add(new Right(caller, tenant, resource, verb));
                        }
                    }
                }
            }
        }
        for (Right right : rights) {
            String namespace = "cluster-" + right.tenant();
            String name = "trial-" + right.caller() + "-" + right.resource() + "-" + right.verb();
            ObjectNode role = object("Role", namespace, name);
            ObjectNode rule = role.putArray("rules").addObject();
            rule.putArray("apiGroups").add(GROUPS.getOrDefault(right.resource(), ""));
            rule.putArray("resources").add(right.resource());
            rule.putArray("verbs").add(right.verb());
            stage.management().objects().create(role);
            ObjectNode binding = object("RoleBinding", namespace, name);
            binding.putObject("roleRef")
                    .put("apiGroup", "rbac.authorization.k8s.io")
                    .put("kind", "Role")
                    .put("name", name);
            binding.putArray("subjects")
                    .addObject()
                    .put("kind", "User")
                    .put("apiGroup", "rbac.authorization.k8s.io")
                    .put("name", "caller-" + right.caller());
            stage.management().objects().create(binding);
        }
        return rights;
    }

    private static ObjectNode object(String kind, String namespace, String name) {
        ObjectNode object = JsonTrees.object().put("apiVersion", RBAC).put("kind", kind);
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        return object;
    }

    /** {@code read} or {@code refused}, or what went wrong. */
    private String trial(Set<Right> rights, String token, int caller, int tenant, int kind) throws Exception {
        String namespace = "cluster-" + tenant;
        String md = "/namespaces/" + namespace + "/machine-deployments/kube-system/workers";
        return switch (kind) {
            case 0 ->
                single(
                        api.get("/namespaces/" + namespace + "/worker-clusters/worker-" + tenant, token),
                        rights.contains(new Right(caller, tenant, "workerclusters", "get")));
            case 1 ->
                single(
                        api.get("/namespaces/" + namespace + "/oscs/workers-kube-system-config", token),
                        rights.contains(new Right(caller, tenant, "operatingsystemconfigs", "get")));
            case 2 ->
                single(api.get(md, token), rights.contains(new Right(caller, tenant, "operatingsystemconfigs", "get")));
            case 3 ->
                single(
                        api.get(md + "/why", token),
                        rights.contains(new Right(caller, tenant, "operatingsystemconfigs", "get")));
            case 4 -> list(api.get("/worker-clusters?limit=500", token), rights, caller, "workerclusters");
            default -> list(api.get("/oscs?limit=500", token), rights, caller, "operatingsystemconfigs");
        };
    }

    private static String single(HttpResponse<String> answer, boolean allowed) {
        int expected = allowed ? 200 : 404;
        if (answer.statusCode() != expected) {
            return answer.uri() + " answered " + answer.statusCode() + ", not " + expected + ": " + answer.body();
        }
        return allowed ? "read" : "refused";
    }

    private static String list(HttpResponse<String> answer, Set<Right> rights, int caller, String resource)
            throws IOException {
        Set<String> seen = new HashSet<>();
        JSON.readTree(answer.body())
                .path("items")
                .forEach(
                        item -> seen.add(item.path("metadata").path("namespace").asText()));
        Set<String> expected = new HashSet<>();
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            if (rights.contains(new Right(caller, tenant, resource, "list"))) {
                expected.add("cluster-" + tenant);
            }
        }
        return seen.equals(expected)
                ? seen.isEmpty() ? "refused" : "read"
                : "caller-" + caller + " sees " + seen + ", not " + expected + " " + answer.statusCode();
    }
}

package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.sim.SimulatedObjects;
import io.osmhub.sim.objects.JsonTrees;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Previews as callers of the API get them, of tenants that are really served. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PreviewsTest {
    private static final String PROFILES_API = "operatingsystemmanager.k8c.io/v1alpha1";
    private static final String PROFILE = MachineFlavor.UBUNTU_ON_AWS.profile();

    @TempDir
    private static Path folder;

    private SimulatedFleet stage;
    private LiveApi api;
    private String admin;

    @BeforeAll
    void start() throws Exception {
        stage = LiveApi.stage(2);
        api = LiveApi.start(stage, folder, "");
        for (var tenant : stage.tenants()) {
            stage.register(tenant);
            new DemoTenant(tenant)
                    .create(new MachineDeploymentName("kube-system", "workers"), MachineFlavor.UBUNTU_ON_AWS, 1);
        }
        SimulatedObjects management = stage.management().objects();
        management.createIfAbsent(JsonTrees.read(
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"cluster-lost\"}}"));
        management.create("""
                {"apiVersion":"osmhub.io/v1alpha1","kind":"WorkerCluster","metadata":{"namespace":"cluster-lost","name":"lost"},
                 "spec":{"kubeconfigSecretRef":{"name":"nowhere"}}}""");
        api.listen();
        admin = api.admin();
        LiveApi.awaitTrue(() -> {
            HttpResponse<String> answer = api.get("/machine-deployments?newNodes=Current", admin);
            return answer.statusCode() == 200
                    && LiveApi.json(answer).path("items").size() == 2;
        });
    }

    @AfterAll
    void stop() {
        api.close();
    }

    @Test
    void aRenderingHoldsNoCredential() throws Exception {
        HttpResponse<String> answer = api.post("/render", admin, rendering());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode bootstrap = document(LiveApi.json(answer), "Bootstrap");
        assertThat(bootstrap.path("redactions").asInt()).isPositive();
        assertThat(answer.body()).doesNotContain(fetchToken());
        assertThat(decoded(bootstrap.path("text").asText())).doesNotContain(fetchToken());
        assertThat(decoded(published("workers-kube-system-bootstrap-config"))).contains(fetchToken());
    }

    @Test
    void aDocumentHasOneSizeWhereverItIsShown() throws Exception {
        for (String document : List.of("Bootstrap", "Provisioning")) {
            Map<String, Long> sizes = new LinkedHashMap<>();
            String machineDeployment = "/namespaces/cluster-0/machine-deployments/kube-system/workers";
            JsonNode detail = LiveApi.json(api.get(machineDeployment, admin));
            JsonNode config = LiveApi.json(api.get("/namespaces/cluster-0/oscs/workers-kube-system-config", admin));
            sizes.put("page", size(detail.path("sizes"), "document", document));
            sizes.put("objects", size(detail.path("objects"), "role", document));
            sizes.put("configuration", size(config.path("sizes"), "document", document));
            sizes.put("secrets", size(config.path("secrets"), "role", document));
            sizes.put("render", size(render().path("documents"), "document", document));
            for (String source : List.of("Wanted", "Stored")) {
                JsonNode text = LiveApi.json(
                        api.get(machineDeployment + "/user-data?source=" + source + "&document=" + document, admin));
                sizes.put(source, size(text.path("documents"), "document", document));
            }
            if (document.equals("Bootstrap")) {
                sizes.put("list", config.at("/configuration/bootstrapBytes").asLong());
                sizes.put("condition", told(config));
            }

            assertThat(Set.copyOf(sizes.values())).as(document + " " + sizes).hasSize(1);
        }
        assertThat(size(render().path("documents"), "document", "Bootstrap"))
                .as("as machine-controller compresses it for AWS")
                .isBetween(
                        (long) gzip(published("workers-kube-system-bootstrap-config")) * 97 / 100,
                        (long) gzip(published("workers-kube-system-bootstrap-config")) * 103 / 100);
    }

    @Test
    void userDataThatIsTooLargeHasTheSizeThatItsMessageStates() throws Exception {
        String machineDeployment = "/namespaces/cluster-0/machine-deployments/kube-system/workers";
        limitUserData("1024");
        try {
            LiveApi.awaitTrue(() -> reason(machineDeployment).equals("UserDataTooLarge"));

            JsonNode why = LiveApi.json(api.get(machineDeployment + "/why", admin));
            JsonNode size = LiveApi.json(api.get(machineDeployment, admin)).at("/sizes/0");
            assertThat(why.at("/cause/message").asText())
                    .contains(String.format(
                            Locale.ROOT,
                            "(%,d B of 1,024 B after gzip)",
                            size.path("bytes").asLong()));
            assertThat(size.path("limitBytes").asInt()).isEqualTo(1024);
            assertThat(size.path("limitOf").asText()).isEqualTo("spec.provisioning.userDataLimitBytes");
            assertThat(size.path("uncompressedBytes").asLong())
                    .isGreaterThan(size.path("bytes").asLong());
        } finally {
            limitUserData("null");
            LiveApi.awaitTrue(() -> reason(machineDeployment).isEmpty());
        }
    }

    private String reason(String machineDeployment) throws Exception {
        return LiveApi.json(api.get(machineDeployment, admin))
                .at("/machineDeployment/reason")
                .asText();
    }

    private void limitUserData(String bytes) {
        stage.management()
                .objects()
                .patch(
                        "osmhub.io/v1alpha1",
                        "WorkerCluster",
                        "cluster-0",
                        stage.tenants().getFirst().workerCluster(),
                        "{\"spec\":{\"provisioning\":{\"userDataLimitBytes\":" + bytes + "}}}");
    }

    @Test
    void aConfigurationHasTheSameSizeAsTextAndInItsTable() throws Exception {
        String machineDeployment = "/namespaces/cluster-0/machine-deployments/kube-system/workers";
        long table = size(
                LiveApi.json(api.get(machineDeployment, admin)).path("sizes"), "document", "OperatingSystemConfig");

        for (String source : List.of("Wanted", "Stored")) {
            JsonNode text = LiveApi.json(api.get(
                    machineDeployment + "/user-data?source=" + source + "&document=OperatingSystemConfig", admin));
            assertThat(size(text.path("documents"), "document", "OperatingSystemConfig"))
                    .as(source)
                    .isEqualTo(table);
        }
    }

    private static ObjectNode rendering() {
        ObjectNode request = JsonTrees.object().put("tenant", "cluster-0");
        request.putObject("machineDeployment").put("namespace", "kube-system").put("name", "workers");
        return request;
    }

    private JsonNode render() throws Exception {
        return LiveApi.json(api.post("/render", admin, rendering()));
    }

    private static long size(JsonNode list, String field, String value) {
        for (JsonNode entry : list) {
            if (entry.path(field).asText().equals(value)) {
                return entry.path("bytes").asLong();
            }
        }
        throw new AssertionError("no " + value + " in " + list);
    }

    /** The size in the message of the condition Published. */
    private static long told(JsonNode config) {
        for (JsonNode condition : config.at("/configuration/conditions")) {
            Matcher size = Pattern.compile("bootstrap ([0-9,]+) B")
                    .matcher(condition.path("message").asText());
            if (size.find()) {
                return Long.parseLong(size.group(1).replace(",", ""));
            }
        }
        throw new AssertionError("no size in " + config);
    }

    private static int gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream compressed = new GZIPOutputStream(bytes)) {
            compressed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.size();
    }

    @Test
    void aComparisonCountsWhatGetsWorseAndWhatIsRejectedToday() throws Exception {
        MachineDeploymentName broken = new MachineDeploymentName("kube-system", "broken");
        DemoTenant tenant = new DemoTenant(stage.tenants().getFirst());
        tenant.create(broken, MachineFlavor.UBUNTU_ON_AWS, 1);
        stage.tenants()
                .getFirst()
                .objects()
                .patch(
                        "cluster.k8s.io/v1alpha1",
                        "MachineDeployment",
                        "kube-system",
                        "broken",
                        "{\"spec\":{\"template\":{\"spec\":{\"providerSpec\":{\"value\":{\"cloudProvider\":\"nowhere\"}}}}}}");
        try {
            // Outdated if it was published before it was changed.
            LiveApi.awaitTrue(() -> LiveApi.json(api.get("/machine-deployments?namespace=cluster-0", admin))
                    .path("items")
                    .valueStream()
                    .anyMatch(item -> item.path("name").asText().equals("broken")
                            && Set.of("Blocked", "Outdated")
                                    .contains(item.path("newNodes").asText())));

            JsonNode same = LiveApi.json(api.post("/diff", admin, changes(stored(), "# changed\n")));
            JsonNode worse = LiveApi.json(api.post("/diff", admin, changes(stored(), "{{ fail \"not so\" }}")));

            assertThat(same.path("refused").asInt()).isEqualTo(1);
            assertThat(same.path("alreadyRefused").asInt()).isEqualTo(1);
            assertThat(worse.path("refused").asInt()).isEqualTo(3);
            assertThat(worse.path("alreadyRefused").asInt()).isEqualTo(1);
            assertThat(worse.at("/items/0/alreadyRefused").asBoolean(true)).isFalse();
            assertThat(worse.at("/items/2/alreadyRefused").asBoolean(false)).isTrue();
        } finally {
            stage.tenants()
                    .getFirst()
                    .objects()
                    .delete("cluster.k8s.io/v1alpha1", "MachineDeployment", "kube-system", "broken");
            LiveApi.awaitTrue(() -> LiveApi.json(api.get("/machine-deployments?namespace=cluster-0", admin))
                            .path("items")
                            .size()
                    == 1);
        }
    }

    @Test
    void aComparisonSaysWhoWouldGetWhatAndWhoWasNotLookedAt() throws Exception {
        HttpResponse<String> answer = api.post("/diff", admin, changes(stored(), "# changed\n"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode report = LiveApi.json(answer);
        assertThat(report.path("total").asInt()).isEqualTo(2);
        assertThat(report.path("changed").asInt()).isEqualTo(2);
        assertThat(report.path("workerClusters").asInt()).isEqualTo(2);
        assertThat(report.path("notConnected")).singleElement().satisfies(namespace -> assertThat(namespace.asText())
                .isEqualTo("cluster-lost"));
        Set<String> tenants = new HashSet<>();
        report.path("items").forEach(item -> tenants.add(item.path("tenant").asText()));
        assertThat(tenants).containsExactlyInAnyOrder("cluster-0", "cluster-1");
        assertThat(answer.body()).doesNotContain(fetchToken());
    }

    @Test
    void aComparisonOfOneTenantLooksAtNoOther() throws Exception {
        ObjectNode request = changes(stored(), "# changed\n");
        request.putArray("namespaces").add("cluster-1");

        JsonNode report = LiveApi.json(api.post("/diff", admin, request));

        assertThat(report.path("total").asInt()).isEqualTo(1);
        assertThat(report.has("notConnected")).isFalse();
    }

    @Test
    void aProfileThatDoesNotRenderIsRefusedForEverybodyAndNothingIsStored() throws Exception {
        ObjectNode before = stored();

        JsonNode report = LiveApi.json(api.post("/diff", admin, changes(stored(), "{{ fail \"not so\" }}")));

        assertThat(report.path("refused").asInt()).isEqualTo(2);
        assertThat(report.path("items").path(0).path("problem").path("message").asText())
                .contains("not so");
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void aProposedExtensionIsComparedForWhomItSelects() throws Exception {
        JsonNode shared = LiveApi.json(api.post("/diff", admin, extension(SimulatedFleet.PROFILES, "/etc/corp")));
        JsonNode ofOne = LiveApi.json(api.post("/diff", admin, extension("cluster-1", "/etc/corp")));
        JsonNode conflict = LiveApi.json(api.post("/diff", admin, extension("cluster-1", "/opt/osm/extensions/x")));
        ObjectNode other = extension(SimulatedFleet.PROFILES, "/etc/corp");
        other.withObject("/changes/0/spec/target").putArray("operatingSystems").add("flatcar");
        ObjectNode wrong = extension("cluster-1", "/etc/../corp");

        assertThat(shared.path("changed").asInt()).isEqualTo(2);
        assertThat(ofOne.path("total").asInt()).isEqualTo(1);
        assertThat(ofOne.at("/items/0/tenant").asText()).isEqualTo("cluster-1");
        assertThat(conflict.path("refused").asInt()).isEqualTo(1);
        assertThat(conflict.at("/items/0/problem/reason").asText()).isEqualTo("ExtensionConflict");
        assertThat(LiveApi.json(api.post("/diff", admin, other)).path("total").asInt())
                .isZero();
        assertThat(api.post("/diff", admin, wrong).body()).contains("spec.provisioning.files[0].path");
    }

    @Test
    void aCallerWithoutRightsComparesNothing() throws Exception {
        String stranger = stage.management().tokenForAudience("osm-hub", "stranger");

        HttpResponse<String> answer = api.post("/diff", stranger, changes(stored(), "# changed\n"));

        JsonNode report = LiveApi.json(answer);
        assertThat(report.path("total").asInt()).isZero();
        assertThat(report.has("notConnected")).isFalse();
        assertThat(answer.body()).doesNotContain("cluster-");
    }

    private static JsonNode document(JsonNode rendered, String name) {
        for (JsonNode document : rendered.path("documents")) {
            if (document.path("document").asText().equals(name)) {
                return document;
            }
        }
        throw new AssertionError("no document " + name + " in " + rendered);
    }

    private ObjectNode stored() {
        return stage.management()
                .objects()
                .get(PROFILES_API, "OperatingSystemProfile", SimulatedFleet.PROFILES, PROFILE)
                .orElseThrow();
    }

    /** An extension for ubuntu that adds a file. */
    private static ObjectNode extension(String namespace, String path) {
        ObjectNode extension = JsonTrees.object()
                .put("apiVersion", "osmhub.io/v1alpha1")
                .put("kind", "OperatingSystemProfileExtension");
        extension.putObject("metadata").put("namespace", namespace).put("name", "corp");
        extension.withObject("/spec/target").putArray("operatingSystems").add("ubuntu");
        extension.withObject("/spec").put("policy", "Enforced");
        extension
                .withObject("/spec/provisioning")
                .putArray("files")
                .addObject()
                .put("path", path)
                .put("content", "hello\n");
        ObjectNode request = JsonTrees.object();
        request.putArray("changes").add(extension);
        return request;
    }

    /** The profile with one more file in its bootstrap configuration. */
    private static ObjectNode changes(ObjectNode profile, String text) {
        ObjectNode changed = JsonTrees.object().put("apiVersion", PROFILES_API).put("kind", "OperatingSystemProfile");
        changed.putObject("metadata").put("namespace", SimulatedFleet.PROFILES).put("name", PROFILE);
        changed.set("spec", profile.path("spec").deepCopy());
        changed.withObject("/spec").put("version", "v99.0.0");
        ObjectNode file =
                changed.withObject("/spec/bootstrapConfig").putArray("files").addObject();
        file.put("path", "/etc/changed").put("permissions", 644);
        file.putObject("content").putObject("inline").put("data", text);
        changed.withObject("/spec/bootstrapConfig").remove("templates");
        changed.withObject("/spec/provisioningConfig").removeAll();
        ObjectNode request = JsonTrees.object();
        request.putArray("changes").add(changed);
        return request;
    }

    private String published(String secret) {
        return text(stage.tenants()
                .getFirst()
                .objects()
                .get("v1", "Secret", "cloud-init-settings", secret)
                .orElseThrow()
                .path("data")
                .path("cloud-config"));
    }

    private String fetchToken() {
        return text(stage.tenants()
                .getFirst()
                .objects()
                .get("v1", "Secret", "cloud-init-settings", "cloud-init-getter-token")
                .orElseThrow()
                .path("data")
                .path("token"));
    }

    private static String text(JsonNode base64) {
        return new String(Base64.getDecoder().decode(base64.asText()), StandardCharsets.UTF_8);
    }

    /** The document with the text of its encoded files after it. */
    private static String decoded(String document) {
        StringBuilder all = new StringBuilder(document);
        document.lines().map(String::strip).forEach(line -> {
            if (line.length() > 40 && line.matches("[A-Za-z0-9+/]+={0,2}") && line.length() % 4 == 0) {
                all.append(new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8));
            }
        });
        return all.toString();
    }
}

package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.deploy.run.BuildInfo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fleet verbs with a scripted API: requests, output and exit codes. */
final class FleetVerbsTest {
    private static final String MD = """
            {"tenant":"a","workerCluster":"w","namespace":"kube-system","name":"%s","profile":"osm-profiles/osp",
            "profileVersion":"v1.0.0","revision":"1","newNodes":"Current"}""";

    private static final String CLUSTER = """
            {"metadata":{"namespace":"b","name":"w","uid":"u","generation":1,"createdAt":"2026-11-21T10:00:00Z"},
            "registeredBy":"Object","state":"Synced","spec":{},"status":{},"connection":{"servedBy":"osm-hub-1"}}""";

    private static final String OWN_VERSION = BuildInfo.current().version();

    private static final String ME = "{\"user\":\"u\",\"groups\":[],\"may\":[],\"seesAllTenants\":%s}";
    private static final String WORKER_CLUSTER = """
            {"apiVersion":"osmhub.io/v1alpha1","kind":"WorkerCluster","metadata":{"name":"w","namespace":"a"},"spec":{}}""";

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new ArrayList<>();
    private @Nullable HttpServer server;
    private int status = 200;
    private boolean silent;

    @BeforeEach
    void start() throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.createContext("/", this::answer);
        made.start();
        server = made;
        answers.put(
                "/api/v1/machine-deployments", "{\"items\":[" + MD.formatted("one") + "," + MD.formatted("two") + "]}");
        answers.put("/api/v1/problems", "{\"items\":[]}");
    }

    @AfterEach
    void stop() {
        Objects.requireNonNull(server, "started").stop(0);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        if (silent) {
            return;
        }
        String body = answers.get(exchange.getRequestURI().getPath());
        byte[] bytes = (body == null
                        ? "{\"type\":\"urn:osmhub:problem:not-found\",\"title\":\"Not found\",\"status\":404,"
                                + "\"detail\":\"no such thing, or you may not see it\"}"
                        : body)
                .getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(body == null ? 404 : status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private CommandRun hub(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--server", url()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private String url() {
        return "http://localhost:"
                + Objects.requireNonNull(server, "started").getAddress().getPort();
    }

    @ParameterizedTest
    @ValueSource(strings = {"md", "mds", "MachineDeployment", "machinedeployments"})
    void everyFormOfANounIsEqual(String noun) {
        CommandRun run = hub("get", noun, "-n", "a", "-o", "name");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("md/kube-system/one\nmd/kube-system/two\n");
        assertThat(requests).containsExactly("GET /api/v1/machine-deployments?limit=500&namespace=a");
    }

    @Test
    void printsTheVersionsOfClientAndServer() throws IOException {
        answers.put("/api/v1/version", "{\"gitVersion\":\"9.8.7\",\"gitCommit\":\"abc\",\"javaVersion\":\"25\"}");

        CommandRun json = hub("version", "-o", "json");
        CommandRun text = hub("version");

        assertThat(json.exitCode()).isZero();
        JsonNode versions = ApiJson.client().readTree(json.out());
        assertThat(versions.at("/serverVersion/gitVersion").asText()).isEqualTo("9.8.7");
        assertThat(versions.at("/clientVersion/gitVersion").asText()).isEqualTo(OWN_VERSION);
        assertThat(text.out())
                .isEqualTo("Client Version: " + OWN_VERSION + ", Java 25\nServer Version: 9.8.7, Java 25\n");
        assertThat(requests).containsExactly("GET /api/v1/version", "GET /api/v1/version");
    }

    @Test
    void anUnreachableHubFailsAfterTheVersionOfTheClient() {
        CommandRun text = CommandRun.of("version", "--server", "http://127.0.0.1:1");
        CommandRun yaml = CommandRun.of("version", "-o", "yaml", "--server", "http://127.0.0.1:1");

        assertThat(text.exitCode()).isEqualTo(CommandFailureKind.UNREACHABLE.exitCode());
        assertThat(text.out()).isEqualTo("Client Version: " + OWN_VERSION + ", Java 25\n");
        assertThat(text.err())
                .isEqualTo(
                        "hub: cannot connect to http://127.0.0.1:1; check the address and that the hub is running\n");
        assertThat(yaml.exitCode()).isEqualTo(CommandFailureKind.UNREACHABLE.exitCode());
        assertThat(yaml.out()).startsWith("clientVersion:\n").doesNotContain("serverVersion");
    }

    @Test
    void theVersionOfTheClientNeedsNoRequest() {
        CommandRun run = CommandRun.of("version", "--client", "-o", "json");
        CommandRun withServer = hub("version", "--client", "-o", "json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("clientVersion").doesNotContain("serverVersion");
        assertThat(withServer.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(withServer.err()).contains("--server: has no effect with --client");
        assertThat(requests).isEmpty();
    }

    @Test
    void aHubWithoutTheOperationFailsAfterTheVersionOfTheClient() {
        CommandRun run = hub("version");

        assertThat(run.exitCode()).isEqualTo(CommandFailureKind.NOT_FOUND.exitCode());
        assertThat(run.out()).startsWith("Client Version: ").doesNotContain("Server");
    }

    @Test
    void labelsAreFilteredByTheApi() {
        hub("get", "mds", "-A", "-l", "env=prod");

        assertThat(requests).containsExactly("GET /api/v1/machine-deployments?limit=500&labelSelector=env%3Dprod");
    }

    @Test
    void listsCausesOfAllTenantsWithTheNumberOfEach() {
        answers.put(
                "/api/v1/summary",
                "{\"workerClusters\":{},\"machineDeployments\":{},\"causes\":[{\"id\":\"c1\",\"reason\":\"CredentialsRejected\","
                        + "\"severity\":\"Error\",\"actor\":\"operator\",\"object\":{\"cluster\":\"Management\","
                        + "\"kind\":\"WorkerCluster\",\"name\":\"w\"},\"headline\":\"401\",\"cure\":\"store a new one\","
                        + "\"command\":\"hub cluster rotate w\",\"commandCluster\":\"Management\",\"workerClusters\":4,"
                        + "\"blocked\":11,\"first\":\"b/w\"}]}");

        assertThat(hub("get", "causes").out().lines())
                .containsExactly(
                        "SEVERITY  REASON               OBJECT  ACTOR     TENANTS  BLOCKED  OUTDATED  AT RISK  SINCE  CAUSE",
                        "Error     CredentialsRejected  wc/w    operator        4       11         0        0         401");
        assertThat(hub("get", "causes", "-o", "wide").out())
                .contains("b/w    store a new one: ", "hub cluster rotate w");
        assertThat(hub("get", "cause", "c1", "-o", "name").out()).isEqualTo("cause/c1\n");
        assertThat(hub("get", "causes", "-n", "b").err())
                .contains("causes are those of all tenants; omit -n, or use hub get problems -n b");
        assertThat(hub("get", "causes", "-l", "a=b").exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
    }

    @Test
    void listsATenantsSettingsWithTheirSource() {
        answers.put("/api/v1/worker-clusters", "{\"items\":[" + CLUSTER + "]}");
        answers.put(
                "/api/v1/namespaces/b/worker-clusters/w/settings",
                "{\"hash\":\"h\",\"items\":[{\"field\":\"provisioning.containerRuntime.pauseImage\",\"value\":\"p:1\","
                        + "\"source\":\"Platform\",\"origins\":[\"Cluster abc spec.containerRuntimeOpts.pauseImage\"]},"
                        + "{\"field\":\"provisioning.airGapped\",\"value\":false,\"source\":\"BuiltIn\"}]}");

        assertThat(hub("get", "settings", "pauseImage", "-n", "b").out().lines())
                .containsExactly(
                        "SETTING                                   VALUE  SOURCE",
                        "provisioning.containerRuntime.pauseImage  p:1    Cluster abc spec.containerRuntimeOpts.pauseImage");
        assertThat(hub("get", "settings", "-n", "b").out())
                .contains("provisioning.airGapped                    false  built-in default");
        assertThat(hub("get", "settings", "pauseImag", "-n", "b").err())
                .contains("no Setting pauseImag in namespace b; did you mean pauseImage?");
        assertThat(hub("get", "settings", "-A").err()).isEqualTo("hub: no tenant: use -n NAMESPACE\n");
    }

    private void addClusters() {
        answers.put(
                "/api/v1/worker-clusters",
                "{\"items\":[" + CLUSTER + ","
                        + CLUSTER.replace("\"b\"", "\"a\"")
                                .replace("\"name\":\"w\"", "\"labels\":{\"env\":\"prod\"},\"name\":\"v\"")
                        + "]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "get wc -o name | wc/b/w wc/a/v",
                "get wc -n b -o name | wc/w wc/v",
            })
    void printsNamesThatItAccepts(String arguments, String printed) {
        addClusters();

        CommandRun run = hub(arguments.split(" "));

        assertThat(run.err()).isEmpty();
        assertThat(run.out().strip().replaceAll("\\s+", " ")).isEqualTo(printed);
        assertThat(run.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "foo | invalid value for option '--output': expected one of [table, wide, json, yaml, name]",
                "jsonpath={.a} | -o jsonpath was removed; use -o json | jq",
                "custom-columns=A:.b | -o custom-columns was removed; use -o json | jq",
            })
    void explainsAnUnusableOutputFormat(String format, String message) {
        CommandRun run = hub("get", "wc", "-o", format);

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).contains(message).hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"get mds -A -w", "get problems -A -w"})
    void aWatchEndsAtItsTimeLimit(String arguments) {
        silent = true;

        CommandRun run = hub((arguments + " --timeout 300ms").split(" "));

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void aWatchPrintsWhatChangedAndContinuesAfterAFailure() {
        AtomicInteger count = new AtomicInteger();
        Objects.requireNonNull(server, "started").createContext("/api/v1/machine-deployments", exchange -> {
            int number = count.incrementAndGet();
            String second = number == 1 ? "," + MD.formatted("two") : "";
            byte[] body = ("{\"items\":[" + MD.formatted("one") + second + "]}").getBytes(UTF_8);
            exchange.sendResponseHeaders(number == 2 ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });

        CommandRun run = hub("get", "mds", "-n", "a", "-w", "-o", "name", "--timeout", "8s");

        assertThat(run.out()).isEqualTo("md/kube-system/one\nmd/kube-system/two\n");
        assertThat(run.err()).contains("; retrying\n").contains("md/kube-system/two deleted\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void onlyThoseThatAreNamedAreShown() {
        CommandRun run = hub("get", "mds", "-n", "a", "two", "--no-headers");

        assertThat(run.out()).isEqualTo("kube-system/two  osp  v1.0.0  1  Current\n");
        assertThat(hub("get", "mds", "-n", "a", "kube-system/one", "-o", "name").out())
                .isEqualTo("md/kube-system/one\n");
    }

    @Test
    void aListIsAlwaysItemsForPrograms() {
        assertThat(hub("get", "mds", "-n", "a", "-o", "json").out()).startsWith("{\n  \"items\" : [");
        assertThat(hub("get", "problems", "-A", "-o", "yaml").out()).isEqualTo("items: []\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            get mdz                        | 2 | unknown resource "mdz"; did you mean mds?
            get ospx                       | 2 | unknown resource "ospx"; list extensions with kubectl get ospx
            get mds -n a twoo              | 3 | no MachineDeployment twoo in namespace a; did you mean two?
            why on -n a                    | 3 | no MachineDeployment on in namespace a; did you mean one?
            why workers -n a               | 3 | no MachineDeployment workers in namespace a; list all with hub get mds -n a; the hub ignores one without annotation k8c.io/operating-system-profile
            why wc w -n a                  | 2 | expected a MachineDeployment or machine
            why machin x -n a              | 2 | unknown kind "machin"; did you mean machine?
            why md a/b/c/d -n a            | 2 | "a/b/c/d": expected NAMESPACE/NAME
            why md b/kube-system/one -n a  | 2 | -n a is not the tenant of b/kube-system/one; omit -n
            why md/a/kube-system/one -A    | 2 | -A is not supported for one object; omit it
            diff -f no-such-file -A        | 2 | no-such-file: file not found; check the path
            get mds -A --as operator       | 2 | --as requires the management cluster
            why one -A                     | 2 | -A is not supported for one object
            cluster test w -A              | 2 | -A is not supported for one object
            cluster pause w -A             | 2 | -A is not supported for one object
            cluster remove w -A --yes      | 2 | -A is not supported for one object
            cluster rbac w -A              | 2 | -A is not supported for one object
            lint osp -n a                  | 2 | --server: has no effect, because lint reads the management cluster
            doctor                         | 2 | --server: has no effect, because doctor reads the management cluster
            why one -n a -o wide           | 2 | -o wide: has no effect here; omit it
            diff -A -f x --no-headers      | 2 | --no-headers: has no effect here; omit it
            version -n a                   | 2 | -n, -A: have no effect on versions; omit them
            get problems -A -l a=b         | 2 | -l has no effect: open problems have no labels; omit it
            """)
    void mistakesAreToldInOneLineWithAnExitCode(String arguments, int exitCode, String message) {
        CommandRun run = hub(arguments.split(" +"));

        assertThat(run.err()).startsWith("hub: " + message).hasLineCount(1);
        assertThat(run.exitCode()).isEqualTo(exitCode);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"401, 4", "403, 4", "409, 6", "500, 70", "503, 5", "504, 5"})
    void whatTheApiSaysBecomesAnExitCode(int answered, int exitCode) {
        status = answered;
        answers.put(
                "/api/v1/problems",
                "{\"type\":\"urn:osmhub:problem:x\",\"title\":\"X\",\"status\":" + answered
                        + ",\"detail\":\"it is so\",\"requestId\":\"r-1\"}");

        CommandRun run = hub("get", "problems", "-A");

        assertThat(run.exitCode()).isEqualTo(exitCode);
        assertThat(run.err()).hasLineCount(1);
    }

    @Test
    void theWholeCommandHasALimit() {
        silent = true;

        CommandRun run = hub("get", "mds", "-A", "--timeout", "300ms");

        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err()).contains("raise --timeout");
    }

    @Test
    void whyIsOneUnlessNewNodesAreCurrent() {
        String report = """
                {"subject":{"kind":"MachineDeployment","namespace":"kube-system","name":"one"},"newNodes":"%s",
                "verdict":"new nodes of kube-system/one wait","links":[],"checkedAt":"2026-11-21T10:00:00Z"}""";
        String path = "/api/v1/namespaces/a/machine-deployments/kube-system/one/why";

        answers.put(path, report.formatted("Current"));
        assertThat(hub("why", "one", "-n", "a").exitCode()).isZero();
        answers.put(path, report.formatted("Blocked"));
        CommandRun run = hub("why", "md", "kube-system/one", "-n", "a");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(run.out()).isEqualTo("Blocked: new nodes of kube-system/one wait.\n");
        for (String name : List.of("md/kube-system/one -n a", "a/kube-system/one", "md/a/kube-system/one")) {
            assertThat(hub(("why " + name).split(" "))).as(name).isEqualTo(run);
        }
    }

    @Test
    void requestsAreShownOnDemandAndWithoutTheToken() {
        CommandRun run = hub("get", "mds", "-A", "-v");

        assertThat(run.err())
                .contains("GET http://localhost:")
                .contains("/api/v1/machine-deployments?limit=500: 200, ");
        assertThat(hub("get", "problems", "-A", "-q").err()).isEmpty();
    }

    @Test
    void thePluginHasTheSameVerbsAndOptions() {
        CommandRun help = CommandRun.of("kubectl-osmhub", "get", "--help");
        CommandRun listed = CommandRun.of("kubectl-osmhub", "get", "mds", "-n", "a", "-o", "name", "--server", url());
        CommandRun removed = CommandRun.of("kubectl-osmhub", "describe", "md");

        assertThat(help.out()).startsWith("Usage: kubectl osmhub get ").contains("--kubeconfig", "--server");
        assertThat(listed.out()).isEqualTo("md/kube-system/one\nmd/kube-system/two\n");
        assertThat(removed.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"get mds -A", "cluster rbac w -n a", "diff -n a -f -"})
    void whoLooksAtATerminalIsToldThatItWaitsAndAPipeIsNot(String arguments) {
        silent = true;
        for (Terminal.Screen screen : List.of(new Terminal.Screen(true, 80), Terminal.Screen.NONE)) {
            String said = saidAt(screen, arguments);

            assertThat(said.contains("\r\u001b[Kwaiting for " + way())).as(said).isEqualTo(screen.person());
            assertThat(said.substring(said.lastIndexOf("\u001b[K") + 1))
                    .contains("hub: ")
                    .doesNotContain("waiting");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 5", "1, 1"})
    void aComparisonThatLeftTenantsOutDoesNotEndAsIfNothingWouldChange(int changed, int exitCode) {
        answers.put(
                "/api/v1/diff",
                "{\"total\":1,\"workerClusters\":1,\"changed\":" + changed + ",\"repaired\":0,\"same\":1,"
                        + "\"refused\":0,\"notConnected\":[\"b\",\"c\"],\"unanswered\":[\"osm-hub-1\"],\"items\":[]}");

        CommandRun run = CommandRun.withInput(WORKER_CLUSTER, "diff", "-A", "-q", "-f", "-", "--server", way());

        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(run.err())
                .contains("hub: not compared: b, c; not connected to their worker cluster")
                .contains("hub: not compared: the tenants of replica osm-hub-1 of the hub, which did not answer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--full"})
    void aRejectedChangeIsExplainedAndNotShownAsDeleted(String option) {
        answers.put("/api/v1/diff", """
                {"total":3,"workerClusters":1,"changed":1,"repaired":0,"same":0,"refused":2,"alreadyRefused":1,"items":[
                {"tenant":"a","machineDeployment":{"kind":"MachineDeployment","namespace":"kube-system","name":"one"},
                "result":"Refused","alreadyRefused":false,"problem":{"id":"1","reason":"ExtensionConflict","severity":"Error",
                "actor":"operator","category":"profile","message":"a/w: /etc/x is written twice; remove one",
                "since":"2026-11-21T10:00:00Z"}},
                {"tenant":"a","machineDeployment":{"kind":"MachineDeployment","namespace":"kube-system","name":"new"},
                "result":"Refused","alreadyRefused":true,"problem":{"id":"2","reason":"ExtensionConflict","severity":"Error",
                "actor":"operator","category":"profile","message":"a/v: /etc/x is written twice; remove one",
                "since":"2026-11-21T10:00:00Z"}},
                {"tenant":"a","machineDeployment":{"kind":"MachineDeployment","namespace":"kube-system","name":"two"},
                "result":"Changed","documents":[{"document":"Bootstrap","bytesBefore":1715,"bytesAfter":1716}]}]}""");
        List<String> arguments = new ArrayList<>(List.of("diff", "-A", "-f", "-", "--server", way()));
        if (!option.isEmpty()) {
            arguments.add(option);
        }

        CommandRun run = CommandRun.withInput(WORKER_CLUSTER, arguments.toArray(String[]::new));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(run.out())
                .contains("rejected: 2 (1 already today)", "Rejected ", "1,715 -> 1,716")
                .contains("new in a is rejected today too: a/v: /etc/x is written twice; remove one")
                .contains("one in a keeps the published one: a/w: /etc/x is written twice; remove one")
                .doesNotContain("Refused", "none");
    }

    @Test
    void errorsOfAChangeNameFileLineAndField(@TempDir Path folder) throws IOException {
        status = 400;
        answers.put("/api/v1/diff", """
                {"type":"urn:osmhub:problem:validation-failed","title":"t","status":400,"detail":"2 errors","errors":[
                {"in":"body","pointer":"/changes/1","field":"spec.provisioning.files[0].path","detail":"not absolute",
                "cure":"begin it with /"},
                {"in":"body","pointer":"/changes/0/metadata","detail":"namespace or name is missing","cure":"add both"}]}""");
        Path file = Files.writeString(folder.resolve("two.yaml"), """
                kind: OperatingSystemProfileExtension
                metadata: {name: one}
                ---
                kind: OperatingSystemProfileExtension
                metadata: {name: two, namespace: a}
                spec:
                  provisioning:
                    files:
                    - {path: etc/x, content: x}
                """);

        CommandRun run = CommandRun.of("diff", "-A", "-f", file.toString(), "--server", way());

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err())
                .contains("2 errors, nothing was compared")
                .containsPattern("two.yaml:2:1 +metadata +namespace or name is missing; add both")
                .containsPattern("two.yaml:9:8 +spec.provisioning.files\\[0].path +not absolute; begin it with /");

        answers.put("/api/v1/diff", """
                {"type":"urn:osmhub:problem:validation-failed","title":"t","status":400,"detail":"wrong","errors":[
                {"in":"body","pointer":"/limit","detail":"wrong"}]}""");

        assertThat(CommandRun.of("diff", "-A", "-f", file.toString(), "--server", way())
                        .err())
                .contains("hub: wrong");
    }

    private String saidAt(Terminal.Screen screen, String arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
        Terminal terminal = new Terminal(
                new ByteArrayInputStream(WORKER_CLUSTER.getBytes(UTF_8)),
                nowhere,
                new PrintStream(err, true, UTF_8),
                screen);
        List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
        all.addAll(List.of("--timeout", "3s", "--server", way()));
        HubCommand.run(terminal, all.toArray(String[]::new));
        return err.toString(UTF_8);
    }

    private String way() {
        return "http://localhost:"
                + Objects.requireNonNull(server, "started").getAddress().getPort();
    }

    @Test
    void profilesThatMayNotBeViewedAreNotSaidToBeMissing() {
        String hidden = "you may not view the shared profiles; ";
        answers.put("/api/v1/me", ME.formatted("false"));
        answers.put("/api/v1/worker-clusters", "{\"items\":[]}");
        answers.put("/api/v1/operating-system-profiles", "{\"items\":[]}");
        answers.put("/api/v1/osps", "{\"items\":[]}");

        assertThat(hub("get", "osps", "-A").err()).contains("no profiles", hidden, "profiles.readers");

        answers.put(
                "/api/v1/me",
                ME.formatted("false").replace("\"may\":[]", "\"may\":[{\"action\":\"ViewSharedProfiles\"}]"));
        assertThat(hub("get", "osps", "-A").err()).contains("no profiles").doesNotContain(hidden);
    }

    private static String registered(String state) {
        return WORKER_CLUSTER.replace(
                "\"spec\":{}",
                "\"spec\":{\"kubeconfigSecretRef\":{\"name\":\"s\"}},\"status\":{\"state\":\"" + state + "\"}");
    }

    private CommandRun release(Path folder, String... more) throws IOException {
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: "http://localhost:%d"}}]
                users: [{name: u, user: {}}]
                """.formatted(
                        Objects.requireNonNull(server, "started").getAddress().getPort()));
        String clusters = "/apis/osmhub.io/v1alpha1/namespaces/a/workerclusters/w";
        answers.putIfAbsent(clusters, registered("Paused"));
        String configs = "/apis/operatingsystemmanager.k8c.io/v1alpha1/namespaces/a/operatingsystemconfigs";
        answers.put(configs, """
                {"items":[
                {"metadata":{"name":"ours","namespace":"a","uid":"1",
                  "annotations":{"osmhub.io/machine-deployment":"kube-system/ours"}}},
                {"metadata":{"name":"peers","namespace":"a","uid":"2"}}]}""");
        answers.put(configs + "/ours", "{}");
        List<String> all = new ArrayList<>(
                List.of("cluster", "release", "w", "-n", "a", "--yes", "--kubeconfig", kubeconfig.toString()));
        all.addAll(List.of(more));
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    void releasePausesAndDeletesTheConfigsOfTheHubOnly(@TempDir Path folder) throws IOException {
        CommandRun run = release(folder);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("WorkerCluster a/w at ").contains(" paused, 1 OperatingSystemConfigs deleted");
        assertThat(requests)
                .anyMatch(request -> request.startsWith("PATCH ") && request.contains("/workerclusters/w"))
                .filteredOn(request -> request.startsWith("DELETE "))
                .singleElement()
                .asString()
                .contains("/operatingsystemconfigs/ours");
    }

    @Test
    void releaseDeletesNothingBeforeTheHubHasPaused(@TempDir Path folder) throws IOException {
        answers.put("/apis/osmhub.io/v1alpha1/namespaces/a/workerclusters/w", registered("Synced"));

        CommandRun run = release(folder, "--timeout", "1s");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(run.err()).contains("no hub has confirmed it", "--no-wait");
        assertThat(requests).noneMatch(request -> request.startsWith("DELETE "));
        assertThat(release(folder, "--no-wait").exitCode()).isZero();
    }

    @Test
    void releaseExplainsThatTheApiDeletesNoConfiguration() {
        assertThat(CommandRun.of("cluster", "release", "--help").out().replaceAll("\\s+", " "))
                .contains("Requires the management cluster")
                .contains("the hub's API only changes registrations");
        CommandRun run = hub("cluster", "release", "w", "-n", "a", "--yes");
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).contains("the API does not delete OperatingSystemConfigs; omit --server");
        assertThat(hub("cluster", "release", "w", "--yes").err()).isEqualTo(run.err());
        assertThat(requests).isEmpty();
    }
}

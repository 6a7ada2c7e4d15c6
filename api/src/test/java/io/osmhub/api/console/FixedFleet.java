package io.osmhub.api.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.problem.RequestError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Operations that answer with a fleet that stands still, and can be moved by a test. */
final class FixedFleet {
    private static final List<String> WHOLE = Collections.nCopies(7, "Ok");
    private static final List<String> TOO_LARGE =
            List.of("Ok", "Broken", "OlderKept", "OlderKept", "Ok", "Ok", "Waiting");

    /** A name as nobody should have it. Kubernetes would refuse it as one; a message or a label may hold it. */
    static final String HOSTILE = "<img src=x onerror=alert(1)>\u202Edorp\u0000 'x' \"y\"";

    static final String CANARY = "canary-kubeconfig-text";

    private static final String[][] CLUSTERS = {
        {"cluster-b2v8n4qxzm", "analytics-sandbox", "Unauthorized"},
        {"cluster-q8n4z7wxkd", "edge-warehouse-042", "Unreachable"},
        {"cluster-7xk2m9qvbn", "checkout-prod-eu", "Degraded"},
        {"cluster-m6c2rr8jvl", "batch-render-us-west-2", "Connecting"},
        {"cluster-w3f9dd5kqh", "retail-pos-nordics", "Paused"},
        {"cluster-x6b4tt9whk", "search-index-ap-southeast-1-replica-of-eu-central-1-b", "Synced"},
    };

    private final List<Operation> operations = new ArrayList<>();
    final List<String> asked = new ArrayList<>();
    String source = "as it is";
    Map<String, Object> diff = Map.of();
    final List<Map<String, Object>> events = new ArrayList<>();
    boolean seesAll = true;
    List<String> rights = List.of("Register", "Rotate", "Remove", "ViewSharedProfiles");
    int tenants = CLUSTERS.length;
    String verdictOfWorkers = "Blocked";
    String cure = "move it to provisioningConfig";
    String command = "kubectl -n osm-profiles edit operatingsystemprofile osp-ubuntu-hardened";
    boolean published = true;
    String noAnswerSince = "";
    /** Whether the published revision is older than the wanted one. */
    boolean pending = true;

    boolean connected = true;
    boolean kubeconfigWorks = true;
    /** Start of what was observed of the current state; empty for more than a day. */
    String observedFrom = "";

    Map<String, Object> spec = Map.of();
    List<Map<String, Object>> resolved = List.of();
    /** Of all MachineDeployments; empty for none. */
    String reason = "UserDataTooLarge";
    /** Of MachineDeployments; empty for those of the verdict. */
    List<String> links = List.of();

    String version = "v2.3.1";
    /** Documents as rendered from what is wanted, and from what is stored. */
    String wanted = "#cloud-config\ntoken: <redacted:fetch-token>\n\tmotd: " + HOSTILE + "\n";

    String stored = wanted;
    List<Map<String, Object>> matches = List.of(Map.of(
            "object",
            Map.of("kind", "WorkerCluster", "namespace", CLUSTERS[2][0], "name", CLUSTERS[2][1]),
            "tenant",
            CLUSTERS[2][0]));

    FixedFleet() {
        on("getMe", call -> me());
        on("getSummary", call -> summary());
        on("listWorkerClusters", call -> clusters(call));
        on("getWorkerCluster", call -> cluster(find(call)));
        on(
                "listMachineDeployments",
                call -> list(
                        tenants == 0
                                ? List.of()
                                : List.of(machineDeployment("workers-a"), machineDeployment("workers-b"))));
        on(
                "listProblems",
                call -> list(call.query("state").orElse("").equals("Resolved") ? resolved : List.of(problem())));
        on("getEffectiveSettings", call -> settings());
        on("latestEvents", call -> Map.of("items", events));
        on("profileSource", call -> Map.of("text", "kind: OperatingSystemProfile\n# " + source));
        on("diff", call -> diff);
        on("getMachineDeployment", call -> detail());
        on("whyMachineDeployment", call -> why());
        on("whyMachine", call -> why());
        on("getUserData", call -> rendered(call.query("source").orElse("").equals("Stored") ? stored : wanted));
        on("listOsps", call -> list(tenants == 0 ? List.of() : List.of(profile())));
        on("getOsp", call -> profileDetail());
        on("render", call -> rendered(wanted));
        on("search", call -> Map.of("items", matches));
        on("testWorkerCluster", call -> test());
        on("putWorkerCluster", call -> {
            if (!kubeconfigWorks) {
                throw ApiProblem.refused(
                        ProblemType.KUBECONFIG_REFUSED,
                        "nothing was stored",
                        List.of(RequestError.body("/kubeconfig", "users[0].user.exec runs a program", "use a token")
                                .withField("users[0].user.exec")));
            }
            return Map.of("stored", true);
        });
        on("patchWorkerCluster", call -> Map.of());
        on("rotateWorkerCluster", call -> Map.of());
        on("deleteWorkerCluster", call -> Map.of());
        operations.add(Operation.of("signIn", call -> {
            if (!call.body().path("token").asText().equals("good")) {
                throw ApiProblem.unauthenticated();
            }
            return Reply.ok(Map.of()).withHeader("Set-Cookie", "__Host-osmhub=s; Secure; HttpOnly");
        }));
        operations.add(Operation.of(
                "signOut", call -> Reply.noContent().withHeader("Set-Cookie", "__Host-osmhub=; Max-Age=0")));
    }

    private interface Answering {
        Map<String, Object> to(Call call) throws ApiProblem;
    }

    private void on(String id, Answering answering) {
        operations.add(Operation.of(id, call -> {
            JsonNode body = call.body();
            asked.add(id + (body.isMissingNode() ? "" : " " + body.toString().replace(CANARY, "(given)")));
            return Reply.ok(answering.to(call));
        }));
    }

    List<Operation> operations() {
        return operations;
    }

    private Map<String, Object> me() {
        return Map.of(
                "user",
                "platform-admin@example.org",
                "groups",
                List.of("platform"),
                "seesAllTenants",
                seesAll,
                "tenants",
                tenants,
                "may",
                rights.stream().map(right -> Map.of("action", right)).toList(),
                "sessionEndsAt",
                "2026-11-21T18:40:00Z");
    }

    private static Map<String, Object> list(List<Map<String, Object>> items) {
        return Map.of("items", items, "total", items.size(), "offset", 0);
    }

    private Map<String, Object> cause() {
        Map<String, Object> cause = new HashMap<>(problem());
        cause.put("id", "4f1c9a07");
        cause.put("object", profileRef());
        cause.put("workerClusters", 3);
        cause.put("blocked", 7);
        cause.put("outdated", 5);
        cause.put("first", CLUSTERS[2][0] + "/" + CLUSTERS[2][1]);
        return cause;
    }

    private Map<String, Object> summary() {
        if (tenants == 0) {
            return Map.of("workerClusters", Map.of(), "machineDeployments", Map.of("Current", 0), "causes", List.of());
        }
        return Map.of(
                "workerClusters", Map.of("Synced", 1171, "Degraded", 14, "Unreachable", 9, "Unauthorized", 4),
                "machineDeployments", Map.of("Current", 3569, "Outdated", 28, "AtRisk", 19, "Blocked", 31),
                "causes", List.of(cause()),
                "version", "0.1.0");
    }

    private static String problemMessage() {
        return CLUSTERS[2][0]
                + ": MachineDeployment kube-system/workers-a: bootstrap user-data has 17,912 B, aws takes "
                + "16,384 B; move it to provisioningConfig";
    }

    private Map<String, Object> clusters(Call call) {
        List<Map<String, Object>> items = new ArrayList<>();
        int first = call.query("continue").map(Integer::parseInt).orElse(0);
        int limit = call.query("limit").map(Integer::parseInt).orElse(100);
        String search = call.query("search").orElse("");
        for (int at = first; at < tenants && items.size() < limit; at++) {
            Map<String, Object> cluster = cluster(at);
            if (String.valueOf(cluster.get("metadata")).contains(search)) {
                items.add(cluster);
            }
        }
        Map<String, Object> page = new HashMap<>(Map.of("items", items, "total", tenants, "offset", first));
        if (first + limit < tenants) {
            page.put("continue", String.valueOf(first + limit));
        }
        if (first > 0) {
            page.put("previous", String.valueOf(Math.max(0, first - limit)));
        }
        return page;
    }

    private static int find(Call call) throws ApiProblem {
        for (int at = 0; at < CLUSTERS.length; at++) {
            if (CLUSTERS[at][0].equals(call.path("namespace")) && CLUSTERS[at][1].equals(call.path("name"))) {
                return at;
            }
        }
        throw ApiProblem.notFound("WorkerCluster " + call.path("name"));
    }

    private static Map<String, Object> connected(String state) {
        return Map.of(
                "type",
                "Connected",
                "status",
                state.equals("Unreachable") ? "False" : "True",
                "reason",
                "ConnectionEstablished",
                "message",
                HOSTILE,
                "lastTransitionTime",
                "2026-11-21T10:02:00Z");
    }

    private Map<String, Object> cluster(int at) {
        String[] base = CLUSTERS[at % CLUSTERS.length];
        String name = at < CLUSTERS.length ? base[1] : base[1] + "-" + at;
        Map<String, Object> cluster = new LinkedHashMap<>();
        cluster.put(
                "metadata",
                Map.of("namespace", base[0], "name", name, "uid", "u" + at, "createdAt", "2026-10-02T08:15:00Z"));
        cluster.put("state", base[2]);
        cluster.put("registeredBy", "CLI");
        Map<String, Object> all = new HashMap<>(spec);
        all.put("kubeconfigSecretRef", Map.of("name", name + "-kubeconfig"));
        cluster.put("spec", all);
        cluster.put(
                "status",
                Map.of(
                        "endpoint",
                        "https://api." + name + ".example.org:6443",
                        "kubernetesVersion",
                        "v1.34.2",
                        "credentialsKind",
                        "ScopedToken",
                        "credentialsExpireAt",
                        "2026-12-20T00:00:00Z",
                        "machineDeployments",
                        Map.of("total", 4, "current", 1, "atRisk", 0, "outdated", 1, "blocked", 2, "pending", 0),
                        "problems",
                        List.of(Map.of(
                                "reason",
                                "UserDataTooLarge",
                                "severity",
                                "Error",
                                "message",
                                HOSTILE,
                                "since",
                                "2026-11-21T10:02:00Z")),
                        "conditions",
                        List.of(
                                Map.of(
                                        "type",
                                        "Ready",
                                        "status",
                                        "False",
                                        "reason",
                                        "UserDataTooLarge",
                                        "message",
                                        HOSTILE,
                                        "lastTransitionTime",
                                        "2026-11-21T10:02:00Z"),
                                connected(base[2])),
                        "clusterID",
                        "0f8f2a3e-" + at,
                        "lastSyncTime",
                        "2026-11-21T10:39:58Z",
                        "noAnswerSince",
                        noAnswerSince));
        cluster.put(
                "connection",
                Map.of(
                        "roundTripMilliseconds",
                        12,
                        "servedBy",
                        "osm-hub-0",
                        "user",
                        HOSTILE,
                        "intervals",
                        !observedFrom.isEmpty()
                                ? List.of(Map.of("from", observedFrom, "state", "Degraded"))
                                : List.of(
                                        Map.of(
                                                "from",
                                                "2026-11-20T10:00:00Z",
                                                "to",
                                                "2026-11-21T02:14:00Z",
                                                "state",
                                                "Synced"),
                                        Map.of(
                                                "from",
                                                "2026-11-21T02:14:00Z",
                                                "to",
                                                "2026-11-21T02:19:00Z",
                                                "state",
                                                "Unreachable"),
                                        Map.of("from", "2026-11-21T02:19:00Z", "state", "Degraded"))));
        cluster.put("shortestTokenExpiresAt", "2026-11-21T11:12:00Z");
        return cluster;
    }

    private Map<String, Object> machineDeployment(String name) {
        Map<String, Object> md = new LinkedHashMap<>();
        md.put("tenant", CLUSTERS[2][0]);
        md.put("workerCluster", CLUSTERS[2][1]);
        md.put("namespace", "kube-system");
        md.put("name", name);
        md.put("profile", "osm-profiles/osp-ubuntu-hardened");
        md.put("profileVersion", version);
        md.put("operatingSystem", "ubuntu");
        md.put("cloudProvider", "aws");
        md.put("kubeletVersion", "1.34.2");
        md.put("revision", "7");
        md.put("publishedRevision", "6");
        md.put("replicas", 9);
        md.put("readyReplicas", 6);
        md.put("newNodes", verdictOfWorkers);
        if (!reason.isEmpty()) {
            md.put("reason", reason);
        }
        md.put("since", "2026-11-21T10:02:11Z");
        md.put("links", links.isEmpty() ? verdictOfWorkers.equals("Current") ? WHOLE : TOO_LARGE : links);
        md.put("tokenExpiresAt", "2026-11-21T11:58:00Z");
        md.put("osc", name + "-kube-system-config");
        return md;
    }

    Map<String, Object> problem() {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("id", "4f1c");
        problem.put("reason", "UserDataTooLarge");
        problem.put("severity", "Error");
        problem.put("actor", "tenant");
        problem.put("category", "publish");
        problem.put("tenant", CLUSTERS[2][0]);
        problem.put("workerCluster", CLUSTERS[2][1]);
        problem.put(
                "object",
                Map.of(
                        "cluster",
                        "Worker",
                        "kind",
                        "MachineDeployment",
                        "namespace",
                        "kube-system",
                        "name",
                        "workers-a"));
        problem.put("message", problemMessage());
        problem.put("headline", "User-data is 1,528 bytes too large for aws " + HOSTILE);
        problem.put("cure", cure);
        problem.put("command", command);
        problem.put("cause", "4f1c9a07");
        problem.put("excerpt", "    1 | {{ toYamll . }}\n           ^ " + HOSTILE);
        problem.put("help", "/docs/reference/reasons#userdatatoolarge");
        problem.put("affected", 1);
        problem.put("since", "2026-11-21T10:02:11Z");
        return problem;
    }

    private Map<String, Object> settings() {
        return Map.of(
                "hash",
                "c55e81f0",
                "items",
                List.of(
                        Map.of(
                                "field",
                                "provisioning.clusterDNS",
                                "value",
                                List.of("10.240.16.10"),
                                "source",
                                "Tenant"),
                        Map.of("field", "provisioning.proxy.httpProxy", "source", "BuiltIn")));
    }

    private Map<String, Object> source(String revision, String version) {
        return Map.of(
                "machineDeploymentRevision", revision,
                "profile", "osm-profiles/osp-ubuntu-hardened",
                "profileVersion", version,
                "settingsHash", "c55e81f0",
                "contentHash", "9f41c07ad2e89f41",
                "renderedAt", "2026-11-03T14:20:40Z");
    }

    private Map<String, Object> detail() {
        List<Map<String, Object>> history = new ArrayList<>();
        for (int at = 0; at < 9; at++) {
            history.add(Map.of(
                    "at",
                    "2026-11-0" + (9 - at) + "T14:20:40Z",
                    "result",
                    at == 0 ? "Refused" : "Published",
                    "because",
                    at == 0 ? HOSTILE : "the MachineDeployment has a new revision",
                    "fromRevision",
                    String.valueOf(6 - at),
                    "toRevision",
                    String.valueOf(7 - at),
                    "writes",
                    3,
                    "durationMilliseconds",
                    41));
        }
        return Map.of(
                "machineDeployment", machineDeployment("workers-a"),
                "problems", List.of(problem()),
                "wanted", source("7", "v2.4.0"),
                "published", !published ? Map.of() : pending ? source("6", "v2.3.1") : source("7", "v2.4.0"),
                "sizes",
                        List.of(Map.of(
                                "document",
                                "Bootstrap",
                                "bytes",
                                17_912,
                                "limitBytes",
                                16_384,
                                "limitOf",
                                "aws",
                                "largest",
                                List.of(
                                        Map.of("path", "/etc/ssl/certs/" + HOSTILE, "bytes", 11_204),
                                        Map.of("field", "spec.bootstrapConfig.files[1]", "bytes", 3_148)))),
                "history", history,
                "objects",
                        !published
                                ? List.of()
                                : List.of(Map.of(
                                        "role",
                                        "Bootstrap",
                                        "namespace",
                                        "cloud-init-settings",
                                        "name",
                                        "workers-a-kube-system-bootstrap-config",
                                        "state",
                                        connected ? "OlderKept" : "Current",
                                        "revision",
                                        "6",
                                        "bytes",
                                        6_708,
                                        "publishedAt",
                                        "2026-11-11T16:31:09Z")));
    }

    private static Map<String, Object> profileRef() {
        return Map.of(
                "cluster",
                "Management",
                "kind",
                "OperatingSystemProfile",
                "namespace",
                "osm-profiles",
                "name",
                "osp-ubuntu-hardened");
    }

    private static Map<String, Object> link(String name, String state, String summary) {
        Map<String, Object> link = new HashMap<>(
                Map.of("name", name, "state", state, "summary", summary, "since", "2026-11-21T10:02:11Z"));
        if (name.equals("Profile")) {
            link.put("object", profileRef());
        }
        return link;
    }

    private Map<String, Object> why() {
        boolean well = verdictOfWorkers.equals("Current");
        Map<String, Object> why = new LinkedHashMap<>();
        Map<String, Object> ref = Map.of(
                "cluster", "Worker", "kind", "MachineDeployment", "namespace", "kube-system", "name", "workers-a");
        why.put("subject", ref);
        why.put("machineDeployment", ref);
        why.put("newNodes", verdictOfWorkers);
        why.put("verdict", well ? "new nodes start" : "new nodes of kube-system/workers-a do not start");
        why.put("since", "2026-11-21T10:02:11Z");
        if (!well) {
            why.put("cause", problem());
            why.put("waitingMachines", List.of("workers-a-6d9c8f7b5-4xk2l", HOSTILE));
        }
        why.put(
                "links",
                List.of(
                        link("Profile", "Ok", "osm-profiles/osp-ubuntu-hardened v2.4.0"),
                        link("RenderedConfig", well ? "Ok" : "Broken", "17,912 B of 16,384 B"),
                        link("ProvisioningSecret", well ? "Ok" : "OlderKept", "revision 6"),
                        link(
                                "BootstrapSecret",
                                !connected ? "Unknown" : well ? "Ok" : "OlderKept",
                                "revision 6, machine-controller wants 7"),
                        link("BootstrapToken", "Ok", "78 min left"),
                        link("WorkerConnection", "Ok", "api.shop.example.org"),
                        link("MachineControllerPickUp", well ? "Ok" : "Waiting", "3 machines wait")));
        why.put("checkedAt", "2026-11-21T10:40:29Z");
        return why;
    }

    private Map<String, Object> rendered(String text) {
        return Map.of(
                "documents",
                List.of(Map.of(
                        "document",
                        "Bootstrap",
                        "format",
                        "cloud-config",
                        "bytes",
                        3_148,
                        "limitBytes",
                        16_384,
                        "redactions",
                        1,
                        "contentHash",
                        "9f41c07ad2e89f41c07ad2e8",
                        "text",
                        text)),
                "problems",
                List.of());
    }

    private Map<String, Object> profile() {
        Map<String, Object> profile = new LinkedHashMap<>();
        profile.put(
                "metadata",
                Map.of(
                        "namespace",
                        "osm-profiles",
                        "name",
                        "osp-ubuntu-hardened",
                        "uid",
                        "u",
                        "createdAt",
                        "2026-10-01T07:00:00Z"));
        profile.put("osName", "ubuntu");
        profile.put("osVersion", "24.04");
        profile.put("version", "v2.4.0");
        profile.put("templateEngine", "go");
        profile.put("provisioningUtility", "cloud-init");
        profile.put("supportedCloudProviders", List.of("aws", "azure"));
        profile.put(
                "valid",
                Map.of(
                        "type",
                        "Valid",
                        "status",
                        "False",
                        "reason",
                        "TemplateSyntaxError",
                        "message",
                        HOSTILE,
                        "lastTransitionTime",
                        "2026-10-01T07:00:01Z"));
        profile.put("usedBy", Map.of("workerClusters", 97, "machineDeployments", 412));
        return profile;
    }

    private Map<String, Object> profileDetail() {
        return Map.of(
                "profile", profile(),
                "files",
                        List.of(Map.of(
                                "document",
                                "Bootstrap",
                                "field",
                                "spec.bootstrapConfig.files[0]",
                                "path",
                                "/opt/bin/bootstrap",
                                "permissions",
                                "0755",
                                "templateBytes",
                                1_804)),
                "findings",
                        List.of(Map.of(
                                "severity",
                                "Error",
                                "rule",
                                "template-syntax",
                                "field",
                                "spec.provisioningConfig.files[6]",
                                "path",
                                "/opt/bin/setup",
                                "line",
                                12,
                                "column",
                                7,
                                "message",
                                "unknown template function \"toYamll\"",
                                "cure",
                                "did you mean \"toYaml\"?",
                                "excerpt",
                                "{{ toYamll . }}\n   ^ " + HOSTILE)));
    }

    private Map<String, Object> test() {
        return Map.of(
                "passed",
                false,
                "endpoint",
                "https://api.pay.example.org:6443",
                "kubernetesVersion",
                "v1.34.2",
                "checks",
                List.of(
                        Map.of("name", "Kubeconfig", "state", "Ok", "durationMilliseconds", 1),
                        Map.of(
                                "name",
                                "Permissions",
                                "state",
                                "Failed",
                                "reason",
                                "PermissionsMissing",
                                "message",
                                "19 of 21 permissions",
                                "cure",
                                "apply the worker role")),
                "permissions",
                List.of(
                        Map.of(
                                "verb",
                                "get",
                                "group",
                                "",
                                "resource",
                                "secrets",
                                "namespace",
                                "cloud-init-settings",
                                "allowed",
                                true),
                        Map.of(
                                "verb",
                                "patch",
                                "group",
                                "",
                                "resource",
                                "secrets",
                                "namespace",
                                "cloud-init-settings",
                                "allowed",
                                false)));
    }
}

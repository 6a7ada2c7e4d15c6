package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.KubeconfigRequest;
import io.osmhub.api.schema.LintReport;
import io.osmhub.api.schema.LintRequest;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.ObjectByName;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.PagedList;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.core.lint.MatrixFilter;
import io.osmhub.core.model.Sensitive;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Uses the hub's API, which authorizes the caller. */
public final class RestFleet implements FleetSource, RegistrationClient {
    private static final int PAGE = 500;

    private final RestClient client;

    private RestFleet(RestClient client) {
        this.client = client;
    }

    /** For other API requests. */
    public RestClient client() {
        return client;
    }

    static RestFleet open(FleetEndpoint remote, URI server) throws FleetFailure {
        return new RestFleet(RestClient.open(remote, server));
    }

    @Override
    public <T> List<T> list(FleetCollection<T> shelf, FleetListQuery query) throws FleetFailure {
        List<T> found = new ArrayList<>();
        String next = null;
        do {
            int left = query.limit() == 0 ? PAGE : Math.min(PAGE, query.limit() - found.size());
            PagedList<T> page = client.get(shelf.path(), parameters(query, left, next), shelf.page());
            found.addAll(page.items());
            next = page.next();
        } while (next != null && (query.limit() == 0 || found.size() < query.limit()));
        return List.copyOf(found);
    }

    /** The API's query parameters of a list. */
    static Map<String, String> parameters(FleetListQuery query, int limit, @Nullable String next) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("limit", Integer.toString(limit));
        put(parameters, "namespace", query.namespace());
        put(parameters, "labelSelector", query.labelSelector());
        query.fields().forEach((field, value) -> put(parameters, field, value));
        put(parameters, "search", query.search());
        put(parameters, "sort", query.sort());
        put(parameters, "continue", next == null ? "" : next);
        return parameters;
    }

    private static void put(Map<String, String> parameters, String name, String value) {
        if (!value.isEmpty()) {
            parameters.put(name, value);
        }
    }

    private static String path(String namespace, String name) throws FleetFailure {
        return "/namespaces/" + RestClient.segment(namespace) + "/worker-clusters/" + RestClient.segment(name);
    }

    @Override
    public WorkerClusterEntry workerCluster(String namespace, String name) throws FleetFailure {
        return client.get(path(namespace, name), Map.of(), WorkerClusterEntry.class);
    }

    @Override
    public OspDetail profile(String namespace, String name) throws FleetFailure {
        return client.get(
                "/namespaces/" + RestClient.segment(namespace) + "/osps/" + RestClient.segment(name),
                Map.of(),
                OspDetail.class);
    }

    @Override
    public OscDetail configuration(String namespace, String name) throws FleetFailure {
        return client.get(
                "/namespaces/" + RestClient.segment(namespace) + "/oscs/" + RestClient.segment(name),
                Map.of(),
                OscDetail.class);
    }

    private static String machineDeploymentPath(String tenant, String namespace, String name) throws FleetFailure {
        return "/namespaces/" + RestClient.segment(tenant) + "/machine-deployments/" + RestClient.segment(namespace)
                + "/" + RestClient.segment(name);
    }

    @Override
    public MachineDeploymentDetail machineDeployment(String tenant, String namespace, String name) throws FleetFailure {
        return client.get(machineDeploymentPath(tenant, namespace, name), Map.of(), MachineDeploymentDetail.class);
    }

    @Override
    public WhyReport why(String tenant, String namespace, String name) throws FleetFailure {
        return client.get(machineDeploymentPath(tenant, namespace, name) + "/why", Map.of(), WhyReport.class);
    }

    @Override
    public WhyReport whyMachine(String tenant, String namespace, String machine) throws FleetFailure {
        String path = "/namespaces/" + RestClient.segment(tenant) + "/machines/" + RestClient.segment(namespace) + "/"
                + RestClient.segment(machine) + "/why";
        return client.get(path, Map.of(), WhyReport.class);
    }

    @Override
    public DiffReport diff(DiffRequest request) throws FleetFailure {
        return client.send("POST", "/diff", Map.of(), request, DiffReport.class);
    }

    @Override
    public ProfileLintResult lint(String namespace, String name, MatrixFilter choice) throws FleetFailure {
        LintRequest request = new LintRequest(
                List.of(new ObjectByName(namespace, name)),
                wanted(choice.cloudProviders()),
                wanted(choice.kubernetesVersions()));
        return new ProfileLintResult.HubReport(client.send("POST", "/lint", Map.of(), request, LintReport.class));
    }

    private static @Nullable List<String> wanted(Set<String> chosen) {
        return chosen.isEmpty() ? null : chosen.stream().sorted().toList();
    }

    @Override
    public void follow(FollowOptions wanted, ChangeHandler receiver) throws FleetFailure {
        Map<String, String> parameters = new LinkedHashMap<>();
        put(parameters, "namespace", wanted.namespace());
        put(
                parameters,
                "kind",
                wanted.kinds().stream().map(ApiJson::word).sorted().collect(Collectors.joining(",")));
        new EventStreamFollower(client, parameters).follow(receiver);
    }

    @Override
    public RegistrationClient registrations() {
        return this;
    }

    @Override
    public RegistrationResult put(
            String namespace, String name, WorkerClusterRegistration registration, boolean mustBeNew)
            throws FleetFailure {
        return client.send(
                "PUT",
                path(namespace, name),
                mustBeNew ? Map.of("If-None-Match", "*") : Map.of(),
                registration,
                RegistrationResult.class);
    }

    @Override
    public WorkerClusterEntry patch(String namespace, String name, JsonNode patch) throws FleetFailure {
        return client.send("PATCH", path(namespace, name), Map.of(), patch, WorkerClusterEntry.class);
    }

    @Override
    public WorkerClusterEntry remove(String namespace, String name, boolean retain) throws FleetFailure {
        return client.send(
                "DELETE",
                path(namespace, name) + (retain ? "?deletionPolicy=Retain" : ""),
                Map.of(),
                null,
                WorkerClusterEntry.class);
    }

    @Override
    public TestReport test(String namespace, String name, @Nullable Sensitive kubeconfig) throws FleetFailure {
        return client.send(
                "POST",
                path(namespace, name) + "/test",
                Map.of(),
                kubeconfig == null ? null : new KubeconfigRequest(kubeconfig, null),
                TestReport.class);
    }

    @Override
    public RegistrationResult rotate(String namespace, String name, Sensitive kubeconfig, boolean scoped)
            throws FleetFailure {
        return client.send(
                "POST",
                path(namespace, name) + "/rotate",
                idempotencyHeader(),
                new KubeconfigRequest(kubeconfig, scoped ? true : null),
                RegistrationResult.class);
    }

    @Override
    public WorkerClusterEntry renew(String namespace, String name) throws FleetFailure {
        return client.send(
                        "POST",
                        path(namespace, name) + "/scoped-credential",
                        idempotencyHeader(),
                        null,
                        RegistrationResult.class)
                .workerCluster();
    }

    /** A unique key per action, so that a retransmitted request is executed once. */
    private static Map<String, String> idempotencyHeader() {
        return Map.of("Idempotency-Key", UUID.randomUUID().toString());
    }

    @Override
    public String describe() {
        return client.server();
    }

    @Override
    public void close() {
        client.close();
    }
}

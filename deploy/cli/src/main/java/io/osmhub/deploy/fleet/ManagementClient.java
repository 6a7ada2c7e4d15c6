package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.osmhub.api.registration.TestReportMapper;
import io.osmhub.api.registration.WorkerClusterMapper;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.TestedConnection;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registration.DuplicateCheck;
import io.osmhub.tenancy.registration.Registrar;
import io.osmhub.tenancy.registration.Registrar.RegistrationOutcome;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.CredentialRequest;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.RegistrationOptions;
import io.osmhub.tenancy.registration.RegistrationException;
import io.osmhub.tenancy.registration.TenantBinding;
import io.osmhub.tenancy.registration.TenantBinding.BindingResult;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The management cluster with the permissions of the kubeconfig's user, for what must work without a running hub. */
public final class ManagementClient implements RegistrationClient {
    /**
     * The command may use other addresses than the hub, whose policy it cannot read; the hub enforces that when it connects.
     * Kubeconfigs that run a program, read a file or weaken TLS are rejected here too.
     */
    private static final EgressPolicy ANY_ADDRESS = new EgressPolicy(
            new KubeconfigRules(
                    Set.of(Allowance.LOOPBACK, Allowance.LINK_LOCAL, Allowance.MANAGEMENT_CLUSTER),
                    List.of(),
                    List.of()),
            Set.of(),
            Set.of());

    private final CommandClients clients;
    private final ManagementAccess access;
    private final RequestObserver requests;
    private final ClientLimits limits;
    private final KubeApi managementApi;
    private final Registrar registrar;
    private final String hubNamespace;

    private ManagementClient(CommandClients clients, ManagementAccess access, FleetEndpoint remote) {
        this.clients = clients;
        this.access = access;
        this.requests = remote.observer(access);
        this.limits = ClientLimits.MANAGEMENT.withRequestTimeout(remote.timeout());
        this.managementApi = clients.pool()
                .management(access, limits, requests, ConnectionObserver.NONE)
                .api();
        this.registrar = new Registrar(
                managementApi,
                clients.tests(ANY_ADDRESS),
                namespace -> ANY_ADDRESS,
                Registrar.NamespaceAccess.NOT_REVIEWED,
                new DuplicateCheck(managementApi, this::registered, record -> true));
        this.hubNamespace = remote.tunnel().hubNamespace();
    }

    /** Opens the management cluster without sending a request. */
    public static ManagementClient open(FleetEndpoint remote) {
        ManagementAccess access = remote.management();
        return new ManagementClient(CommandClients.start(), access, remote);
    }

    ManagementAccess access() {
        return access;
    }

    /** The management cluster's API with the user's permissions. */
    public KubeApi management() {
        return managementApi;
    }

    /** fabric8's client with the same credential over the JDK's HTTP client, which can forward ports; the caller closes it. */
    KubernetesClient forwarding() {
        return clients.pool().forwarding(access, limits);
    }

    /** Validates a stored kubeconfig. {@code key} null for the usual ones. */
    public KubeconfigValidation validate(KubeconfigSecret secret, @Nullable String key) {
        return new KubeconfigValidator(ANY_ADDRESS)
                .validate(secret.namespace() + "/" + secret.name(), secret.data(), key);
    }

    /** Connects to a worker cluster from this machine and checks what the hub needs there. */
    public TestedConnection connect(ConnectionSubject subject, ValidatedKubeconfig kubeconfig) {
        return clients.tests(ANY_ADDRESS).test(subject, kubeconfig);
    }

    /** Timers and threads, for what runs while a command waits. */
    public RuntimeContext runtime() {
        return clients.runtime();
    }

    @Override
    public String describe() {
        return access.describe();
    }

    @Override
    public void close() {
        clients.close();
    }

    // Stored objects

    /** Stored objects, read with the user's permissions. */
    public ClusterClient objects() {
        return new ClusterClient(managementApi, describe(), false);
    }

    /** @param namespace empty for all */
    public List<JsonNode> list(Resource resource, String namespace) {
        return objects().listExisting(resource, namespace);
    }

    public void delete(Resource resource, ObjectMetadata head) {
        objects().delete(resource, head);
    }

    @Override
    public WorkerClusterEntry workerCluster(String namespace, String name) {
        return WorkerClusterMapper.of(get(Resource.WORKER_CLUSTERS, "WorkerCluster", namespace, name));
    }

    /** A stored profile as JSON, without the metadata that only the API server uses. */
    public String profile(String namespace, String name) {
        JsonNode object = get(Resource.OPERATING_SYSTEM_PROFILES, "OperatingSystemProfile", namespace, name);
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("managedFields", "annotations"));
        }
        return WireJson.text(object);
    }

    private JsonNode get(Resource resource, String kind, String namespace, String name) {
        JsonNode found = objects().get(resource, namespace, name);
        if (found != null) {
            return found;
        }
        List<String> names = list(resource, namespace).stream()
                .map(object -> object.at("/metadata/name").asText())
                .toList();
        String cure = SpellingSuggestion.findClosest(name, names)
                .map(near -> "did you mean " + near + "?")
                .orElse("check the name and the namespace");
        throw CommandFailure.notFound("no " + kind + " " + name + " in namespace " + namespace + "; " + cure);
    }

    // Registrations, by the service's code

    private List<WorkerClusterRecord> registered() throws ApiFailure {
        List<WorkerClusterRecord> all = new ArrayList<>();
        WireJson.response(managementApi.send(ApiRequest.list(Resource.WORKER_CLUSTERS, "", Map.of())), "JSON")
                .path("items")
                .forEach(object -> all.add(WorkerClusterRecord.of(object)));
        return all;
    }

    private interface RegistrationCall<T> {
        T run() throws RegistrationException, ApiFailure;
    }

    private <T> T run(RegistrationCall<T> act) {
        try {
            return act.run();
        } catch (RegistrationException e) {
            throw FailureMessages.of(e, "the kubeconfig");
        } catch (ApiFailure e) {
            throw FailureMessages.of(e, describe());
        }
    }

    @Override
    public RegistrationResult put(
            String namespace, String name, WorkerClusterRegistration registration, boolean mustBeNew, boolean dryRun) {
        JsonNode settings =
                registration.spec() == null ? null : ApiJson.client().valueToTree(registration.spec());
        RegistrationRequest order = new RegistrationRequest(
                namespace,
                name,
                new CredentialRequest(
                        registration.kubeconfig(),
                        registration.kubeconfigKey(),
                        Boolean.TRUE.equals(registration.scoped()),
                        Boolean.TRUE.equals(registration.skipTest())),
                registration.labels(),
                settings instanceof ObjectNode object ? object : null,
                RegistrationSource.CLI,
                new RegistrationOptions(mustBeNew, null, dryRun));
        return shown(run(() -> registrar.put(order)));
    }

    /** The RoleBinding that the hub needs in a tenant's namespace. */
    public TenantBinding binding(String namespace) {
        return new TenantBinding(namespace, hubNamespace);
    }

    /** Creates the RoleBinding unless it exists. */
    public BindingResult bind(TenantBinding binding) {
        return run(() -> binding.create(managementApi));
    }

    @Override
    public WorkerClusterEntry patch(String namespace, String name, JsonNode patch) {
        return WorkerClusterMapper.of(run(() -> registrar.patch(namespace, name, patch, RegistrationOptions.NONE)));
    }

    @Override
    public WorkerClusterEntry remove(String namespace, String name, boolean retain) {
        return WorkerClusterMapper.of(run(() ->
                registrar.remove(namespace, name, retain ? DeletionPolicy.RETAIN : null, RegistrationOptions.NONE)));
    }

    @Override
    public TestReport test(String namespace, String name, @Nullable Sensitive kubeconfig) {
        return TestReportMapper.of(run(() -> registrar.test(namespace, name, kubeconfig)));
    }

    @Override
    public RegistrationResult rotate(String namespace, String name, Sensitive kubeconfig, boolean scoped) {
        return shown(run(() -> registrar.rotate(namespace, name, kubeconfig, scoped, RegistrationOptions.NONE)));
    }

    /** Requests renewal by the serving hub, so that the user needs no permission to read the credential. */
    @Override
    public WorkerClusterEntry renew(String namespace, String name) {
        String now = Instant.now().toString();
        return WorkerClusterMapper.of(
                run(() -> registrar.annotate(namespace, name, WorkerClusterRecord.RENEW_REQUESTED, now)));
    }

    private static RegistrationResult shown(RegistrationOutcome registered) {
        return new RegistrationResult(
                WorkerClusterMapper.of(registered.workerCluster()),
                TestReportMapper.of(registered.report()),
                registered.stored());
    }
}

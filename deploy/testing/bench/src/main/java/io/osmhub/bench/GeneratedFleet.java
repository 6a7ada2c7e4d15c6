package io.osmhub.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Generates the API server's objects for a large fleet: every OperatingSystemConfig has all conditions and secrets and the maximum
 * history. Every 30th does not start nodes, every 40th tenant has a problem.
 */
final class GeneratedFleet {
    private static final String[] STATES = {"Unauthorized", "Unreachable", "Degraded"};
    private static final String[] PROVIDERS = {"aws", "azure", "openstack", "vsphere", "hetzner"};
    private static final String[] SYSTEMS = {"ubuntu", "flatcar", "rhel"};
    private static final String[] WORDS = {"shop", "pay", "search", "batch", "gpu", "edge", "media", "mail"};
    private static final int PROFILES = 60;

    private final int tenants;
    private final int configs;

    /** @param configs per tenant */
    GeneratedFleet(int tenants, int configs) {
        this.tenants = tenants;
        this.configs = configs;
    }

    int count(Resource resource) {
        return switch (resource) {
            case WORKER_CLUSTERS -> tenants;
            case OPERATING_SYSTEM_CONFIGS -> tenants * configs;
            case OPERATING_SYSTEM_PROFILES -> PROFILES;
            default -> 0;
        };
    }

    /** @param state selects one of several different texts */
    String object(Resource resource, int index, long version, int state) {
        return switch (resource) {
            case WORKER_CLUSTERS -> workerCluster(index, version, state);
            case OPERATING_SYSTEM_CONFIGS -> config(index, version, state);
            default -> profile(index, version);
        };
    }

    static String namespace(int tenant) {
        return format("cluster-%06x", tenant * 2654435761L & 0xFFFFFF);
    }

    private static String head(String namespace, String name, long index, long version, String rest) {
        return format(
                "\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s\",\"uid\":\"%08x-5d0c-4a0e-9a55-5a7f8f0f1a11\","
                        + "\"resourceVersion\":\"%d\",\"generation\":1,\"creationTimestamp\":\"2026-10-%02dT%02d:00:00Z\"%s}",
                namespace, name, index, version, 1 + index % 28, index % 24, rest);
    }

    private String workerCluster(int tenant, long version, int state) {
        boolean trouble = (tenant + state) % 40 == 0;
        String word = trouble ? STATES[tenant / 40 % STATES.length] : "Synced";
        String labels = format(
                ",\"labels\":{\"env\":\"%s\",\"team\":\"%s-%d\"}",
                tenant % 3 == 0 ? "prod" : "stage", WORDS[tenant % WORDS.length], tenant % 25);
        String problem = trouble
                ? format(
                        ",\"problemCount\":1,\"problems\":[{\"reason\":\"CredentialsRejected\",\"severity\":\"Error\",\"kind\":\"WorkerCluster\","
                                + "\"namespace\":\"%s\",\"name\":\"%s\",\"message\":\"%s: WorkerCluster: the API server refuses the credential (401);"
                                + " store a new kubeconfig: hub cluster rotate\",\"since\":\"2026-11-21T09:12:00Z\"}]",
                        namespace(tenant), name(tenant), namespace(tenant))
                : ",\"problemCount\":0";
        return format(
                "{%s,\"spec\":{\"kubeconfigSecretRef\":{\"name\":\"kubeconfig\"}},\"status\":{\"state\":\"%s\","
                        + "\"kubernetesVersion\":\"v1.%d.%d\",\"machineDeployments\":{\"total\":%d,\"current\":%d}%s,"
                        + "\"conditions\":[%s,%s,%s,%s]}}",
                head(namespace(tenant), name(tenant), tenant, version, labels),
                word,
                31 + tenant % 5,
                tenant % 9,
                configs,
                configs,
                problem,
                condition("Ready", "True", "Serving", namespace(tenant)),
                condition("CredentialsValid", "True", "CredentialsAccepted", namespace(tenant)),
                condition("Connected", "True", "ConnectionEstablished", namespace(tenant)),
                condition("Synced", "True", "MachineDeploymentsCurrent", namespace(tenant)));
    }

    private static String name(int tenant) {
        return WORDS[tenant % WORDS.length] + "-" + tenant;
    }

    private static String condition(String type, String status, String reason, String about) {
        return format(
                "{\"type\":\"%s\",\"status\":\"%s\",\"observedGeneration\":1,\"reason\":\"%s\","
                        + "\"message\":\"%s: a sentence as long as these mostly are, with the object that it is about\","
                        + "\"lastTransitionTime\":\"2026-11-03T14:20:40Z\"}",
                type, status, reason, about);
    }

    private String config(int index, long version, int state) {
        int tenant = index / configs;
        String deployment = WORDS[index % WORDS.length] + "-workers-" + index % configs;
        String name = deployment + "-kube-system-config";
        boolean blocked = (index + state) % 30 == 0;
        String annotations = format(
                ",\"annotations\":{\"k8c.io/osp-version\":\"v1.4.%d\",\"k8c.io/machine-deployment-revision\":\"7\","
                        + "\"osmhub.io/machine-deployment\":\"kube-system/%s\",\"osmhub.io/machine-deployment-uid\":\"%08x-uid\"}",
                index % 9, deployment, index);
        StringBuilder history = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            history.append(i == 0 ? "" : ",")
                    .append(format(
                            "{\"time\":\"2026-11-%02dT14:20:40Z\",\"result\":\"Published\",\"because\":\"the profile changed\","
                                    + "\"fromRevision\":\"6\",\"toRevision\":\"7\",\"writes\":3,\"durationMilliseconds\":%d}",
                            1 + i, 30 + index % 50));
        }
        StringBuilder secrets = new StringBuilder();
        for (String role : new String[] {"Bootstrap", "Provisioning", "KubeletBootstrap", "BootstrapToken"}) {
            secrets.append(secrets.isEmpty() ? "" : ",")
                    .append(format(
                            "{\"role\":\"%s\",\"namespace\":\"cloud-init-settings\",\"name\":\"%s-kube-system-%s-config\",\"state\":\"Current\","
                                    + "\"revision\":\"7\",\"bytes\":%d,\"publishedTime\":\"2026-11-03T14:20:40Z\"}",
                            role, deployment, role.toLowerCase(Locale.ROOT), 4000 + index % 9000));
        }
        return format(
                "{%s,\"spec\":{\"osName\":\"%s\",\"osVersion\":\"24.04\",\"cloudProvider\":{\"name\":\"%s\"}},\"status\":{\"observedGeneration\":1,"
                        + "\"newNodes\":\"%s\",\"conditions\":[%s],\"source\":{\"machineDeployment\":{\"namespace\":\"kube-system\","
                        + "\"name\":\"%s\",\"uid\":\"%08x-uid\",\"revision\":\"7\"},\"profile\":{\"namespace\":\"osm-profiles\",\"name\":\"osp-%d\","
                        + "\"version\":\"v1.4.0\",\"contentHash\":\"%064x\"},\"templateEngine\":\"go\",\"settingsHash\":\"%064x\","
                        + "\"contentHash\":\"%064x\",\"time\":\"2026-11-%02dT%02d:20:40Z\"},\"secrets\":[%s],\"history\":[%s]}}",
                head(namespace(tenant), name, index, version, annotations),
                SYSTEMS[index % SYSTEMS.length],
                PROVIDERS[tenant % PROVIDERS.length],
                blocked ? "Blocked" : "Current",
                conditions(blocked, name),
                deployment,
                index,
                index % PROFILES,
                index % PROFILES,
                tenant,
                index,
                1 + index % 20,
                index % 24,
                secrets,
                history);
    }

    private static String conditions(boolean blocked, String name) {
        String status = blocked ? "False" : "True";
        return String.join(
                ",",
                condition("Ready", status, blocked ? "UserDataTooLarge" : "Available", name),
                condition("Rendered", "True", "RenderedFromProfile", name),
                condition("Published", status, blocked ? "UserDataTooLarge" : "SecretsPublished", name),
                condition("TokenValid", "True", "TokenRenewed", name),
                condition("ProfileValid", "True", "ProfileFound", name),
                condition("ConfigAccepted", status, blocked ? "UserDataTooLarge" : "RenderedFromProfile", name),
                condition("ProvisioningSecretPublished", "True", "SecretsPublished", name),
                condition("BootstrapSecretPublished", "True", "SecretsPublished", name),
                condition("PickedUp", "True", "RevisionPublished", name));
    }

    private static String profile(int index, long version) {
        return format(
                "{%s,\"spec\":{\"osName\":\"ubuntu\",\"version\":\"v1.4.0\"},\"status\":{\"conditions\":[%s]}}",
                head("osm-profiles", "osp-" + index, index, version, ""),
                condition("Valid", "True", "TemplatesVerified", "osp-" + index));
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's own, and not a dependency
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** A management cluster that generates its objects on each list, so that they use no memory. */
    static final class GeneratedServer implements ServerHandler {
        private static final int PAGE = 500;

        private final GeneratedFleet fleet;
        private final Map<Resource, WatchLineHandler> watches = new EnumMap<>(Resource.class);
        private long version = 1_000_000;

        GeneratedServer(GeneratedFleet fleet) {
            this.fleet = fleet;
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            String from = request.query().getOrDefault("continue", "");
            int start = from.isEmpty() ? 0 : Integer.parseInt(from);
            int count = fleet.count(request.resource());
            int end = Math.min(count, start + PAGE);
            List<String> items = new ArrayList<>(end - start);
            for (int i = start; i < end; i++) {
                items.add(fleet.object(request.resource(), i, i + 1, 0));
            }
            String next = end < count ? ",\"continue\":\"" + end + "\"" : "";
            return ("{\"metadata\":{\"resourceVersion\":\"1000000\"" + next + "},\"items\":[" + String.join(",", items)
                            + "]}")
                    .getBytes(UTF_8);
        }

        @Override
        public synchronized Watch watch(ApiRequest request, WatchLineHandler lines) {
            watches.put(request.resource(), lines);
            lines.onOpened();
            return () -> {};
        }

        /** Sends an object's new state; returns whether it is watched. */
        synchronized boolean change(Resource resource, int index, int state) {
            WatchLineHandler lines = watches.get(resource);
            if (lines != null) {
                version++;
                lines.onLine(
                        ("{\"type\":\"MODIFIED\",\"object\":" + fleet.object(resource, index, version, state) + "}")
                                .getBytes(UTF_8),
                        UnaryOperator.identity());
            }
            return lines != null;
        }
    }
}

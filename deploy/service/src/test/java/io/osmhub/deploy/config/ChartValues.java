package io.osmhub.deploy.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.NameRules.NamespaceName;
import io.osmhub.core.resource.NameRules.ObjectName;
import io.osmhub.core.schema.FieldAnnotations.AllowedValues;
import io.osmhub.core.schema.FieldAnnotations.DefaultValue;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.NumberLimits;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import io.osmhub.core.schema.FieldAnnotations.UniqueItems;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;

/** The values of the Helm chart: source of its schema, its default values and its reference. */
record ChartValues(
        @FieldDescription(
                "What to install: the hub for a management cluster, the hub for a single cluster that is also its own worker cluster (as with KubeOne), or only the hub's permissions in a worker cluster.")
        @DefaultValue("Management")
        @AllowedValues({"Management", "Single", "Worker"})
        String mode,

        @DefaultValue("{}") Image image,

        @FieldDescription("Number of replicas. They share the tenants.")
        @DefaultValue("2")
        @NumberLimits(min = 1, max = 100)
        int replicas,

        @FieldDescription("Requests and limits of a replica, from the table Sizing in docs/performance.md.")
        @DefaultValue("Small")
        @AllowedValues({"Small", "Medium", "Large"})
        String size,

        @FieldDescription("Requests and limits in place of those of size.") @DefaultValue("{}")
        Resources resources,

        @FieldDescription(
                "Configuration of the hub: keys of docs/reference/configuration.md. Ports, strategy and namespaces follow from it.")
        @DefaultValue("{}")
        HubConfiguration config,

        @DefaultValue("{}") Labels labels,
        @DefaultValue("{}") ServiceAccount serviceAccount,
        @DefaultValue("{}") Tenants tenants,
        @DefaultValue("{}") Namespace namespace,
        @DefaultValue("{}") Profiles profiles,
        @DefaultValue("{}") Definitions crds,
        @DefaultValue("{}") Roles roles,
        @DefaultValue("{}") Webhooks webhooks,
        @DefaultValue("{}") AdmissionPolicies admissionPolicies,
        @DefaultValue("{}") Service service,
        @DefaultValue("{}") Ingress ingress,
        @DefaultValue("{}") Gateway gateway,
        @DefaultValue("{}") NetworkPolicy networkPolicy,
        @DefaultValue("{}") Monitoring monitoring,
        @DefaultValue("{}") Pod pod,
        @DefaultValue("{}") Worker worker) {

    /** An amount of a resource; a number is one too. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @TextLimits(
            format = "size",
            pattern = "^[0-9]+([.][0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$",
            form = "a quantity, such as 250m or 512Mi")
    @interface Quantity {}

    record Image(
            @FieldDescription(
                    "Image without tag. Required, except in the chart of a release, which names its own image.")
            @DefaultValue("")
            String repository,

            @FieldDescription("Tag; if empty, the version of the chart.")
            @DefaultValue("")
            @TextLimits(pattern = "^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$")
            String tag,

            @FieldDescription("Digest in place of the tag.")
            @DefaultValue("")
            @TextLimits(pattern = "^(sha256:[0-9a-f]{64})?$")
            String digest,

            @FieldDescription("When nodes pull the image.")
            @DefaultValue("IfNotPresent")
            @AllowedValues({"Always", "IfNotPresent", "Never"})
            String pullPolicy,

            @FieldDescription("Names of Secrets in the hub's namespace with credentials of the registry.")
            @DefaultValue("[]")
            List<@ObjectName String> pullSecrets) {}

    record Resources(
            @FieldDescription("Requests of a replica.") @DefaultValue("{}")
            Map<String, @Quantity String> requests,

            @FieldDescription("Limits of a replica.") @DefaultValue("{}")
            Map<String, @Quantity String> limits) {}

    record Labels(
            @FieldDescription(
                    "Whether objects have the labels instance, version and managed-by of app.kubernetes.io, and helm.sh/chart.")
            @DefaultValue("true")
            boolean standard,

            @FieldDescription("More labels of all objects and pods.") @DefaultValue("{}")
            Map<String, String> common) {}

    record ServiceAccount(
            @FieldDescription("Annotations of the hub's account, for example for a cloud's workload identity.")
            @DefaultValue("{}")
            Map<String, String> annotations) {}

    record Ingress(
            @FieldDescription("Host names of API and console; if empty, there is no Ingress.") @DefaultValue("[]")
            List<String> hosts,

            @FieldDescription("Class of the Ingress; if empty, the cluster's default.") @DefaultValue("")
            String className,

            @FieldDescription("Name of a Secret with the certificate of the hosts.") @DefaultValue("")
            String tlsSecret,

            @FieldDescription(
                    "Its annotations. The controller must connect to the hub by HTTPS, for example nginx.ingress.kubernetes.io/backend-protocol: HTTPS.")
            @DefaultValue("{}")
            Map<String, String> annotations) {}

    record Gateway(
            @FieldDescription("Gateways for API and console, as in a TLSRoute; if empty, there is none.")
            @DefaultValue("[]")
            List<JsonNode> parentRefs,

            @FieldDescription("Host names, which the certificate of config.api.tls must be for.") @DefaultValue("[]")
            List<String> hostnames,

            @FieldDescription("Version of TLSRoute that the cluster serves.")
            @DefaultValue("v1")
            @AllowedValues({"v1", "v1alpha3", "v1alpha2"})
            String version) {}

    record Tenants(
            @FieldDescription(
                    "Namespaces of tenants in which the hub may access Secrets and ConfigMaps, by a RoleBinding in each. The namespaces must exist.")
            @DefaultValue("[]")
            @UniqueItems
            List<@NamespaceName String> namespaces,

            @FieldDescription("Whether the hub may access Secrets and ConfigMaps in all namespaces instead.")
            @DefaultValue("false")
            boolean allNamespaces) {}

    record Namespace(
            @FieldDescription(
                    "Whether the chart contains the hub's namespace, labelled for restricted pods. For kubectl apply; helm install creates it with --create-namespace.")
            @DefaultValue("false")
            boolean create) {}

    record Profiles(
            @FieldDescription("Whether to create the namespace of the shared profiles. It is kept on uninstall.")
            @DefaultValue("true")
            boolean createNamespace,

            @FieldDescription(
                    "Groups of users who may read the shared profiles. Without it, tenants cannot see the profiles that their machines use.")
            @DefaultValue("[\"system:authenticated\"]")
            List<String> readers) {}

    record Definitions(
            @FieldDescription(
                    "Whether to install and upgrade the CustomResourceDefinitions. Those of other owners are never changed. They are kept on uninstall.")
            @DefaultValue("true")
            boolean install) {}

    record Roles(
            @FieldDescription(
                    "Whether to create the roles osmhub.io:viewer, osmhub.io:tenant-editor and osmhub.io:operator.")
            @DefaultValue("true")
            boolean create,

            @FieldDescription("Whether they extend the roles view, edit and admin of Kubernetes.") @DefaultValue("true")
            boolean aggregate) {}

    record Webhooks(
            @FieldDescription("Whether to create the webhook configurations of this cluster.") @DefaultValue("true")
            boolean install,

            @DefaultValue("{}") Service service) {}

    record AdmissionPolicies(
            @FieldDescription(
                    "Whether to create the ValidatingAdmissionPolicies, which hold while the hub is unavailable: a rendered configuration is immutable, and a changed profile needs a new version.")
            @DefaultValue("true")
            boolean create) {}

    record Service(
            @FieldDescription("Type of the Service.")
            @DefaultValue("ClusterIP")
            @AllowedValues({"ClusterIP", "NodePort", "LoadBalancer"})
            String type,

            @FieldDescription("Its annotations.") @DefaultValue("{}")
            Map<String, String> annotations) {}

    record NetworkPolicy(
            @FieldDescription("Whether to create a NetworkPolicy.") @DefaultValue("true")
            boolean create,

            @FieldDescription("Peers that may connect to API and console; if empty, all.") @DefaultValue("[]")
            List<JsonNode> apiFrom,

            @FieldDescription("Peers that may read metrics; if empty, all.") @DefaultValue("[]")
            List<JsonNode> metricsFrom,

            @FieldDescription("Peers that may call the webhooks, such as API servers; if empty, all.")
            @DefaultValue("[]")
            List<JsonNode> webhooksFrom,

            @FieldDescription(
                    "Rules for outgoing connections; if empty, all are permitted. They must permit DNS, the API servers of all tenants and the OIDC provider.")
            @DefaultValue("[]")
            List<JsonNode> egress) {}

    record Monitoring(
            @FieldDescription(
                    "How Prometheus finds the replicas: by annotations of the pods, or by an object of Prometheus Operator, whose CustomResourceDefinitions must exist.")
            @DefaultValue("Annotations")
            @AllowedValues({"None", "Annotations", "PodMonitor", "ServiceMonitor"})
            String scrape,

            @FieldDescription("Interval of a PodMonitor or ServiceMonitor.")
            @DefaultValue("30s")
            @TextLimits(pattern = "^([0-9]+(ms|s|m|h))+$")
            String interval,

            @FieldDescription(
                    "Address of the documentation that alerts link to, for example https://hub.example.org/docs; if empty, that of the hub's Service.")
            @DefaultValue("")
            String documentationURL,

            @FieldDescription("Labels of monitoring objects, such as those that Prometheus selects.")
            @DefaultValue("{}")
            Map<String, String> labels,

            @FieldDescription("Whether to create a PrometheusRule with the alert rules.") @DefaultValue("false")
            boolean prometheusRule,

            @FieldDescription("Whether to create a ConfigMap with the dashboard, with label grafana_dashboard.")
            @DefaultValue("false")
            boolean dashboard) {}

    record Pod(
            @FieldDescription("More labels.") @DefaultValue("{}")
            Map<String, String> labels,

            @FieldDescription("More annotations.") @DefaultValue("{}")
            Map<String, String> annotations,

            @FieldDescription("Labels that its nodes must have.") @DefaultValue("{}")
            Map<String, String> nodeSelector,

            @FieldDescription("Tolerations, as in a pod.") @DefaultValue("[]")
            List<JsonNode> tolerations,

            @FieldDescription("Affinity, as in a pod.") @DefaultValue("{}")
            JsonNode affinity,

            @FieldDescription("Name of a PriorityClass.") @DefaultValue("")
            String priorityClassName,

            @FieldDescription(
                    "Name of a Secret whose keys are files in /etc/osm-hub-files, for example the client secret and the CA of config.api.oidc.")
            @DefaultValue("")
            String filesSecret,

            @FieldDescription("More environment variables, as in a container.") @DefaultValue("[]")
            List<JsonNode> env,

            @FieldDescription("More volumes, as in a pod.") @DefaultValue("[]")
            List<JsonNode> volumes,

            @FieldDescription("Where they are mounted, as in a container.") @DefaultValue("[]")
            List<JsonNode> volumeMounts,

            @FieldDescription(
                    "Whether the pods run as user 65532. Set to false where the cluster assigns a user, as OpenShift does.")
            @DefaultValue("true")
            boolean fixedUser) {}

    record Worker(
            @FieldDescription(
                    "In modes Worker and Single: whether to create the namespace cloud-init-settings and the account with which nodes fetch. KKP and KubeOne create them.")
            @DefaultValue("false")
            boolean prerequisites,

            @FieldDescription("In modes Worker and Single: whether the hub's account may renew its own token.")
            @DefaultValue("false")
            boolean renew,

            @FieldDescription(
                    "In modes Worker and Single: whether the hub may manage its webhook configuration in the worker cluster.")
            @DefaultValue("false")
            boolean admission,

            @FieldDescription(
                    "In modes Worker and Single: whether the hub may create an account and a token for each MachineDeployment.")
            @DefaultValue("false")
            boolean scopedFetch) {}
}

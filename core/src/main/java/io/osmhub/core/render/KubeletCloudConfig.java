package io.osmhub.core.render;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.json.RawJson;
import io.osmhub.core.machine.CloudProviderSpec;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.model.UrlHost;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides which cloud config a kubelet gets: none since 1.29 or with an external cloud controller manager. */
final class KubeletCloudConfig {
    /** Providers whose cloud controller manager was part of Kubernetes. */
    private static final Set<String> WITH_IN_TREE_MANAGER = Set.of("aws", "azure", "gce", "vsphere");

    private static final Set<String> WITHOUT_CONFIG = Set.of(
            "alibaba",
            "anexia",
            "digitalocean",
            "hetzner",
            "linode",
            "scaleway",
            "nutanix",
            "vmware-cloud-director",
            "opennebula",
            "edge",
            "baremetal");
    private static final Set<String> WITH_CREDENTIAL = Set.of("azure", "openstack", "vsphere", "kubevirt");
    private static final VersionConstraint WITHOUT_IN_TREE = KubeletVersion.constraint(">= 1.29");

    private KubeletCloudConfig() {}

    static boolean isInTreeManagerAvailable(ProviderConfig config, boolean external) {
        return !external && WITH_IN_TREE_MANAGER.contains(config.cloudProvider());
    }

    /** Whether the provider's whole text is a credential. */
    static boolean holdsCredential(ProviderConfig config) {
        return WITH_CREDENTIAL.contains(config.cloudProvider());
    }

    /** @throws TenantMistake if a text is required and cannot be rendered */
    static String text(
            MachineDeployment machineDeployment,
            ProviderConfig config,
            KubeletVersion version,
            boolean external,
            ReferenceResolver references,
            Map<String, String> environment) {
        if (config.overwriteCloudConfig() != null) {
            return config.overwriteCloudConfig();
        }
        if (external || version.satisfies(WITHOUT_IN_TREE) || WITHOUT_CONFIG.contains(config.cloudProvider())) {
            return "";
        }
        if (!InTreeCloudConfig.PROVIDERS.contains(config.cloudProvider())) {
            throw new TenantMistake(new ProblemFinding(
                    "CloudProviderUnknown",
                    machineDeployment.describe(),
                    "providerSpec.value.cloudProvider",
                    "no in-tree cloud config for \"" + config.cloudProvider() + "\" with kubelet "
                            + machineDeployment.kubeletVersion(),
                    "use kubelet 1.29 or newer, or externalCloudProvider"));
        }
        CloudProviderSpec spec = CloudProviderSpec.of(machineDeployment, config, references, environment);
        return new InTreeCloudConfig(spec, version).text(config.cloudProvider());
    }

    /** The kubelet's version, read leniently: {@code 1.33} is {@code v1.33.0}. */
    record KubeletVersion(SemanticVersion version) {
        private static final String FIELD = "spec.template.spec.versions.kubelet";

        /** The version; null if invalid, with a finding added. */
        static @Nullable KubeletVersion read(MachineDeployment machineDeployment, List<ProblemFinding> findings) {
            try {
                return new KubeletVersion(SemanticVersion.parse(machineDeployment.kubeletVersion()));
            } catch (InvalidVersionException e) {
                findings.add(new ProblemFinding(
                        "KubeletVersionInvalid",
                        machineDeployment.describe(),
                        FIELD,
                        "\"" + machineDeployment.kubeletVersion() + "\" is not a version (" + e.text() + ")",
                        "write for example 1.34.2"));
                return null;
            }
        }

        /** The text for templates. */
        String text() {
            return "v" + version;
        }

        /** Whether it satisfies a constraint. A pre-release never satisfies a constraint without one, as in the template function. */
        boolean satisfies(VersionConstraint constraint) {
            return constraint.allows(version);
        }

        /** Whether its numbers satisfy a constraint; a pre-release counts as its release. */
        boolean satisfiesIgnoringPrerelease(VersionConstraint constraint) {
            return constraint.allows(
                    new SemanticVersion(version.major(), version.minor(), version.patch(), "", "", version.original()));
        }

        static VersionConstraint constraint(String text) {
            try {
                return VersionConstraint.parse(text);
            } catch (InvalidVersionException e) {
                throw new IllegalArgumentException(text, e);
            }
        }
    }

    /** The files with which kubelets before 1.29 access their cloud. Texts are byte for byte those of OSM. */
    private static final class InTreeCloudConfig {
        static final Set<String> PROVIDERS = Set.of("aws", "azure", "gce", "kubevirt", "openstack", "vsphere");

        /** The fields of a provider's settings that OSM decodes as strings and booleans. */
        private record Form(List<String> texts, List<String> bools) {}

        private static final Map<String, Form> FORMS = Map.of(
                "aws",
                new Form(List.of("availabilityZone", "vpcId", "subnetId"), List.of()),
                "azure",
                new Form(
                        List.of(
                                "subscriptionID",
                                "tenantID",
                                "clientID",
                                "clientSecret",
                                "location",
                                "resourceGroup",
                                "vnetResourceGroup",
                                "vnetName",
                                "subnetName",
                                "loadBalancerSku",
                                "routeTableName",
                                "availabilitySet",
                                "securityGroupName"),
                        List.of()),
                "gce",
                new Form(List.of("serviceAccount", "zone", "network", "subnetwork"), List.of("multizone", "regional")),
                "openstack",
                new Form(
                        List.of(
                                "identityEndpoint",
                                "username",
                                "password",
                                "applicationCredentialID",
                                "applicationCredentialSecret",
                                "domainName",
                                "projectName",
                                "projectID",
                                "tenantName",
                                "tenantID",
                                "tokenId",
                                "region"),
                        List.of("trustDevicePath")),
                "vsphere",
                new Form(
                        List.of(
                                "templateVMName",
                                "vmNetName",
                                "username",
                                "password",
                                "vsphereURL",
                                "datacenter",
                                "cluster",
                                "folder",
                                "datastoreCluster",
                                "datastore"),
                        List.of("allowInsecure")));

        private static final VersionConstraint MANAGES_SECURITY_GROUPS =
                KubeletVersion.constraint("~1.9.10 || ~1.10.6 || ~1.11.1 || >=1.12.*");
        private static final VersionConstraint IGNORES_VOLUME_ZONE = KubeletVersion.constraint(">=1.9");

        private final CloudProviderSpec spec;
        private final KubeletVersion version;

        InTreeCloudConfig(CloudProviderSpec spec, KubeletVersion version) {
            this.spec = spec;
            this.version = version;
        }

        String text(String provider) {
            Form form = FORMS.get(provider);
            if (form != null) {
                spec.requireTypes(form.texts(), form.bools());
            }
            return switch (provider) {
                case "aws" -> aws();
                case "azure" -> azure();
                case "gce" -> gce();
                case "kubevirt" -> kubevirt();
                case "openstack" -> openstack();
                case "vsphere" -> vsphere();
                default -> throw new IllegalArgumentException(provider);
            };
        }

        private String aws() {
            String zone = spec.text("availabilityZone");
            String vpc = spec.text("vpcId");
            String subnet = spec.text("subnetId");
            return "[global]\nZone=" + quote(zone) + "\nVPC=" + quote(vpc) + "\nSubnetID=" + quote(subnet) + "\n";
        }

        private String gce() {
            String project = projectId(spec.textOrEnvironment("serviceAccount", "GOOGLE_SERVICE_ACCOUNT"));
            StringBuilder text = new StringBuilder("[global]\n");
            line(text, "project-id", project);
            line(text, "local-zone", spec.text("zone"));
            line(text, "network-name", spec.text("network"));
            line(text, "subnetwork-name", spec.text("subnetwork"));
            text.append("multizone = ").append(spec.bool("multizone")).append('\n');
            text.append("regional = ").append(spec.bool("regional")).append('\n');
            for (String tag : spec.plainTexts("tags")) {
                line(text, "node-tags", tag);
            }
            return text.toString();
        }

        private String projectId(String serviceAccount) {
            String expected = "the base64 text of a service account's JSON";
            String bytes = base64(serviceAccount);
            if (bytes == null) {
                throw spec.credentialMistake(
                        "serviceAccount", "failed to decode base64 service account: illegal base64 data", expected);
            }
            try {
                RawJson json = RawJson.parse(GoString.text(bytes));
                String project = "";
                boolean texts = json instanceof RawJson.RawObject || json.isNull();
                if (json instanceof RawJson.RawObject object) {
                    for (RawJson.Member member : object.members()) {
                        texts &= member.value() instanceof RawJson.RawString
                                || member.value().isNull();
                        if (member.name().equals("project_id") && member.value() instanceof RawJson.RawString text) {
                            project = text.value();
                        }
                    }
                }
                if (texts) {
                    return project;
                }
            } catch (RawJson.MalformedJsonException e) {
                // Reported below; the parser's message may show part of the credential.
            }
            throw spec.credentialMistake("serviceAccount", "is not a JSON object of strings", expected);
        }

        private String azure() {
            String tenant = spec.textOrEnvironment("tenantID", "AZURE_TENANT_ID");
            String subscription = spec.textOrEnvironment("subscriptionID", "AZURE_SUBSCRIPTION_ID");
            String client = spec.textOrEnvironment("clientID", "AZURE_CLIENT_ID");
            String clientSecret = spec.textOrEnvironment("clientSecret", "AZURE_CLIENT_SECRET");
            String availabilitySet = spec.text("availabilitySet");
            boolean assign = !Boolean.FALSE.equals(spec.plainBool("assignAvailabilitySet"));
            return new JsonWriter()
                    .beginObject()
                    .field("cloud", "AZUREPUBLICCLOUD")
                    .field("tenantId", tenant)
                    .field("subscriptionId", subscription)
                    .field("aadClientId", client)
                    .field("aadClientSecret", clientSecret)
                    .field("resourceGroup", spec.text("resourceGroup"))
                    .field("location", spec.text("location"))
                    .field("vnetName", spec.text("vnetName"))
                    .field("subnetName", spec.text("subnetName"))
                    .field("routeTableName", spec.text("routeTableName"))
                    .field("securityGroupName", spec.text("securityGroupName"))
                    .field("primaryAvailabilitySetName", assign ? availabilitySet : "")
                    .field("vnetResourceGroup", spec.text("vnetResourceGroup"))
                    .key("useInstanceMetadata")
                    .value(true)
                    .field("loadBalancerSku", spec.text("loadBalancerSku"))
                    .endObject()
                    .toString();
        }

        private String openstack() {
            String url = spec.textOrEnvironment("identityEndpoint", "OS_AUTH_URL");
            String region = spec.textOrEnvironment("region", "OS_REGION_NAME");
            String applicationId = spec.textOrEnvironment("applicationCredentialID", "OS_APPLICATION_CREDENTIAL_ID");
            StringBuilder text = new StringBuilder("[Global]\n");
            line(text, "auth-url   ", url);
            if (applicationId.isEmpty()) {
                line(text, "username   ", spec.textOrEnvironment("username", "OS_USER_NAME"));
                line(text, "password   ", spec.textOrEnvironment("password", "OS_PASSWORD"));
                line(text, "tenant-name", either("projectName", "OS_PROJECT_NAME", "tenantName", "OS_TENANT_NAME"));
                line(text, "tenant-id  ", either("projectID", "OS_PROJECT_ID", "tenantID", "OS_TENANT_ID"));
                line(text, "domain-name", spec.textOrEnvironment("domainName", "OS_DOMAIN_NAME"));
            } else {
                line(text, "application-credential-id    ", applicationId);
                line(
                        text,
                        "application-credential-secret",
                        spec.textOrEnvironment("applicationCredentialSecret", "OS_APPLICATION_CREDENTIAL_SECRET"));
            }
            line(text, "region     ", region);
            text.append("\n[LoadBalancer]\n");
            if (version.satisfies(MANAGES_SECURITY_GROUPS)) {
                text.append("manage-security-groups = true\n");
            }
            text.append("\n[BlockStorage]\n");
            if (version.satisfies(IGNORES_VOLUME_ZONE)) {
                text.append("ignore-volume-az  = true\n");
            }
            text.append("trust-device-path = ")
                    .append(spec.bool("trustDevicePath"))
                    .append('\n');
            text.append("bs-version        = \"auto\"\n");
            long attachLimit = spec.unsigned("nodeVolumeAttachLimit");
            if (attachLimit != 0) {
                text.append("node-volume-attach-limit = ")
                        .append(Long.toUnsignedString(attachLimit))
                        .append('\n');
            }
            return text.toString();
        }

        private String either(String field, String variable, String olderField, String olderVariable) {
            String value = spec.textOrEnvironment(field, variable);
            return value.isEmpty() ? spec.textOrEnvironment(olderField, olderVariable) : value;
        }

        private String vsphere() {
            String user = spec.textOrEnvironment("username", "VSPHERE_USERNAME");
            String password = spec.textOrEnvironment("password", "VSPHERE_PASSWORD");
            String address = spec.textOrEnvironment("vsphereURL", "VSPHERE_ADDRESS");
            boolean insecure = spec.boolOrEnvironment("allowInsecure", "VSPHERE_ALLOW_INSECURE");
            String datacenter = spec.text("datacenter");
            // Not written, but an unresolved reference is an error in OSM too.
            spec.text("cluster");
            String folder = spec.text("folder");
            String datastore = spec.text("datastore");
            if (datastore.isEmpty()) {
                datastore = spec.text("datastoreCluster");
            }
            UrlHost url = vsphereUrl(address.startsWith("https://") ? address : "https://" + address);
            String host = url.name();
            StringBuilder text = new StringBuilder("[Global]\n");
            line(text, "user             ", user);
            line(text, "password         ", password);
            line(text, "port             ", url.port());
            text.append("insecure-flag     = ")
                    .append(insecure)
                    .append("\n\n[Disk]\nscsicontrollertype = \"pvscsi\"\n\n");
            text.append("[Workspace]\n");
            line(text, "server           ", host);
            line(text, "datacenter       ", datacenter);
            line(text, "folder           ", folder.isEmpty() ? "/" + datacenter + "/vm" : folder);
            line(text, "default-datastore", datastore);
            text.append("\n\n[VirtualCenter ").append(quote(host)).append("]\n");
            line(text, "user", user);
            line(text, "password", password);
            text.append("port = ").append(url.port()).append('\n');
            line(text, "datacenters", datacenter);
            return text.append('\n').toString();
        }

        private UrlHost vsphereUrl(String url) {
            UrlHost host = UrlHost.parse(url);
            if (host == null) {
                // Omits the URL, which may hold a password or come from a Secret.
                throw spec.credentialMistake("vsphereURL", "is not a valid URL", "a URL with host and port");
            }
            return host;
        }

        private String kubevirt() {
            CloudProviderSpec auth = spec.object("auth");
            String direct = auth.directText("kubeconfig");
            String value = direct.isEmpty() ? auth.textOrEnvironment("kubeconfig", "KUBEVIRT_KUBECONFIG") : direct;
            String decoded = base64(value);
            if (decoded == null && !direct.isEmpty()) {
                throw auth.credentialMistake(
                        "kubeconfig",
                        "failed to decode base64 encoded kubeconfig: illegal base64 data",
                        "the base64 text of a kubeconfig");
            }
            // From other sources it may be the kubeconfig itself.
            String kubeconfig = decoded == null ? GoString.bytes(value) : decoded;
            String namespace = spec.environment("POD_NAMESPACE");
            GoMap global = GoMap.of(Map.of(
                    GoString.of("kubeconfig"),
                    GoString.ofBytes(kubeconfig),
                    GoString.of("namespace"),
                    GoString.of(namespace.isEmpty() ? "kube-system" : namespace)));
            try {
                return GoString.text(YamlEncoder.marshal(GoMap.of(Map.of(GoString.of("global"), global))));
            } catch (GoCallException e) {
                throw new IllegalStateException("a map of strings cannot be written as YAML", e);
            }
        }

        /** Bytes of padded base64, as chars; null if invalid. Line breaks are ignored. */
        private static @Nullable String base64(String text) {
            String digits = text.replace("\n", "").replace("\r", "");
            if (digits.length() % 4 != 0) {
                return null;
            }
            try {
                return new String(Base64.getDecoder().decode(digits), ISO_8859_1);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }

        private static void line(StringBuilder text, String key, String value) {
            text.append(key).append(" = ").append(quote(value)).append('\n');
        }

        private static String quote(String value) {
            return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }
}

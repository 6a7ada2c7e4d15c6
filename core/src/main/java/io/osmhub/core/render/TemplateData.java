package io.osmhub.core.render;

import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.INT32;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.pointerTo;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.wellknown.GoIp;
import io.osmhub.core.golang.wellknown.WellKnownTypes;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ProviderConfig.NetworkConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.settings.TenantSettings.Downloads;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The context of a profile's templates: the Go struct that OSM renders with, field by field, evaluated lazily. Records whether a
 * credential was read, because a file that reads none is equal in the stored object and in the secrets. Not thread-safe.
 */
final class TemplateData {
    /** One field and the function for its value. */
    private record Column(GoType.Field field, Function<TemplateData, GoValue> value) {}

    private static final String CONTAINER_RUNTIME_CONFIG = "ContainerRuntimeConfig";
    private static final String CONTAINER_RUNTIME_CONFIG_V2 = "ContainerRuntimeConfigV2";
    private static final GoType.Field DIST_UPGRADE =
            new GoType.Field("DistUpgradeOnBoot", BOOL, "distUpgradeOnBoot", false);
    private static final GoType STRING_MAP = GoType.mapOf(STRING, STRING);
    private static final GoType GATES = GoType.mapOf(STRING, BOOL);

    // OSM's order and nesting, visible in a template that prints the whole context.
    private static final List<Column> DIRECT = List.of(
            text("KubeVersion", c -> c.kubeVersion()),
            text("KubeletConfiguration", c -> ""),
            text("KubeletSystemdUnit", c -> ""),
            text("BootstrapKubeconfig", c -> c.bootstrapKubeconfig().get()),
            bool("InTreeCCMAvailable", c -> c.inTreeManagerAvailable()),
            text("CNIVersion", c -> ""),
            column("ClusterDNSIPs", GoIp.LIST, c -> GoIp.parseAll(c.settings().clusterDns())),
            text("KubernetesCACert", c -> c.kubernetesCa()),
            text("HostCACert", c -> c.hostCa()),
            text("ServerAddress", c -> ""),
            text("CloudConfig", c -> c.cloudConfig()),
            text("ContainerRuntime", c -> c.settings().containerRuntime().name()),
            column(
                    "CloudProviderName",
                    TemplateDataTypes.CLOUD_PROVIDER,
                    c -> new GoString(
                            TemplateDataTypes.CLOUD_PROVIDER,
                            GoString.bytes(c.provider().cloudProvider()))),
            column(
                    "NetworkConfig",
                    pointerTo(TemplateDataTypes.NETWORK),
                    c -> TemplateDataTypes.network(c.provider().network())),
            bool("ExternalCloudProvider", c -> c.settings().externalCloudProvider()),
            text("PauseImage", c -> c.settings().containerRuntime().pauseImage()),
            text("InitialTaints", c -> c.settings().kubelet().initialTaints()),
            optionalText("HTTPProxy", c -> c.httpProxy()),
            optionalText("NoProxy", c -> unlessEmpty(c.settings().proxy().noProxy())),
            text(CONTAINER_RUNTIME_CONFIG, c -> c.containerRuntimeConfig().apply(ContainerdConfig.Schema.V3)),
            text("ContainerRuntimeAuthConfig", c -> ""),
            column(
                    "KubeletFeatureGates",
                    GATES,
                    c -> gates(c.settings().kubelet().featureGates())),
            column("RHSubscription", STRING_MAP, c -> new GoMap(STRING_MAP, null)),
            text("NetworkIPFamily", c -> {
                var network = c.provider().network();
                return network == null ? "" : network.ipFamily();
            }));

    private static final List<Column> KUBELET = List.of(
            optionalMap("KubeReserved", c -> c.kubelet().kubeReserved()),
            optionalMap("SystemReserved", c -> c.kubelet().systemReserved()),
            optionalMap("EvictionHard", c -> c.kubelet().evictionHard()),
            optionalInt32("MaxPods", c -> c.kubelet().maxPods()),
            optionalText("ContainerLogMaxSize", c -> c.kubelet().containerLogMaxSize()),
            optionalText("ContainerLogMaxFiles", c -> c.kubelet().containerLogMaxFiles()),
            optionalInt32("ImageGCHighThresholdPercent", c -> c.kubelet().imageGcHighThresholdPercent()),
            optionalInt32("ImageGCLowThresholdPercent", c -> c.kubelet().imageGcLowThresholdPercent()),
            column(
                    "ImageMinimumGCAge",
                    pointerTo(WellKnownTypes.META_DURATION),
                    c -> TemplateDataTypes.duration(c.kubelet().imageMinimumGcAge())),
            column(
                    "ImageMaximumGCAge",
                    pointerTo(WellKnownTypes.META_DURATION),
                    c -> TemplateDataTypes.duration(c.kubelet().imageMaximumGcAge())));

    private static final List<Column> OPERATING_SYSTEM = List.of(
            distUpgrade("AmazonLinuxConfig", "amzn2"),
            column(
                    "FlatcarConfig",
                    TemplateDataTypes.FLATCAR,
                    c -> TemplateDataTypes.flatcar(
                            c.operatingSystem() instanceof OperatingSystemSpec.Flatcar flatcar ? flatcar : null)),
            new Column(new GoType.Field("RhelConfig", TemplateDataTypes.RHEL), TemplateData::rhel),
            distUpgrade("UbuntuConfig", "ubuntu"),
            distUpgrade("RockyLinuxConfig", "rockylinux"));

    private static final List<Column> BOOTSTRAP = List.of(
            text("Token", c -> c.token()),
            text("ServerURL", c -> c.serverUrl()),
            text("SecretName", c -> c.names().provisioningSecret()),
            text("BootstrapKubeconfigSecretName", c -> c.names().kubeletBootstrapSecret()));

    // Fields only for the hub's own template language; a Go template must see exactly OSM's fields.
    private static final List<Column> OWN_COLUMNS = List.of(
            bool(
                    "DistUpgradeOnBoot",
                    c -> c.operatingSystem() instanceof OperatingSystemSpec.DistUpgrade os && os.distUpgradeOnBoot()),
            text(CONTAINER_RUNTIME_CONFIG_V2, c -> c.containerRuntimeConfig().apply(ContainerdConfig.Schema.V2)),
            bool("AirGapped", c -> c.settings().airGapped()),
            column(
                    "Downloads",
                    TemplateDataTypes.DOWNLOADS,
                    c -> downloads(c.settings().downloads())));

    private static final Layout GO = Layout.of(
            new Group("filesData", DIRECT),
            new Group("kubeletConfig", KUBELET),
            new Group("operatingSystemConfig", OPERATING_SYSTEM),
            new Group("bootstrapConfig", BOOTSTRAP));
    private static final Layout HANDLEBARS = Layout.of(
            new Group("filesData", concat(List.of(DIRECT, KUBELET, OPERATING_SYSTEM, BOOTSTRAP, OWN_COLUMNS))));

    /** The columns of one Go struct. */
    private record Group(String name, List<Column> columns) {
        GoType type(List<GoType> embedded) {
            List<GoType.Field> fields =
                    new ArrayList<>(columns.stream().map(Column::field).toList());
            embedded.forEach(type -> fields.add(GoType.Field.embedded(type)));
            return GoType.struct("resources." + name, fields);
        }
    }

    /**
     * All columns and their struct type.
     *
     * @param direct number of columns that are not in an embedded struct; those of the embedded ones follow in order
     */
    private record Layout(List<Column> columns, int direct, GoType type) {
        static Layout of(Group outer, Group... inner) {
            List<Column> columns = new ArrayList<>(outer.columns());
            List<GoType> embedded = new ArrayList<>();
            for (Group group : inner) {
                columns.addAll(group.columns());
                embedded.add(group.type(List.of()));
            }
            return new Layout(List.copyOf(columns), outer.columns().size(), outer.type(embedded));
        }

        int indexOf(String name) {
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).field().name().equals(name)) {
                    return i;
                }
            }
            throw new IllegalArgumentException("no field " + name);
        }
    }

    private final TemplateInput context;
    private final Layout layout;
    private final @Nullable GoValue[] values;
    private final boolean[] credential;
    private boolean credentialRead;

    TemplateData(TemplateInput context, TemplateLanguage language) {
        this.context = context;
        this.layout = layout(language);
        this.values = new GoValue[layout.columns().size()];
        this.credential = new boolean[values.length];
        for (String field : context.credentials()) {
            credential[layout.indexOf(field)] = true;
        }
        if (language == TemplateLanguage.HANDLEBARS && context.credentials().contains(CONTAINER_RUNTIME_CONFIG)) {
            // The same content in another schema.
            credential[layout.indexOf(CONTAINER_RUNTIME_CONFIG_V2)] = true;
        }
    }

    /** Names of the fields visible to templates of a language. */
    static List<String> names(TemplateLanguage language) {
        return layout(language).columns().stream()
                .map(column -> column.field().name())
                .toList();
    }

    /** The struct for Go templates. */
    static GoType type() {
        return GO.type();
    }

    private static Layout layout(TemplateLanguage language) {
        return switch (language) {
            case GO -> GO;
            case HANDLEBARS -> HANDLEBARS;
        };
    }

    /** The value of the templates' dot. */
    GoValue dot() {
        List<GoValue> embedded = new ArrayList<>();
        int first = layout.direct();
        for (GoType.Field field :
                layout.type().fields().subList(first, layout.type().fields().size())) {
            int start = first;
            embedded.add(new GoStruct(field.type(), index -> field(start + index)));
            first += field.type().fields().size();
        }
        return GoPointer.to(new GoStruct(
                layout.type(),
                index -> index < layout.direct() ? field(index) : embedded.get(index - layout.direct())));
    }

    private GoValue field(int index) {
        credentialRead |= credential[index];
        GoValue value = values[index];
        if (value == null) {
            value = layout.columns().get(index).value().apply(this);
            values[index] = value;
        }
        return value;
    }

    /** Whether a credential was read since the last call. */
    boolean getAndClearCredentialRead() {
        boolean read = credentialRead;
        credentialRead = false;
        return read;
    }

    private GoValue rhel() {
        OperatingSystemSpec.Rhel rhel =
                context.operatingSystem() instanceof OperatingSystemSpec.Rhel spec ? spec : null;
        GoStruct all = TemplateDataTypes.rhel(rhel);
        return new GoStruct(all.type(), index -> {
            credentialRead |= TemplateDataTypes.isRhelCredential(index) && rhel != null;
            return all.field(index);
        });
    }

    private static Column column(String name, GoType type, Function<TemplateInput, GoValue> value) {
        return new Column(new GoType.Field(name, type), data -> value.apply(data.context));
    }

    private static Column text(String name, Function<TemplateInput, String> value) {
        return column(name, STRING, c -> GoString.of(value.apply(c)));
    }

    private static Column bool(String name, Function<TemplateInput, Boolean> value) {
        return column(name, BOOL, c -> GoBool.of(value.apply(c)));
    }

    private static Column optionalText(String name, Function<TemplateInput, @Nullable String> value) {
        return optional(name, STRING, value, GoString::of);
    }

    private static Column optionalInt32(String name, Function<TemplateInput, @Nullable Integer> value) {
        return optional(name, INT32, value, number -> new GoInt(INT32, number));
    }

    private static Column optionalMap(String name, Function<TemplateInput, @Nullable SortedMap<String, String>> value) {
        return optional(name, STRING_MAP, value, TemplateData::strings);
    }

    private static <T> Column optional(
            String name, GoType type, Function<TemplateInput, @Nullable T> value, Function<T, GoValue> toGo) {
        GoPointer nil = GoPointer.nil(type);
        return column(name, pointerTo(type), c -> {
            T present = value.apply(c);
            return present == null ? nil : new GoPointer(nil.type(), toGo.apply(present));
        });
    }

    private static Column distUpgrade(String name, String operatingSystem) {
        GoType type = GoType.struct(operatingSystem + ".Config", List.of(DIST_UPGRADE));
        return column(name, type, c -> {
            boolean own = c.provider().operatingSystem().equals(operatingSystem)
                    && c.operatingSystem() instanceof OperatingSystemSpec.DistUpgrade os
                    && os.distUpgradeOnBoot();
            return GoStruct.of(type, List.of(GoBool.of(own)));
        });
    }

    private static @Nullable String unlessEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private static GoValue gates(SortedMap<String, Boolean> gates) {
        Map<GoValue, GoValue> entries = new HashMap<>();
        gates.forEach((gate, on) -> entries.put(GoString.of(gate), GoBool.of(on)));
        return new GoMap(GATES, entries);
    }

    private static GoValue strings(SortedMap<String, String> map) {
        Map<GoValue, GoValue> entries = new HashMap<>();
        map.forEach((key, value) -> entries.put(GoString.of(key), GoString.of(value)));
        return new GoMap(STRING_MAP, entries);
    }

    private static GoValue downloads(Downloads downloads) {
        return GoStruct.of(
                TemplateDataTypes.DOWNLOADS,
                List.of(
                        GoString.of(downloads.kubernetes()),
                        GoString.of(downloads.cniPlugins()),
                        GoString.of(downloads.criTools()),
                        GoString.of(downloads.containerd()),
                        GoString.of(downloads.osPackages())));
    }

    private static List<Column> concat(List<List<Column>> lists) {
        return lists.stream().flatMap(List::stream).toList();
    }

    /** The Go types of the templates' context, named as in OSM, because a template can print a type's name. */
    private static final class TemplateDataTypes {
        static final GoType CLOUD_PROVIDER = GoType.named("v1alpha1.CloudProvider", STRING);
        static final GoType DOWNLOADS = GoType.struct(
                "resources.downloads", fields("Kubernetes", "CNIPlugins", "CRITools", "Containerd", "OSPackages"));
        static final GoType FLATCAR;
        static final GoType NETWORK;
        static final GoType RHEL;

        private static final GoType IP_FAMILY = GoType.named("net.IPFamily", STRING);
        private static final GoType UTILITY = GoType.named("flatcar.ProvisioningUtility", STRING);
        private static final GoType DNS = GoType.struct(
                "providerconfig.DNSConfig", List.of(new GoType.Field("Servers", GoType.STRINGS, "servers", false)));

        static {
            FLATCAR = GoType.struct(
                    "flatcar.Config",
                    List.of(
                            new GoType.Field("DisableAutoUpdate", BOOL, "disableAutoUpdate", false),
                            new GoType.Field("DisableLocksmithD", BOOL, "disableLocksmithD", false),
                            new GoType.Field("DisableUpdateEngine", BOOL, "disableUpdateEngine", false),
                            new GoType.Field("ProvisioningUtility", UTILITY, "provisioningUtility", true)));
            NETWORK = GoType.struct(
                    "providerconfig.NetworkConfig",
                    List.of(
                            new GoType.Field("CIDR", STRING, "cidr", false),
                            new GoType.Field("Gateway", STRING, "gateway", false),
                            new GoType.Field("DNS", DNS, "dns", false),
                            new GoType.Field("IPFamily", IP_FAMILY, "ipFamily", true)));
            RHEL = GoType.struct(
                    "rhel.Config",
                    List.of(
                            new GoType.Field("DistUpgradeOnBoot", BOOL, "distUpgradeOnBoot", false),
                            new GoType.Field(
                                    "RHELSubscriptionManagerUser", STRING, "rhelSubscriptionManagerUser", true),
                            new GoType.Field(
                                    "RHELSubscriptionManagerPassword", STRING, "rhelSubscriptionManagerPassword", true),
                            new GoType.Field("RHSMOfflineToken", STRING, "rhsmOfflineToken", true),
                            new GoType.Field("AttachSubscription", BOOL, "attachSubscription", false),
                            new GoType.Field("RHELUseSatelliteServer", BOOL, "rhelUseSatelliteServer", false),
                            new GoType.Field("RHELSatelliteServer", STRING, "rhelSatelliteServer", false),
                            new GoType.Field("RHELOrganizationName", STRING, "rhelOrganizationName", false),
                            new GoType.Field("RHELActivationKey", STRING, "rhelActivationKey", false)));
            familyMethod("HasIPv4", List.of("", "IPv4", "IPv4+IPv6", "IPv6+IPv4"));
            familyMethod("HasIPv6", List.of("IPv6", "IPv4+IPv6", "IPv6+IPv4"));
            familyMethod("IsDualstack", List.of("IPv4+IPv6", "IPv6+IPv4"));
            pointerMethod(
                    NETWORK,
                    "IsStaticIPConfig",
                    BOOL,
                    network -> GoBool.of(network instanceof GoStruct it && isStatic(it)));
            pointerMethod(
                    NETWORK,
                    "GetIPFamily",
                    IP_FAMILY,
                    network -> network instanceof GoStruct it ? it.field(3) : new GoString(IP_FAMILY, ""));
        }

        private static List<GoType.Field> fields(String... names) {
            List<GoType.Field> fields = new ArrayList<>(names.length);
            for (String name : names) {
                fields.add(new GoType.Field(name, STRING));
            }
            return fields;
        }

        private static void familyMethod(String name, List<String> families) {
            GoFunction.Code code =
                    (environment, arguments) -> GoBool.of(families.contains(((GoString) arguments.getFirst()).bytes()));
            IP_FAMILY.addMethod(new GoType.Method(name, GoType.func(List.of(), false, BOOL), false, code));
        }

        /** Applies a pointer method to its target; null for a nil pointer. */
        @FunctionalInterface
        private interface OfTarget {
            GoValue apply(@Nullable GoValue target);
        }

        private static void pointerMethod(GoType type, String name, GoType result, OfTarget method) {
            GoFunction.Code code = (environment, arguments) -> {
                GoValue receiver = arguments.getFirst();
                return method.apply(receiver instanceof GoPointer pointer ? pointer.target() : receiver);
            };
            type.addMethod(new GoType.Method(name, GoType.func(List.of(), false, result), true, code));
        }

        private static boolean isStatic(GoStruct network) {
            GoSlice servers = (GoSlice) ((GoStruct) network.field(2)).field(0);
            return !((GoString) network.field(0)).bytes().isEmpty()
                    || !((GoString) network.field(1)).bytes().isEmpty()
                    || servers.length() > 0;
        }

        static GoPointer network(@Nullable NetworkConfig network) {
            if (network == null) {
                return GoPointer.nil(NETWORK);
            }
            GoValue dns = GoStruct.of(DNS, List.of(strings(network.dnsServers())));
            return GoPointer.to(GoStruct.of(
                    NETWORK,
                    List.of(
                            GoString.of(network.cidr()),
                            GoString.of(network.gateway()),
                            dns,
                            new GoString(IP_FAMILY, GoString.bytes(network.ipFamily())))));
        }

        private static GoSlice strings(@Nullable List<String> texts) {
            if (texts == null) {
                return new GoSlice(GoType.STRINGS, null);
            }
            List<GoValue> items = new ArrayList<>(texts.size());
            texts.forEach(text -> items.add(GoString.of(text)));
            return new GoSlice(GoType.STRINGS, items);
        }

        static GoPointer duration(@Nullable Long nanos) {
            return nanos == null
                    ? GoPointer.nil(WellKnownTypes.META_DURATION)
                    : GoPointer.to(WellKnownTypes.metaDuration(nanos));
        }

        static GoStruct flatcar(OperatingSystemSpec.@Nullable Flatcar spec) {
            OperatingSystemSpec.Flatcar flatcar =
                    spec == null ? new OperatingSystemSpec.Flatcar(false, false, false, "") : spec;
            return GoStruct.of(
                    FLATCAR,
                    List.of(
                            GoBool.of(flatcar.disableAutoUpdate()),
                            GoBool.of(flatcar.disableLocksmithD()),
                            GoBool.of(flatcar.disableUpdateEngine()),
                            new GoString(UTILITY, GoString.bytes(flatcar.provisioningUtility()))));
        }

        static boolean isRhelCredential(int field) {
            return field == 2 || field == 3 || field == 8;
        }

        static GoStruct rhel(OperatingSystemSpec.@Nullable Rhel rhel) {
            if (rhel == null) {
                return GoStruct.of(
                        RHEL,
                        List.of(
                                GoBool.FALSE,
                                GoString.EMPTY,
                                GoString.EMPTY,
                                GoString.EMPTY,
                                GoBool.FALSE,
                                GoBool.FALSE,
                                GoString.EMPTY,
                                GoString.EMPTY,
                                GoString.EMPTY));
            }
            return GoStruct.of(
                    RHEL,
                    List.of(
                            GoBool.of(rhel.distUpgradeOnBoot()),
                            GoString.of(rhel.subscriptionManagerUser()),
                            GoString.of(rhel.subscriptionManagerPassword().reveal()),
                            GoString.of(rhel.rhsmOfflineToken().reveal()),
                            GoBool.of(rhel.attachSubscription()),
                            GoBool.of(rhel.useSatelliteServer()),
                            GoString.of(rhel.satelliteServer()),
                            GoString.of(rhel.organizationName()),
                            GoString.of(rhel.activationKey().reveal())));
        }
    }

    /**
     * The data for the templates of one MachineDeployment, before conversion to Go values. Rarely used texts are computed lazily.
     *
     * @param httpProxy null without a proxy
     * @param credentials names of the fields whose text is or contains a credential
     */
    record TemplateInput(
            String kubeVersion,
            boolean inTreeManagerAvailable,
            ProviderConfig provider,
            OperatingSystemSpec operatingSystem,
            KubeletSettings kubelet,
            Provisioning settings,
            String kubernetesCa,
            String hostCa,
            String serverUrl,
            ObjectNames names,
            Supplier<String> bootstrapKubeconfig,
            String token,
            String cloudConfig,
            Function<ContainerdConfig.Schema, String> containerRuntimeConfig,
            @Nullable String httpProxy,
            Set<String> credentials) {
        @Override
        public String toString() {
            return "FilesContext[...]";
        }
    }
}

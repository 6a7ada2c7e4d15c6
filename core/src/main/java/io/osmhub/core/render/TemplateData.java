package io.osmhub.core.render;

import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.INT32;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.pointerTo;

import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoMap;
import io.osmhub.core.golang.GoPointer;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoStruct;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.wellknown.WellKnownTypes;
import io.osmhub.core.machine.OperatingSystemSpec;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.settings.TenantSettings.Downloads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
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
            column(
                    "ClusterDNSIPs",
                    WellKnownTypes.IPS,
                    c -> WellKnownTypes.ips(c.settings().clusterDns())),
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
}

package io.osmhub.core.render;

import static io.osmhub.core.golang.Type.BOOL;
import static io.osmhub.core.golang.Type.INT32;
import static io.osmhub.core.golang.Type.STRING;
import static io.osmhub.core.golang.Type.pointerTo;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.wellknown.WellKnown;
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
 * The context of a profile's templates: the Go struct that the peer renders with, field by field, made only as far as a
 * template reads it. Knows whether a credential was read, because a file that reads none is the same in the stored object and
 * in the secrets. For one thread.
 */
final class FilesData {
    /** One field and how its value is made. */
    private record Column(Type.Field field, Function<FilesData, Value> value) {}

    private static final String CONTAINER_RUNTIME_CONFIG = "ContainerRuntimeConfig";
    private static final String CONTAINER_RUNTIME_CONFIG_V2 = "ContainerRuntimeConfigV2";
    private static final Type.Field DIST_UPGRADE =
            new Type.Field("DistUpgradeOnBoot", BOOL, "distUpgradeOnBoot", false);
    private static final Type STRING_MAP = Type.mapOf(STRING, STRING);
    private static final Type GATES = Type.mapOf(STRING, BOOL);

    // The peer's order and nesting: a template that prints the whole context shows them.
    private static final List<Column> DIRECT = List.of(
            text("KubeVersion", c -> c.kubeVersion()),
            text("KubeletConfiguration", c -> ""),
            text("KubeletSystemdUnit", c -> ""),
            text("BootstrapKubeconfig", c -> c.bootstrapKubeconfig().get()),
            bool("InTreeCCMAvailable", c -> c.inTreeManagerAvailable()),
            text("CNIVersion", c -> ""),
            column(
                    "ClusterDNSIPs",
                    WellKnown.IPS,
                    c -> WellKnown.ips(c.settings().clusterDns())),
            text("KubernetesCACert", c -> c.kubernetesCa()),
            text("HostCACert", c -> c.hostCa()),
            text("ServerAddress", c -> ""),
            text("CloudConfig", c -> c.cloudConfig()),
            text("ContainerRuntime", c -> c.settings().containerRuntime().name()),
            column(
                    "CloudProviderName",
                    GoTypes.CLOUD_PROVIDER,
                    c -> new Str(GoTypes.CLOUD_PROVIDER, Str.bytes(c.provider().cloudProvider()))),
            column(
                    "NetworkConfig",
                    pointerTo(GoTypes.NETWORK),
                    c -> GoTypes.network(c.provider().network())),
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
            column("RHSubscription", STRING_MAP, c -> new MapValue(STRING_MAP, null)),
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
                    pointerTo(WellKnown.META_DURATION),
                    c -> GoTypes.duration(c.kubelet().imageMinimumGcAge())),
            column(
                    "ImageMaximumGCAge",
                    pointerTo(WellKnown.META_DURATION),
                    c -> GoTypes.duration(c.kubelet().imageMaximumGcAge())));

    private static final List<Column> OPERATING_SYSTEM = List.of(
            distUpgrade("AmazonLinuxConfig", "amzn2"),
            column(
                    "FlatcarConfig",
                    GoTypes.FLATCAR,
                    c -> GoTypes.flatcar(
                            c.operatingSystem() instanceof OperatingSystemSpec.Flatcar flatcar ? flatcar : null)),
            new Column(new Type.Field("RhelConfig", GoTypes.RHEL), FilesData::rhel),
            distUpgrade("UbuntuConfig", "ubuntu"),
            distUpgrade("RockyLinuxConfig", "rockylinux"));

    private static final List<Column> BOOTSTRAP = List.of(
            text("Token", c -> c.token()),
            text("ServerURL", c -> c.serverUrl()),
            text("SecretName", c -> c.names().provisioningSecret()),
            text("BootstrapKubeconfigSecretName", c -> c.names().kubeletBootstrapSecret()));

    // What only this project's own template language is given; a Go template must not see more than the peer shows.
    private static final List<Column> OWN_COLUMNS = List.of(
            bool(
                    "DistUpgradeOnBoot",
                    c -> c.operatingSystem() instanceof OperatingSystemSpec.DistUpgrade os && os.distUpgradeOnBoot()),
            text(CONTAINER_RUNTIME_CONFIG_V2, c -> c.containerRuntimeConfig().apply(ContainerdConfig.Schema.V2)),
            bool("AirGapped", c -> c.settings().airGapped()),
            column("Downloads", GoTypes.DOWNLOADS, c -> downloads(c.settings().downloads())));

    private static final Layout GO = Layout.of(
            new Group("filesData", DIRECT),
            new Group("kubeletConfig", KUBELET),
            new Group("operatingSystemConfig", OPERATING_SYSTEM),
            new Group("bootstrapConfig", BOOTSTRAP));
    private static final Layout HANDLEBARS = Layout.of(
            new Group("filesData", concat(List.of(DIRECT, KUBELET, OPERATING_SYSTEM, BOOTSTRAP, OWN_COLUMNS))));

    /** The columns of one Go struct. */
    private record Group(String name, List<Column> columns) {
        Type type(List<Type> embedded) {
            List<Type.Field> fields =
                    new ArrayList<>(columns.stream().map(Column::field).toList());
            embedded.forEach(type -> fields.add(Type.Field.embedded(type)));
            return Type.struct("resources." + name, fields);
        }
    }

    /**
     * All columns and the struct type that they make.
     *
     * @param direct how many of them are not in an embedded struct; those of the embedded ones follow in their order
     */
    private record Layout(List<Column> columns, int direct, Type type) {
        static Layout of(Group outer, Group... inner) {
            List<Column> columns = new ArrayList<>(outer.columns());
            List<Type> embedded = new ArrayList<>();
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

    private final FilesContext context;
    private final Layout layout;
    private final @Nullable Value[] values;
    private final boolean[] credential;
    private boolean credentialRead;

    FilesData(FilesContext context, TemplateLanguage language) {
        this.context = context;
        this.layout = layout(language);
        this.values = new Value[layout.columns().size()];
        this.credential = new boolean[values.length];
        for (String field : context.credentials()) {
            credential[layout.indexOf(field)] = true;
        }
        if (language == TemplateLanguage.HANDLEBARS && context.credentials().contains(CONTAINER_RUNTIME_CONFIG)) {
            // The same in another schema.
            credential[layout.indexOf(CONTAINER_RUNTIME_CONFIG_V2)] = true;
        }
    }

    /** Names of the fields that templates of a language see. */
    static List<String> names(TemplateLanguage language) {
        return layout(language).columns().stream()
                .map(column -> column.field().name())
                .toList();
    }

    /** The struct that Go templates see. */
    static Type type() {
        return GO.type();
    }

    private static Layout layout(TemplateLanguage language) {
        return switch (language) {
            case GO -> GO;
            case HANDLEBARS -> HANDLEBARS;
        };
    }

    /** What templates see as their dot. */
    Value dot() {
        List<Value> embedded = new ArrayList<>();
        int first = layout.direct();
        for (Type.Field field :
                layout.type().fields().subList(first, layout.type().fields().size())) {
            int start = first;
            embedded.add(new Struct(field.type(), index -> field(start + index)));
            first += field.type().fields().size();
        }
        return Pointer.to(new Struct(
                layout.type(),
                index -> index < layout.direct() ? field(index) : embedded.get(index - layout.direct())));
    }

    private Value field(int index) {
        credentialRead |= credential[index];
        Value value = values[index];
        if (value == null) {
            value = layout.columns().get(index).value().apply(this);
            values[index] = value;
        }
        return value;
    }

    /** Whether a credential was read since this was last asked. */
    boolean takeCredentialRead() {
        boolean read = credentialRead;
        credentialRead = false;
        return read;
    }

    private Value rhel() {
        OperatingSystemSpec.Rhel rhel =
                context.operatingSystem() instanceof OperatingSystemSpec.Rhel spec ? spec : null;
        Struct all = GoTypes.rhel(rhel);
        return new Struct(all.type(), index -> {
            credentialRead |= GoTypes.isRhelCredential(index) && rhel != null;
            return all.field(index);
        });
    }

    private static Column column(String name, Type type, Function<FilesContext, Value> value) {
        return new Column(new Type.Field(name, type), data -> value.apply(data.context));
    }

    private static Column text(String name, Function<FilesContext, String> value) {
        return column(name, STRING, c -> Str.of(value.apply(c)));
    }

    private static Column bool(String name, Function<FilesContext, Boolean> value) {
        return column(name, BOOL, c -> Bool.of(value.apply(c)));
    }

    private static Column optionalText(String name, Function<FilesContext, @Nullable String> value) {
        return optional(name, STRING, value, Str::of);
    }

    private static Column optionalInt32(String name, Function<FilesContext, @Nullable Integer> value) {
        return optional(name, INT32, value, number -> new Int(INT32, number));
    }

    private static Column optionalMap(String name, Function<FilesContext, @Nullable SortedMap<String, String>> value) {
        return optional(name, STRING_MAP, value, FilesData::strings);
    }

    private static <T> Column optional(
            String name, Type type, Function<FilesContext, @Nullable T> value, Function<T, Value> toGo) {
        Pointer nil = Pointer.nil(type);
        return column(name, pointerTo(type), c -> {
            T present = value.apply(c);
            return present == null ? nil : new Pointer(nil.type(), toGo.apply(present));
        });
    }

    private static Column distUpgrade(String name, String operatingSystem) {
        Type type = Type.struct(operatingSystem + ".Config", List.of(DIST_UPGRADE));
        return column(name, type, c -> {
            boolean own = c.provider().operatingSystem().equals(operatingSystem)
                    && c.operatingSystem() instanceof OperatingSystemSpec.DistUpgrade os
                    && os.distUpgradeOnBoot();
            return Struct.of(type, List.of(Bool.of(own)));
        });
    }

    private static @Nullable String unlessEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private static Value gates(SortedMap<String, Boolean> gates) {
        Map<Value, Value> entries = new HashMap<>();
        gates.forEach((gate, on) -> entries.put(Str.of(gate), Bool.of(on)));
        return new MapValue(GATES, entries);
    }

    private static Value strings(SortedMap<String, String> map) {
        Map<Value, Value> entries = new HashMap<>();
        map.forEach((key, value) -> entries.put(Str.of(key), Str.of(value)));
        return new MapValue(STRING_MAP, entries);
    }

    private static Value downloads(Downloads downloads) {
        return Struct.of(
                GoTypes.DOWNLOADS,
                List.of(
                        Str.of(downloads.kubernetes()),
                        Str.of(downloads.cniPlugins()),
                        Str.of(downloads.criTools()),
                        Str.of(downloads.containerd()),
                        Str.of(downloads.osPackages())));
    }

    private static List<Column> concat(List<List<Column>> lists) {
        return lists.stream().flatMap(List::stream).toList();
    }
}

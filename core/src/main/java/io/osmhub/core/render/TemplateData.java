package io.osmhub.core.render;

import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.INT32;
import static io.osmhub.core.golang.GoType.STRING;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
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
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec.DistUpgrade;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec.Flatcar;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec.Rhel;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings.Downloads;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The context of a profile's templates: the Go struct that OSM renders with, field by field, evaluated lazily. Records whether a
 * credential was read, because a file that reads none is equal in the stored object and in the secrets. Not thread-safe.
 */
final class TemplateData {
    /** One field of a Go struct, the function for its value, and whether that is or contains a credential. */
    private record Column<T>(String name, GoType type, Function<T, GoValue> value, Predicate<T> credential) {}

    /** A Go struct, named as in OSM, because a template can print a type's name. The {@code embedded} structs follow its own fields. */
    private record Table<T>(GoType type, List<Column<T>> columns, List<Table<T>> embedded) {
        static <T> Table<T> of(String name, List<Column<T>> columns, List<Table<T>> embedded) {
            Stream<GoType.Field> own = columns.stream().map(column -> new GoType.Field(column.name(), column.type()));
            Stream<GoType.Field> inner = embedded.stream().map(table -> GoType.Field.embedded(table.type()));
            return new Table<>(GoType.struct(name, Stream.concat(own, inner).toList()), columns, embedded);
        }

        /** With Go's usual tags: the first word of a JSON name is in lower case. */
        static <T> Table<T> tagged(String name, Set<String> omitEmpty, List<Column<T>> columns) {
            List<GoType.Field> fields = new ArrayList<>();
            for (Column<T> column : columns) {
                String json = FIRST_WORD.matcher(column.name()).replaceFirst(word -> word.group()
                        .toLowerCase(Locale.ROOT));
                fields.add(new GoType.Field(column.name(), column.type(), json, omitEmpty.contains(column.name())));
            }
            return new Table<>(GoType.struct(name, fields), columns, List.of());
        }

        GoStruct struct(T from) {
            return GoStruct.of(
                    type,
                    columns.stream().map(column -> column.value().apply(from)).toList());
        }

        Stream<String> names() {
            return Stream.concat(
                    columns.stream().map(Column::name), embedded.stream().flatMap(Table::names));
        }
    }

    private static final Pattern FIRST_WORD = Pattern.compile("^[A-Z]+(?![a-z])|^[A-Z]");

    /** Providers whose cloud controller manager was part of Kubernetes. */
    private static final Set<String> WITH_IN_TREE_MANAGER = Set.of("aws", "azure", "gce", "vsphere");

    private static final GoType STRING_MAP = GoType.mapOf(STRING, STRING);
    private static final GoType GATES = GoType.mapOf(STRING, BOOL);
    private static final GoType CLOUD_PROVIDER = GoType.named("v1alpha1.CloudProvider", STRING);
    private static final GoType IP_FAMILY = GoType.named("net.IPFamily", STRING);
    private static final GoType UTILITY = GoType.named("flatcar.ProvisioningUtility", STRING);

    private static final Table<NetworkConfig> DNS = Table.tagged(
            "providerconfig.DNSConfig",
            Set.of(),
            List.of(column("Servers", GoType.STRINGS, network -> strings(network.dnsServers()))));
    private static final Table<NetworkConfig> NETWORK = Table.tagged(
            "providerconfig.NetworkConfig",
            Set.of("IPFamily"),
            List.of(
                    text("CIDR", NetworkConfig::cidr),
                    text("Gateway", NetworkConfig::gateway),
                    column("DNS", DNS.type(), DNS::struct),
                    named("IPFamily", IP_FAMILY, NetworkConfig::ipFamily)));
    private static final Table<Flatcar> FLATCAR = Table.tagged(
            "flatcar.Config",
            Set.of("ProvisioningUtility"),
            List.of(
                    bool("DisableAutoUpdate", Flatcar::disableAutoUpdate),
                    bool("DisableLocksmithD", Flatcar::disableLocksmithD),
                    bool("DisableUpdateEngine", Flatcar::disableUpdateEngine),
                    named("ProvisioningUtility", UTILITY, Flatcar::provisioningUtility)));
    private static final Table<Rhel> RHEL = Table.tagged(
            "rhel.Config",
            Set.of("RHELSubscriptionManagerUser", "RHELSubscriptionManagerPassword", "RHSMOfflineToken"),
            List.of(
                    bool("DistUpgradeOnBoot", Rhel::distUpgradeOnBoot),
                    text("RHELSubscriptionManagerUser", Rhel::subscriptionManagerUser),
                    secret("RHELSubscriptionManagerPassword", Rhel::subscriptionManagerPassword),
                    secret("RHSMOfflineToken", Rhel::rhsmOfflineToken),
                    bool("AttachSubscription", Rhel::attachSubscription),
                    bool("RHELUseSatelliteServer", Rhel::useSatelliteServer),
                    text("RHELSatelliteServer", Rhel::satelliteServer),
                    text("RHELOrganizationName", Rhel::organizationName),
                    secret("RHELActivationKey", Rhel::activationKey)));
    private static final Table<Downloads> DOWNLOADS = Table.of(
            "resources.downloads",
            List.of(
                    text("Kubernetes", Downloads::kubernetes),
                    text("CNIPlugins", Downloads::cniPlugins),
                    text("CRITools", Downloads::criTools),
                    text("Containerd", Downloads::containerd),
                    text("OSPackages", Downloads::osPackages)),
            List.of());
    private static final Flatcar NO_FLATCAR = new Flatcar(false, false, false, "");
    private static final Rhel NO_RHEL =
            new Rhel(false, "", new Sensitive(""), new Sensitive(""), false, false, "", "", new Sensitive(""));

    static {
        familyMethod("HasIPv4", List.of("", "IPv4", "IPv4+IPv6", "IPv6+IPv4"));
        familyMethod("HasIPv6", List.of("IPv6", "IPv4+IPv6", "IPv6+IPv4"));
        familyMethod("IsDualstack", List.of("IPv4+IPv6", "IPv6+IPv4"));
        networkMethod("IsStaticIPConfig", BOOL, GoBool.FALSE, network -> GoBool.of(isStatic(network)));
        networkMethod("GetIPFamily", IP_FAMILY, new GoString(IP_FAMILY, ""), network -> network.field(3));
    }

    // OSM's order and nesting, visible in a template that prints the whole context.
    private static final List<Column<TemplateInput>> DIRECT = List.of(
            text("KubeVersion", c -> c.version().text()),
            text("KubeletConfiguration", c -> ""),
            text("KubeletSystemdUnit", c -> ""),
            secret("BootstrapKubeconfig", TemplateInput::bootstrapKubeconfig),
            bool(
                    "InTreeCCMAvailable",
                    c -> !c.settings().externalCloudProvider()
                            && WITH_IN_TREE_MANAGER.contains(c.provider().cloudProvider())),
            text("CNIVersion", c -> ""),
            column("ClusterDNSIPs", GoIp.LIST, c -> GoIp.parseAll(c.settings().clusterDns())),
            text("KubernetesCACert", c -> c.input().resolved().kubernetesCa()),
            text("HostCACert", c -> c.input().resolved().hostCa()),
            text("ServerAddress", c -> ""),
            secret(
                    c -> CredentialRemover.isCloudConfigSecret(c.provider()),
                    text(
                            "CloudConfig",
                            c -> Objects.requireNonNullElse(c.provider().overwriteCloudConfig(), ""))),
            text("ContainerRuntime", c -> c.settings().containerRuntime().name()),
            named("CloudProviderName", CLOUD_PROVIDER, c -> c.provider().cloudProvider()),
            optional("NetworkConfig", NETWORK.type(), c -> c.provider().network(), NETWORK::struct),
            bool("ExternalCloudProvider", c -> c.settings().externalCloudProvider()),
            text("PauseImage", c -> c.settings().containerRuntime().pauseImage()),
            text("InitialTaints", c -> c.settings().kubelet().initialTaints()),
            secret(
                    c -> c.input().resolved().secretHttpProxy() != null,
                    optionalText("HTTPProxy", TemplateInput::httpProxy)),
            optionalText("NoProxy", c -> unlessEmpty(c.settings().proxy().noProxy())),
            containerd("ContainerRuntimeConfig", ContainerdConfig.Schema.V3),
            text("ContainerRuntimeAuthConfig", c -> ""),
            column(
                    "KubeletFeatureGates",
                    GATES,
                    c -> map(GATES, c.settings().kubelet().featureGates(), GoBool::of)),
            column("RHSubscription", STRING_MAP, c -> new GoMap(STRING_MAP, null)),
            text("NetworkIPFamily", c -> {
                var network = c.provider().network();
                return network == null ? "" : network.ipFamily();
            }));

    private static final List<Column<TemplateInput>> KUBELET = List.of(
            kubelet("KubeReserved", STRING_MAP),
            kubelet("SystemReserved", STRING_MAP),
            kubelet("EvictionHard", STRING_MAP),
            kubelet("MaxPods", INT32),
            kubelet("ContainerLogMaxSize", STRING),
            kubelet("ContainerLogMaxFiles", STRING),
            kubelet("ImageGCHighThresholdPercent", INT32),
            kubelet("ImageGCLowThresholdPercent", INT32),
            kubelet("ImageMinimumGCAge", WellKnownTypes.META_DURATION),
            kubelet("ImageMaximumGCAge", WellKnownTypes.META_DURATION));

    private static final List<Column<TemplateInput>> OPERATING_SYSTEM = List.of(
            distUpgrade("AmazonLinuxConfig", "amzn2"),
            column(
                    "FlatcarConfig",
                    FLATCAR.type(),
                    c -> FLATCAR.struct(c.operatingSystem() instanceof Flatcar flatcar ? flatcar : NO_FLATCAR)),
            secret(
                    c -> c.operatingSystem() instanceof Rhel,
                    column(
                            "RhelConfig",
                            RHEL.type(),
                            c -> RHEL.struct(c.operatingSystem() instanceof Rhel rhel ? rhel : NO_RHEL))),
            distUpgrade("UbuntuConfig", "ubuntu"),
            distUpgrade("RockyLinuxConfig", "rockylinux"));

    private static final List<Column<TemplateInput>> BOOTSTRAP = List.of(
            secret("Token", c -> c.input().access().fetchToken()),
            text("ServerURL", c -> c.input().access().apiServer().server()),
            text("SecretName", c -> c.names().provisioningSecret()),
            text("BootstrapKubeconfigSecretName", c -> c.names().kubeletBootstrapSecret()));

    // Fields only for the hub's own template language; a Go template must see exactly OSM's fields.
    private static final List<Column<TemplateInput>> OWN_COLUMNS = List.of(
            bool("DistUpgradeOnBoot", c -> c.operatingSystem() instanceof DistUpgrade os && os.distUpgradeOnBoot()),
            containerd("ContainerRuntimeConfigV2", ContainerdConfig.Schema.V2),
            bool("AirGapped", c -> c.settings().airGapped()),
            column(
                    "Downloads",
                    DOWNLOADS.type(),
                    c -> DOWNLOADS.struct(c.settings().downloads())));

    private static final Table<TemplateInput> GO = Table.of(
            "resources.filesData",
            DIRECT,
            List.of(
                    Table.of("resources.kubeletConfig", KUBELET, List.of()),
                    Table.of("resources.operatingSystemConfig", OPERATING_SYSTEM, List.of()),
                    Table.of("resources.bootstrapConfig", BOOTSTRAP, List.of())));
    private static final Table<TemplateInput> HANDLEBARS = Table.of(
            "resources.filesData",
            Stream.of(DIRECT, KUBELET, OPERATING_SYSTEM, BOOTSTRAP, OWN_COLUMNS)
                    .flatMap(List::stream)
                    .toList(),
            List.of());

    private final TemplateInput input;
    private final GoValue dotValue;
    private boolean credentialRead;

    TemplateData(TemplateInput input, TemplateLanguage language) {
        this.input = input;
        this.dotValue = GoPointer.to(struct(table(language)));
    }

    /** The struct for Go templates. */
    static GoType type() {
        return GO.type();
    }

    private static Table<TemplateInput> table(TemplateLanguage language) {
        return switch (language) {
            case GO -> GO;
            case HANDLEBARS -> HANDLEBARS;
        };
    }

    /** The value of the templates' dot. */
    GoValue dot() {
        return dotValue;
    }

    /** The struct of a table, whose values are computed when they are first read. */
    private GoStruct struct(Table<TemplateInput> table) {
        @Nullable GoValue[] values = new GoValue[table.columns().size()];
        List<GoStruct> embedded = table.embedded().stream().map(this::struct).toList();
        return new GoStruct(table.type(), index -> {
            if (index >= values.length) {
                return embedded.get(index - values.length);
            }
            Column<TemplateInput> column = table.columns().get(index);
            credentialRead |= column.credential().test(input);
            GoValue value = values[index];
            if (value == null) {
                value = column.value().apply(input);
                values[index] = value;
            }
            return value;
        });
    }

    /** Whether a credential was read since the last call. */
    boolean getAndClearCredentialRead() {
        boolean read = credentialRead;
        credentialRead = false;
        return read;
    }

    private static <T> Column<T> column(String name, GoType type, Function<T, GoValue> value) {
        return new Column<>(name, type, value, from -> false);
    }

    private static <T> Column<T> secret(String name, Function<T, Sensitive> value) {
        return secret(from -> true, text(name, from -> value.apply(from).reveal()));
    }

    private static <T> Column<T> secret(Predicate<T> credential, Column<T> column) {
        return new Column<>(column.name(), column.type(), column.value(), credential);
    }

    private static <T> Column<T> text(String name, Function<T, String> value) {
        return column(name, STRING, from -> GoString.of(value.apply(from)));
    }

    private static <T> Column<T> named(String name, GoType type, Function<T, String> value) {
        return column(name, type, from -> new GoString(type, GoString.bytes(value.apply(from))));
    }

    private static <T> Column<T> bool(String name, Function<T, Boolean> value) {
        return column(name, BOOL, from -> GoBool.of(value.apply(from)));
    }

    private static Column<TemplateInput> containerd(String name, ContainerdConfig.Schema schema) {
        return secret(
                c -> !c.input().resolved().registryCredentials().byRegistry().isEmpty(),
                text(
                        name,
                        c -> ContainerdConfig.text(
                                c.settings().containerRuntime(),
                                c.input().resolved().registryCredentials(),
                                schema)));
    }

    private static <T> Column<T> optionalText(String name, Function<T, @Nullable String> value) {
        return optional(name, STRING, value, GoString::of);
    }

    private static Column<TemplateInput> kubelet(String name, GoType type) {
        return optional(name, type, c -> c.kubelet().values().get(name), value -> switch (value) {
            case Integer number -> new GoInt(INT32, number);
            case Long nanoseconds -> WellKnownTypes.metaDuration(nanoseconds);
            case SortedMap<?, ?> pairs -> map(STRING_MAP, pairs, text -> GoString.of(text.toString()));
            default -> GoString.of(value.toString());
        });
    }

    private static <T, V> Column<T> optional(
            String name, GoType type, Function<T, @Nullable V> value, Function<V, GoValue> toGo) {
        GoPointer nil = GoPointer.nil(type);
        return column(name, nil.type(), from -> {
            V present = value.apply(from);
            return present == null ? nil : new GoPointer(nil.type(), toGo.apply(present));
        });
    }

    private static Column<TemplateInput> distUpgrade(String name, String operatingSystem) {
        Table<TemplateInput> config = Table.tagged(
                operatingSystem + ".Config",
                Set.of(),
                List.of(bool(
                        "DistUpgradeOnBoot",
                        c -> c.provider().operatingSystem().equals(operatingSystem)
                                && c.operatingSystem() instanceof DistUpgrade os
                                && os.distUpgradeOnBoot())));
        return column(name, config.type(), config::struct);
    }

    private static @Nullable String unlessEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private static <V> GoMap map(GoType type, Map<?, V> map, Function<V, GoValue> toGo) {
        Map<GoValue, GoValue> entries = new HashMap<>();
        map.forEach((key, value) -> entries.put(GoString.of(key.toString()), toGo.apply(value)));
        return new GoMap(type, entries);
    }

    private static GoSlice strings(@Nullable List<String> texts) {
        return new GoSlice(
                GoType.STRINGS,
                texts == null ? null : texts.stream().<GoValue>map(GoString::of).toList());
    }

    private static void familyMethod(String name, List<String> families) {
        IP_FAMILY.addMethod(new GoType.Method(name, GoType.function(BOOL), false, (_, arguments) -> {
            return GoBool.of(families.contains(((GoString) arguments.getFirst()).bytes()));
        }));
    }

    private static void networkMethod(String name, GoType result, GoValue ofNil, Function<GoStruct, GoValue> method) {
        NETWORK.type().addMethod(new GoType.Method(name, GoType.function(result), true, (_, arguments) -> {
            GoValue receiver = arguments.getFirst();
            GoValue target = receiver instanceof GoPointer pointer ? pointer.target() : receiver;
            return target instanceof GoStruct network ? method.apply(network) : ofNil;
        }));
    }

    private static boolean isStatic(GoStruct network) {
        GoSlice servers = (GoSlice) ((GoStruct) network.field(2)).field(0);
        return !((GoString) network.field(0)).bytes().isEmpty()
                || !((GoString) network.field(1)).bytes().isEmpty()
                || servers.length() > 0;
    }

    /** The data for the templates of one MachineDeployment, before conversion to Go values: with credentials, or with placeholders. */
    record TemplateInput(
            RenderInput input,
            ProviderConfig provider,
            OperatingSystemSpec operatingSystem,
            KubeletSettings kubelet,
            KubeletVersion version) {
        Provisioning settings() {
            return input.settings();
        }

        ObjectNames names() {
            return ObjectNames.of(input.machineDeployment());
        }

        Sensitive bootstrapKubeconfig() {
            return new Sensitive(input.access()
                    .apiServer()
                    .bootstrapKubeconfig(input.access().bootstrapToken()));
        }

        /** Null without a proxy. */
        @Nullable String httpProxy() {
            Sensitive secret = input.resolved().secretHttpProxy();
            return secret == null ? unlessEmpty(settings().proxy().httpProxy()) : secret.reveal();
        }

        TemplateInput redacted() {
            ProviderConfig config = CredentialRemover.removeCredentials(provider);
            return new TemplateInput(
                    CredentialRemover.usePlaceholders(input),
                    config,
                    config.operatingSystemSpec(input.machineDeployment(), true),
                    kubelet,
                    version);
        }

        @Override
        public String toString() {
            return "TemplateInput[...]";
        }
    }
}

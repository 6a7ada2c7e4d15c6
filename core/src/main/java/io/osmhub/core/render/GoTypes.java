package io.osmhub.core.render;

import static io.osmhub.core.golang.Type.BOOL;
import static io.osmhub.core.golang.Type.STRING;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.wellknown.WellKnown;
import io.osmhub.core.machine.Network;
import io.osmhub.core.machine.OperatingSystemSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The Go types inside the templates' context, named as the peer's, because a template can print a type's name. */
final class GoTypes {
    static final Type CLOUD_PROVIDER = Type.named("v1alpha1.CloudProvider", STRING);
    static final Type DOWNLOADS = Type.struct(
            "resources.downloads", fields("Kubernetes", "CNIPlugins", "CRITools", "Containerd", "OSPackages"));
    static final Type FLATCAR;
    static final Type NETWORK;
    static final Type RHEL;

    private static final Type IP_FAMILY = Type.named("net.IPFamily", STRING);
    private static final Type UTILITY = Type.named("flatcar.ProvisioningUtility", STRING);
    private static final Type DNS =
            Type.struct("providerconfig.DNSConfig", List.of(new Type.Field("Servers", Type.STRINGS, "servers", false)));

    static {
        FLATCAR = Type.struct(
                "flatcar.Config",
                List.of(
                        new Type.Field("DisableAutoUpdate", BOOL, "disableAutoUpdate", false),
                        new Type.Field("DisableLocksmithD", BOOL, "disableLocksmithD", false),
                        new Type.Field("DisableUpdateEngine", BOOL, "disableUpdateEngine", false),
                        new Type.Field("ProvisioningUtility", UTILITY, "provisioningUtility", true)));
        NETWORK = Type.struct(
                "providerconfig.NetworkConfig",
                List.of(
                        new Type.Field("CIDR", STRING, "cidr", false),
                        new Type.Field("Gateway", STRING, "gateway", false),
                        new Type.Field("DNS", DNS, "dns", false),
                        new Type.Field("IPFamily", IP_FAMILY, "ipFamily", true)));
        RHEL = Type.struct(
                "rhel.Config",
                List.of(
                        new Type.Field("DistUpgradeOnBoot", BOOL, "distUpgradeOnBoot", false),
                        new Type.Field("RHELSubscriptionManagerUser", STRING, "rhelSubscriptionManagerUser", true),
                        new Type.Field(
                                "RHELSubscriptionManagerPassword", STRING, "rhelSubscriptionManagerPassword", true),
                        new Type.Field("RHSMOfflineToken", STRING, "rhsmOfflineToken", true),
                        new Type.Field("AttachSubscription", BOOL, "attachSubscription", false),
                        new Type.Field("RHELUseSatelliteServer", BOOL, "rhelUseSatelliteServer", false),
                        new Type.Field("RHELSatelliteServer", STRING, "rhelSatelliteServer", false),
                        new Type.Field("RHELOrganizationName", STRING, "rhelOrganizationName", false),
                        new Type.Field("RHELActivationKey", STRING, "rhelActivationKey", false)));
        familyMethod("HasIPv4", List.of("", "IPv4", "IPv4+IPv6", "IPv6+IPv4"));
        familyMethod("HasIPv6", List.of("IPv6", "IPv4+IPv6", "IPv6+IPv4"));
        familyMethod("IsDualstack", List.of("IPv4+IPv6", "IPv6+IPv4"));
        pointerMethod(
                NETWORK, "IsStaticIPConfig", BOOL, network -> Bool.of(network instanceof Struct it && isStatic(it)));
        pointerMethod(
                NETWORK,
                "GetIPFamily",
                IP_FAMILY,
                network -> network instanceof Struct it ? it.field(3) : new Str(IP_FAMILY, ""));
    }

    private GoTypes() {}

    private static List<Type.Field> fields(String... names) {
        List<Type.Field> fields = new ArrayList<>(names.length);
        for (String name : names) {
            fields.add(new Type.Field(name, STRING));
        }
        return fields;
    }

    private static void familyMethod(String name, List<String> families) {
        Func.Code code = (environment, arguments) -> Bool.of(families.contains(((Str) arguments.getFirst()).bytes()));
        IP_FAMILY.with(new Type.Method(name, Type.func(List.of(), false, BOOL), false, code));
    }

    /** What a pointer method gives for its target; null for a nil pointer. */
    @FunctionalInterface
    private interface OfTarget {
        Value apply(@Nullable Value target);
    }

    private static void pointerMethod(Type type, String name, Type result, OfTarget method) {
        Func.Code code = (environment, arguments) -> {
            Value receiver = arguments.getFirst();
            return method.apply(receiver instanceof Pointer pointer ? pointer.target() : receiver);
        };
        type.with(new Type.Method(name, Type.func(List.of(), false, result), true, code));
    }

    private static boolean isStatic(Struct network) {
        Slice servers = (Slice) ((Struct) network.field(2)).field(0);
        return !((Str) network.field(0)).bytes().isEmpty()
                || !((Str) network.field(1)).bytes().isEmpty()
                || servers.length() > 0;
    }

    static Pointer network(@Nullable Network network) {
        if (network == null) {
            return Pointer.nil(NETWORK);
        }
        Value dns = Struct.of(DNS, List.of(strings(network.dnsServers())));
        return Pointer.to(Struct.of(
                NETWORK,
                List.of(
                        Str.of(network.cidr()),
                        Str.of(network.gateway()),
                        dns,
                        new Str(IP_FAMILY, Str.bytes(network.ipFamily())))));
    }

    private static Slice strings(@Nullable List<String> texts) {
        if (texts == null) {
            return new Slice(Type.STRINGS, null);
        }
        List<Value> items = new ArrayList<>(texts.size());
        texts.forEach(text -> items.add(Str.of(text)));
        return new Slice(Type.STRINGS, items);
    }

    static Pointer duration(@Nullable Long nanos) {
        return nanos == null ? Pointer.nil(WellKnown.META_DURATION) : Pointer.to(WellKnown.metaDuration(nanos));
    }

    static Struct flatcar(OperatingSystemSpec.@Nullable Flatcar spec) {
        OperatingSystemSpec.Flatcar flatcar =
                spec == null ? new OperatingSystemSpec.Flatcar(false, false, false, "") : spec;
        return Struct.of(
                FLATCAR,
                List.of(
                        Bool.of(flatcar.disableAutoUpdate()),
                        Bool.of(flatcar.disableLocksmithD()),
                        Bool.of(flatcar.disableUpdateEngine()),
                        new Str(UTILITY, Str.bytes(flatcar.provisioningUtility()))));
    }

    static boolean isRhelCredential(int field) {
        return field == 2 || field == 3 || field == 8;
    }

    static Struct rhel(OperatingSystemSpec.@Nullable Rhel rhel) {
        if (rhel == null) {
            return Struct.of(
                    RHEL,
                    List.of(
                            Bool.FALSE,
                            Str.EMPTY,
                            Str.EMPTY,
                            Str.EMPTY,
                            Bool.FALSE,
                            Bool.FALSE,
                            Str.EMPTY,
                            Str.EMPTY,
                            Str.EMPTY));
        }
        return Struct.of(
                RHEL,
                List.of(
                        Bool.of(rhel.distUpgradeOnBoot()),
                        Str.of(rhel.subscriptionManagerUser()),
                        Str.of(rhel.subscriptionManagerPassword().reveal()),
                        Str.of(rhel.rhsmOfflineToken().reveal()),
                        Bool.of(rhel.attachSubscription()),
                        Bool.of(rhel.useSatelliteServer()),
                        Str.of(rhel.satelliteServer()),
                        Str.of(rhel.organizationName()),
                        Str.of(rhel.activationKey().reveal())));
    }
}

package io.osmhub.core.render;

import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.STRING;

import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoFunction;
import io.osmhub.core.golang.GoPointer;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoStruct;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.wellknown.WellKnownTypes;
import io.osmhub.core.machine.NetworkConfig;
import io.osmhub.core.machine.OperatingSystemSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The Go types of the templates' context, named as in OSM, because a template can print a type's name. */
final class TemplateDataTypes {
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
                        new GoType.Field("RHELSubscriptionManagerUser", STRING, "rhelSubscriptionManagerUser", true),
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

    private TemplateDataTypes() {}

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

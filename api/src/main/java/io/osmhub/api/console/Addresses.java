package io.osmhub.api.console;

import java.util.regex.Pattern;

/** Addresses of the pages. Every part is encoded, so that no name leads elsewhere. */
final class Addresses {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][-a-z0-9.]{0,252}");

    private Addresses() {}

    static String cluster(String namespace, String name) {
        return "/clusters/" + Helpers.encoded(namespace) + "/" + Helpers.encoded(name);
    }

    /** A MachineDeployment of a tenant: its own namespace is one of the worker cluster. */
    static String machineDeployment(String tenant, String namespace, String name) {
        return "/tenants/" + Helpers.encoded(tenant) + "/machine-deployments/" + Helpers.encoded(namespace) + "/"
                + Helpers.encoded(name);
    }

    /** A machine, which leads to its MachineDeployment. */
    static String machine(String tenant, String namespace, String name) {
        return "/tenants/" + Helpers.encoded(tenant) + "/machines/" + Helpers.encoded(namespace) + "/"
                + Helpers.encoded(name);
    }

    static String profile(String namespace, String name) {
        return "/profiles/" + Helpers.encoded(namespace) + "/" + Helpers.encoded(name);
    }

    /** A profile named {@code namespace/name}; empty when it is named otherwise, which means that it was not found. */
    static String profile(String reference) {
        int slash = reference.indexOf('/');
        return slash <= 0 ? "" : known(reference.substring(0, slash), reference.substring(slash + 1));
    }

    /** What an annotation names may be anything; only what can be the name of an object leads to a page. */
    private static String known(String namespace, String name) {
        return NAME.matcher(namespace).matches() && NAME.matcher(name).matches() ? profile(namespace, name) : "";
    }

    /** The page about an object of the contract; empty when there is none. */
    static String of(Answer object, String tenant, String workerCluster) {
        String namespace = object.text("namespace");
        String name = object.text("name");
        if (name.isEmpty()) {
            return "";
        }
        return switch (object.text("kind")) {
            case "WorkerCluster" -> cluster(namespace.isEmpty() ? tenant : namespace, name);
            case "OperatingSystemProfile" -> known(namespace, name);
            case "MachineDeployment" -> tenant.isEmpty() ? "" : machineDeployment(tenant, namespace, name);
            case "Machine" -> tenant.isEmpty() ? "" : machine(tenant, namespace, name);
            default -> tenant.isEmpty() || workerCluster.isEmpty() ? "" : cluster(tenant, workerCluster);
        };
    }
}

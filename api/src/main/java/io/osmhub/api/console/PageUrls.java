package io.osmhub.api.console;

import java.util.regex.Pattern;

/** Addresses of pages. Every segment is encoded, so that no name changes the target. */
final class PageUrls {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][-a-z0-9.]{0,252}");

    private PageUrls() {}

    static String cluster(String namespace, String name) {
        return "/clusters/" + TemplateHelpers.encoded(namespace) + "/" + TemplateHelpers.encoded(name);
    }

    /** A MachineDeployment of a tenant; {@code namespace} is in the worker cluster. */
    static String machineDeployment(String tenant, String namespace, String name) {
        return "/tenants/" + TemplateHelpers.encoded(tenant) + "/machine-deployments/"
                + TemplateHelpers.encoded(namespace) + "/" + TemplateHelpers.encoded(name);
    }

    /** A machine, which redirects to its MachineDeployment. */
    static String machine(String tenant, String namespace, String name) {
        return "/tenants/" + TemplateHelpers.encoded(tenant) + "/machines/" + TemplateHelpers.encoded(namespace) + "/"
                + TemplateHelpers.encoded(name);
    }

    static String profile(String namespace, String name) {
        return "/profiles/" + TemplateHelpers.encoded(namespace) + "/" + TemplateHelpers.encoded(name);
    }

    /** A profile named {@code namespace/name}; empty for other forms, which mean that it was not found. */
    static String profile(String reference) {
        int slash = reference.indexOf('/');
        return slash <= 0 ? "" : known(reference.substring(0, slash), reference.substring(slash + 1));
    }

    /** An annotation may contain anything; only valid object names link to a page. */
    private static String known(String namespace, String name) {
        return NAME.matcher(namespace).matches() && NAME.matcher(name).matches() ? profile(namespace, name) : "";
    }

    /** The page of an object of the contract; empty if there is none. */
    static String of(ReplyTree object, String tenant, String workerCluster) {
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

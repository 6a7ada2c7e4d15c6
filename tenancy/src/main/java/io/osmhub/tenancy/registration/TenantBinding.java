package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.TenantAccess;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;

/**
 * The RoleBinding that grants the hub's ServiceAccount its permissions in one tenant's namespace. Commands create it with the
 * permissions of their user; the hub cannot grant itself anything.
 *
 * @param hubNamespace namespace of the ServiceAccount
 */
public record TenantBinding(String namespace, String hubNamespace) {
    private static final String SERVICE_ACCOUNT = "osm-hub";
    private static final String GROUP = "rbac.authorization.k8s.io";

    public enum BindingResult {
        CREATED,
        EXISTS,
        /** The user may not create it, and it is not known to exist. */
        NOT_PERMITTED
    }

    public ObjectNode toObject() {
        ObjectNode binding = WireJson.object();
        binding.put("apiVersion", Resource.ROLE_BINDINGS.apiVersion()).put("kind", "RoleBinding");
        binding.putObject("metadata")
                .put("name", TenantAccess.ROLE)
                .put("namespace", namespace)
                .putObject("labels")
                .put("app.kubernetes.io/name", "osm-hub");
        binding.putObject("roleRef")
                .put("apiGroup", GROUP)
                .put("kind", "ClusterRole")
                .put("name", TenantAccess.ROLE);
        binding.putArray("subjects")
                .addObject()
                .put("kind", "ServiceAccount")
                .put("name", SERVICE_ACCOUNT)
                .put("namespace", hubNamespace);
        return binding;
    }

    /** Creates it unless it exists, whatever it grants: the hub reports one that is wrong. Blocks. */
    public BindingResult create(KubeApi managementApi) throws ApiFailure {
        try {
            managementApi.send(ApiRequest.create(Resource.ROLE_BINDINGS, namespace, WireJson.text(toObject())));
            return BindingResult.CREATED;
        } catch (ApiFailure e) {
            if (e.isAlreadyExists()) {
                return BindingResult.EXISTS;
            }
            if (e.isForbidden()) {
                return exists(managementApi) ? BindingResult.EXISTS : BindingResult.NOT_PERMITTED;
            }
            throw e;
        }
    }

    private boolean exists(KubeApi managementApi) throws ApiFailure {
        try {
            return WireJson.find(managementApi, Resource.ROLE_BINDINGS, namespace, TenantAccess.ROLE) != null;
        } catch (ApiFailure e) {
            if (e.isForbidden()) {
                return false;
            }
            throw e;
        }
    }

    /** The command that creates it. */
    public String command() {
        return TenantAccess.bindingCommand(
                namespace, TenantAccess.SERVICE_ACCOUNT + hubNamespace + ":" + SERVICE_ACCOUNT);
    }
}

package io.osmhub.tenancy.registration;

import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.TenantAccess;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import org.jspecify.annotations.Nullable;

/**
 * The RoleBinding that grants the hub's ServiceAccount its permissions in one tenant's namespace. Commands create it with the
 * permissions of their user; the hub cannot grant itself anything.
 *
 * @param hubNamespace namespace of the ServiceAccount
 */
public record TenantBinding(String namespace, String hubNamespace) {
    private static final String SERVICE_ACCOUNT = "osm-hub";

    public enum BindingResult {
        CREATED,
        EXISTS,
        /** The user may not create it, and it is not known to exist. */
        NOT_PERMITTED
    }

    private RoleBinding roleBinding() {
        return new RoleBindingBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(TenantAccess.ROLE)
                .addToLabels("app.kubernetes.io/name", SERVICE_ACCOUNT)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", TenantAccess.ROLE)
                .addNewSubject()
                .withKind("ServiceAccount")
                .withNamespace(hubNamespace)
                .withName(SERVICE_ACCOUNT)
                .endSubject()
                .build();
    }

    /** The manifest as JSON. */
    public String manifest() {
        return WireJson.text(WireJson.tree(roleBinding()));
    }

    /** Creates it unless it exists, whatever it grants: the hub reports one that is wrong. Blocks. */
    public BindingResult create(KubeApi managementApi) throws ApiFailure {
        try {
            RoleBinding binding = roleBinding();
            managementApi.call(
                    client -> client.rbac().roleBindings().resource(binding).create());
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
            return managementApi.<@Nullable RoleBinding>call(client -> client.rbac()
                            .roleBindings()
                            .inNamespace(namespace)
                            .withName(TenantAccess.ROLE)
                            .get())
                    != null;
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

package io.osmhub.tenancy.settings;

import com.google.re2j.Pattern;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.workersync.apiserver.Resource;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Secret or ConfigMap of the management cluster that a tenant's settings name.
 *
 * @param kind SECRETS or CONFIG_MAPS
 */
public record ObjectReference(Resource kind, String namespace, String name) {
    private static final int LONGEST_NAME = 253;
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /**
     * All that settings refer to. A text that cannot be a name refers to nothing: it would stand in a field selector.
     *
     * @param foreign whether settings may name Secrets of other namespaces: only the peer's flags may, which an operator writes
     */
    static Set<ObjectReference> of(Provisioning settings, String tenantNamespace, boolean foreign) {
        Set<ObjectReference> references = new LinkedHashSet<>();
        add(references, settings.kubernetesCa(), tenantNamespace);
        add(references, settings.hostCa(), tenantNamespace);
        SecretName registries = settings.registries().credentialsSecret();
        if (registries != null) {
            boolean own =
                    registries.namespace().isEmpty() || registries.namespace().equals(tenantNamespace);
            if (own || foreign) {
                add(references, Resource.SECRETS, own ? tenantNamespace : registries.namespace(), registries.name());
            }
        }
        KeyRef proxy = settings.proxy().httpProxySecret();
        if (proxy != null) {
            add(references, Resource.SECRETS, tenantNamespace, proxy.name());
        }
        add(references, Resource.SECRETS, tenantNamespace, settings.cloudCredentialsSecret());
        return references;
    }

    private static void add(Set<ObjectReference> references, CaBundle bundle, String namespace) {
        switch (bundle) {
            case CaBundle.None() -> {
                // Nothing is referred to.
            }
            case CaBundle.Inline(String pem) -> {
                // The text itself stands in the settings.
            }
            case CaBundle.FromConfigMap(KeyRef ref) -> add(references, Resource.CONFIG_MAPS, namespace, ref.name());
            case CaBundle.FromSecret(KeyRef ref) -> add(references, Resource.SECRETS, namespace, ref.name());
        }
    }

    private static void add(Set<ObjectReference> references, Resource kind, String namespace, @Nullable String name) {
        if (name != null && name.length() <= LONGEST_NAME && NAME.matches(name)) {
            references.add(new ObjectReference(kind, namespace, name));
        }
    }
}

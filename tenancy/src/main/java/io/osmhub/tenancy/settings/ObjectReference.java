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
 * A Secret or ConfigMap of the management cluster that a tenant's settings reference.
 *
 * @param kind SECRETS or CONFIG_MAPS
 */
public record ObjectReference(Resource kind, String namespace, String name) {
    private static final int LONGEST_NAME = 253;
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /**
     * All references of settings. Skips invalid names, which must not get into a field selector.
     *
     * @param foreign whether Secrets of other namespaces may be referenced: only by OSM's flags, which an operator writes
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
                // No reference.
            }
            case CaBundle.Inline(String pem) -> {
                // The settings contain the text itself.
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

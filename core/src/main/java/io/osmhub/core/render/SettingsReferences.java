package io.osmhub.core.render;

import io.osmhub.core.cluster.ObjectLookup;
import io.osmhub.core.cluster.ObjectLookup.Secret;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.PemBundle;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.SecretName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks up what a tenant's settings refer to: CA bundles, registry credentials, proxy URL, cloud credentials. */
public final class SettingsReferences {
    private static final String NOT_FOUND = "SettingsReferenceNotFound";
    private static final String INVALID = "SettingsInvalid";

    private final String namespace;
    private final ObjectLookup objects;
    private final List<Finding> findings = new ArrayList<>();

    private SettingsReferences(String namespace, ObjectLookup objects) {
        this.namespace = namespace;
        this.objects = objects;
    }

    /**
     * Looks everything up.
     *
     * @param tenantNamespace of the objects; only the peer's flags name another one
     * @param kubernetesCa PEM text that counts when the settings name no CA of their own
     * @throws TenantMistake with every mistake
     */
    public static RenderInput.References resolve(
            Provisioning settings, String tenantNamespace, ObjectLookup objects, String kubernetesCa) {
        SettingsReferences references = new SettingsReferences(tenantNamespace, objects);
        RenderInput.References resolved = new RenderInput.References(
                references.caBundle("provisioning.kubernetesCA", settings.kubernetesCa(), kubernetesCa),
                references.caBundle("provisioning.hostCA", settings.hostCa(), ""),
                references.registryCredentials(settings.registries().credentialsSecret()),
                references.httpProxy(settings.proxy().httpProxySecret()),
                references.cloudCredentials(settings.cloudCredentialsSecret()));
        if (!references.findings.isEmpty()) {
            throw new TenantMistake(references.findings);
        }
        return resolved;
    }

    private String caBundle(String field, CaBundle bundle, String otherwise) {
        return switch (bundle) {
            case CaBundle.None() -> otherwise;
            case CaBundle.Inline(String pem) -> pem;
            case CaBundle.FromConfigMap(KeyRef ref) ->
                certificates(
                        field + ".configMapKeyRef",
                        value(field + ".configMapKeyRef", "ConfigMap", ref, objects.configMap(namespace, ref.name())));
            case CaBundle.FromSecret(KeyRef ref) ->
                certificates(
                        field + ".secretKeyRef",
                        value(field + ".secretKeyRef", "Secret", ref, data(objects.secret(namespace, ref.name()))));
        };
    }

    private String certificates(String field, @Nullable String pem) {
        if (pem == null) {
            return "";
        }
        if (!PemBundle.hasCertificate(pem)) {
            findings.add(new Finding(INVALID, "", field, "holds no certificate that parses", "give PEM text"));
        }
        return pem;
    }

    private RegistryCredentials registryCredentials(@Nullable SecretName name) {
        if (name == null) {
            return RegistryCredentials.NONE;
        }
        String in = name.namespace().isEmpty() ? namespace : name.namespace();
        Secret secret = objects.secret(in, name.name());
        if (secret == null) {
            notFound("provisioning.registries.credentialsSecretRef", "Secret " + name.name(), in);
            return RegistryCredentials.NONE;
        }
        try {
            return RegistryCredentials.read("Secret " + in + "/" + name.name(), secret.type(), secret.data());
        } catch (TenantMistake e) {
            findings.addAll(e.findings());
            return RegistryCredentials.NONE;
        }
    }

    private @Nullable Sensitive httpProxy(@Nullable KeyRef ref) {
        if (ref == null) {
            return null;
        }
        String field = "provisioning.proxy.httpProxySecretRef";
        String url = value(field, "Secret", ref, data(objects.secret(namespace, ref.name())));
        if (url != null && url.lines().count() != 1) {
            findings.add(new Finding(
                    INVALID,
                    "",
                    field,
                    "key " + ref.key() + " of Secret " + ref.name() + " is not one line",
                    "store the URL alone"));
        }
        return url == null ? null : new Sensitive(url.strip());
    }

    private Map<String, String> cloudCredentials(@Nullable String name) {
        if (name == null) {
            return Map.of();
        }
        Secret secret = objects.secret(namespace, name);
        if (secret == null) {
            notFound("provisioning.cloudCredentialsSecretRef", "Secret " + name, namespace);
            return Map.of();
        }
        return secret.data();
    }

    private static @Nullable Map<String, String> data(@Nullable Secret secret) {
        return secret == null ? null : secret.data();
    }

    private @Nullable String value(String field, String kind, KeyRef ref, @Nullable Map<String, String> data) {
        String value = data == null ? null : data.get(ref.key());
        if (value == null) {
            notFound(field, kind + " " + ref.name() + " with key " + ref.key(), namespace);
        }
        return value;
    }

    private void notFound(String field, String object, String in) {
        findings.add(new Finding(
                NOT_FOUND, "", field, "no " + object + " in namespace " + in, "create it, or correct the reference"));
    }
}

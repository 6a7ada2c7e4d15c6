package io.osmhub.core.render;

import com.google.re2j.Pattern;
import io.osmhub.core.cluster.ObjectLookup;
import io.osmhub.core.cluster.ObjectLookup.Secret;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.PemBundle;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.SecretName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Resolves references of a tenant's settings: CA bundles, registry credentials, proxy URL, cloud credentials. */
public final class SettingsReferenceResolver {
    private static final String NOT_FOUND = "SettingsReferenceNotFound";
    private static final String INVALID = "SettingsInvalid";

    /** Types of Secrets that grant access to a cluster. */
    private static final Set<String> ACCESS_TYPES = Set.of(
            "kubernetes.io/service-account-token",
            "bootstrap.kubernetes.io/token",
            "cluster.x-k8s.io/secret",
            "osmhub.io/kubeconfig");

    private static final Pattern PROXY_URL = Pattern.compile(
            "https?://([A-Za-z0-9._~!$&'()*+,;=:%-]*@)?([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?/?");

    private final String namespace;
    private final ObjectLookup objects;
    private final List<ProblemFinding> findings = new ArrayList<>();

    private SettingsReferenceResolver(String namespace, ObjectLookup objects) {
        this.namespace = namespace;
        this.objects = objects;
    }

    /**
     * Resolves all references.
     *
     * @param tenantNamespace of the objects; only OSM's flags name another one
     * @param kubernetesCa default PEM text if the settings name no CA
     * @throws TenantMistake with every mistake
     */
    public static RenderInput.References resolve(
            Provisioning settings, String tenantNamespace, ObjectLookup objects, String kubernetesCa) {
        SettingsReferenceResolver references = new SettingsReferenceResolver(tenantNamespace, objects);
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
        String wrong = PemBundle.findError(pem);
        if (wrong != null) {
            findings.add(new ProblemFinding(INVALID, "", field, wrong, PemBundle.CURE));
            return "";
        }
        return PemBundle.certificatesOnly(pem);
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
        if (isAccess("provisioning.registries.credentialsSecretRef", secret)) {
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
        Secret secret = objects.secret(namespace, ref.name());
        String url = value(field, "Secret", ref, data(secret));
        if (url == null || secret == null || isAccess(field, secret)) {
            return null;
        }
        if (!PROXY_URL.matches(url.strip())) {
            findings.add(new ProblemFinding(
                    INVALID,
                    "",
                    field,
                    "key " + ref.key() + " of Secret " + ref.name() + " is not a proxy's URL",
                    "store only the URL, in one line: http://[USER:PASSWORD@]HOST[:PORT]"));
            return null;
        }
        return new Sensitive(url.strip());
    }

    /**
     * Whether a Secret grants access to a cluster. The hub may read it, and referenced values reach nodes, so such a Secret is
     * rejected even if a value in it has the right format.
     */
    private boolean isAccess(String field, Secret secret) {
        boolean access = ACCESS_TYPES.contains(secret.type())
                || secret.data().values().stream().anyMatch(SettingsReferenceResolver::isKubeconfig);
        if (access) {
            findings.add(new ProblemFinding(
                    INVALID,
                    "",
                    field,
                    "Secret " + secret.name() + " holds a kubeconfig or a token of a cluster",
                    "refer to a Secret with only this setting's value"));
        }
        return access;
    }

    /** Whether the text has the fields of a kubeconfig, in YAML or JSON. */
    private static boolean isKubeconfig(String text) {
        return text.contains("clusters") && text.contains("contexts") && text.contains("users");
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
        return isAccess("provisioning.cloudCredentialsSecretRef", secret) ? Map.of() : secret.data();
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
        findings.add(new ProblemFinding(
                NOT_FOUND, "", field, "no " + object + " in namespace " + in, "create it, or correct the reference"));
    }
}

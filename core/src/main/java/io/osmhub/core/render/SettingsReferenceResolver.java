package io.osmhub.core.render;

import com.google.re2j.Pattern;
import io.osmhub.core.cluster.ObjectLookup;
import io.osmhub.core.cluster.ObjectLookup.Secret;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Resolves references of a tenant's settings: CA bundles, registry credentials, proxy URL. */
public final class SettingsReferenceResolver {
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
    private final List<Problem> findings = new ArrayList<>();

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
                references.httpProxy(settings.proxy().httpProxySecret()));
        if (!references.findings.isEmpty()) {
            throw new TenantMistake(references.findings);
        }
        return resolved;
    }

    private String caBundle(String field, CaBundle bundle, String otherwise) {
        KeyRef configMap = bundle.configMap();
        KeyRef secret = bundle.secret();
        if (configMap != null) {
            return certificates(
                    field + ".configMapKeyRef", "ConfigMap", configMap, objects.configMap(namespace, configMap.name()));
        }
        if (secret != null) {
            return certificates(
                    field + ".secretKeyRef", "Secret", secret, data(objects.secret(namespace, secret.name())));
        }
        return bundle.inline().isEmpty() ? otherwise : bundle.inline();
    }

    private String certificates(String field, String kind, KeyRef ref, @Nullable Map<String, String> data) {
        String pem = value(field, kind, ref, data);
        if (pem == null) {
            return "";
        }
        String wrong = PemBundle.findError(pem);
        if (wrong != null) {
            add(Reason.SettingsInvalid, field, wrong, PemBundle.CURE);
            return "";
        }
        return PemBundle.certificatesOnly(pem);
    }

    private RegistryCredentials registryCredentials(@Nullable SecretName name) {
        if (name == null) {
            return RegistryCredentials.NONE;
        }
        String field = "provisioning.registries.credentialsSecretRef";
        String in = name.namespace().isEmpty() ? namespace : name.namespace();
        Secret secret = objects.secret(in, name.name());
        if (secret == null) {
            addNotFound(field, "Secret " + name.name(), in);
        } else if (!isAccess(field, secret)) {
            try {
                return RegistryCredentials.read(in + "/" + name.name(), secret.type(), secret.data());
            } catch (TenantMistake e) {
                findings.addAll(e.findings());
            }
        }
        return RegistryCredentials.NONE;
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
            add(
                    Reason.SettingsInvalid,
                    field,
                    "key " + ref.key() + " of Secret " + ref.name() + " is not a proxy's URL",
                    "store only the URL, in one line: http://[USER:PASSWORD@]HOST[:PORT]");
            return null;
        }
        return new Sensitive(url.strip());
    }

    /**
     * Whether a Secret grants access to a cluster. The hub may read it, and referenced values reach nodes, so such a Secret is
     * rejected even if a value in it has the right format.
     */
    private boolean isAccess(String field, Secret secret) {
        // A kubeconfig has these fields, in YAML or JSON.
        boolean access = ACCESS_TYPES.contains(secret.type())
                || secret.data().values().stream().anyMatch(text -> Stream.of("clusters", "contexts", "users")
                        .allMatch(text::contains));
        if (access) {
            add(
                    Reason.SettingsInvalid,
                    field,
                    "Secret " + secret.name() + " holds a kubeconfig or a token of a cluster",
                    "refer to a Secret with only this setting's value");
        }
        return access;
    }

    private static @Nullable Map<String, String> data(@Nullable Secret secret) {
        return secret == null ? null : secret.data();
    }

    private @Nullable String value(String field, String kind, KeyRef ref, @Nullable Map<String, String> data) {
        String value = data == null ? null : data.get(ref.key());
        if (value == null) {
            addNotFound(field, kind + " " + ref.name() + " with key " + ref.key(), namespace);
        }
        return value;
    }

    private void addNotFound(String field, String object, String in) {
        add(
                Reason.SettingsReferenceNotFound,
                field,
                "no " + object + " in namespace " + in,
                "create it, or correct the reference");
    }

    private void add(Reason reason, String field, String what, String fix) {
        findings.add(new Problem(reason, ProblemObject.NONE, field, what, fix));
    }
}

package io.osmhub.tenancy.settings;

import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.PemBundle;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Validates a tenant's settings against other objects, the time, and the hub's policy. */
final class SettingsValidator {
    private static final IpNetwork LOOPBACK_4 = IpNetwork.of("127.0.0.0/8");
    private static final IpNetwork LOOPBACK_6 = IpNetwork.of("::1/128");
    private static final IpNetwork LINK_LOCAL_4 = IpNetwork.of("169.254.0.0/16");
    private static final IpNetwork LINK_LOCAL_6 = IpNetwork.of("fe80::/10");

    private final Supplier<KubeconfigRules> rules;
    private final Function<String, @Nullable NamespaceRecord> namespaces;
    private final Supplier<Instant> now;

    /**
     * @param rules of the hub for the tenant's namespace
     * @param namespaces finds a namespace by name
     */
    SettingsValidator(
            Supplier<KubeconfigRules> rules,
            Function<String, @Nullable NamespaceRecord> namespaces,
            Supplier<Instant> now) {
        this.rules = rules;
        this.namespaces = namespaces;
        this.now = now;
    }

    void check(TenantSettings settings, List<Problem> mistakes) {
        checkNodeReachability(settings.provisioning().bootstrap().apiServerUrl(), mistakes);
    }

    /** A loopback or link-local address would direct nodes to themselves. */
    private void checkNodeReachability(String url, List<Problem> mistakes) {
        String host = host(url);
        IpAddress address = IpAddress.parse(host);
        boolean loopback = host.equals("localhost")
                || host.endsWith(".localhost")
                || address != null && (LOOPBACK_4.contains(address) || LOOPBACK_6.contains(address));
        boolean linkLocal = address != null && (LINK_LOCAL_4.contains(address) || LINK_LOCAL_6.contains(address));
        boolean refused = loopback && !rules.get().allows(Allowance.LOOPBACK)
                || linkLocal && !rules.get().allows(Allowance.LINK_LOCAL);
        if (refused) {
            mistakes.add(invalid(
                    "provisioning.bootstrap.apiServerURL",
                    host + " is a " + (loopback ? "loopback" : "link-local") + " address, different on each node",
                    "write the address at which nodes reach the API server, or allow it in kubeconfigPolicy"));
        }
    }

    private static String host(String url) {
        try {
            String host = url.isEmpty() ? null : new URI(url).getHost();
            if (host == null) {
                return "";
            }
            String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return bare.toLowerCase(Locale.ROOT);
        } catch (URISyntaxException e) {
            return "";
        }
    }

    void warn(TenantSettings settings, RenderInput.@Nullable References references, List<Problem> warnings) {
        List<String> granted = settings.profiles().namespaces();
        for (int i = 0; i < granted.size(); i++) {
            NamespaceRecord namespace = namespaces.apply(granted.get(i));
            if (namespace == null || !namespace.offersProfiles()) {
                warnings.add(invalid(
                        "profiles.namespaces[" + i + "]",
                        "namespace " + granted.get(i)
                                + (namespace == null ? " does not exist" : " does not share its profiles"),
                        "label it " + NamespaceRecord.SHARE_PROFILES + "=true, or remove it from the list"));
            }
        }
        if (settings.provisioning().cloudCredentialsSecret() != null) {
            warnings.add(invalid(
                    "provisioning.cloudCredentialsSecretRef",
                    "has no effect, because supported kubelets have no in-tree cloud config",
                    "remove it"));
        }
        if (references != null) {
            TenantSettings.Provisioning provisioning = settings.provisioning();
            if (provisioning.kubernetesCa().exists()) {
                checkExpiry("provisioning.kubernetesCA", references.kubernetesCa(), warnings);
            }
            checkExpiry("provisioning.hostCA", references.hostCa(), warnings);
        }
    }

    private void checkExpiry(String field, String pem, List<Problem> warnings) {
        Instant at = now.get();
        for (X509Certificate certificate : PemBundle.certificates(pem)) {
            Instant end = certificate.getNotAfter().toInstant();
            if (end.isBefore(at)) {
                warnings.add(invalid(
                        field,
                        "certificate " + certificate.getSubjectX500Principal().getName() + " expired " + end,
                        "remove or replace it"));
            }
        }
    }

    private static Problem invalid(String field, String what, String cure) {
        return new Problem(Reason.SettingsInvalid, ProblemObject.NONE, field, what, cure);
    }
}

package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ApiServer;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.CertificateAuthorities;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.Lookup;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WorkerObjects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How nodes of the worker cluster get in: the same for all its MachineDeployments. Safe for use by many threads. */
final class Access {
    private static final ObjectKey CLUSTER_INFO = new ObjectKey("kube-public", "cluster-info");
    private static final ObjectKey FETCH_TOKEN =
            new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, SecretReader.FETCH_TOKEN);

    private final WorkerObjects objects;
    /** The last answer: reading cluster-info is YAML, and it hardly ever changes. */
    private volatile @Nullable Found last;

    private volatile @Nullable Compared compared;

    private record Found(ApiServerDiscovery.Sources sources, String override, Lookup<ApiServer> answer) {}

    private record Compared(String joining, String given, CertificateAuthorities.@Nullable Mismatch answer) {}

    Access(WorkerObjects objects) {
        this.objects = objects;
    }

    Lookup<ApiServer> apiServer(TenantInputs inputs) {
        ApiServerDiscovery.Sources sources = new ApiServerDiscovery.Sources(
                objects.clusterInfo().get(CLUSTER_INFO),
                slices(),
                inputs.references() == null
                        ? inputs.kubeconfigCa()
                        : inputs.references().kubernetesCa());
        String override = inputs.settings().provisioning().bootstrap().apiServerUrl();
        Found known = last;
        if (known != null && known.sources().equals(sources) && known.override().equals(override)) {
            return known.answer();
        }
        Lookup<ApiServer> answer;
        try {
            answer = Lookup.of(ApiServerDiscovery.find(sources, override));
        } catch (TenantMistake e) {
            answer = new Lookup.Missing<>(e.findings());
        }
        last = new Found(sources, override, answer);
        return answer;
    }

    /** Null while they have a certificate in common, or one of them cannot be read. */
    CertificateAuthorities.@Nullable Mismatch mismatch(TenantInputs inputs) {
        if (inputs.references() == null || !(apiServer(inputs) instanceof Lookup.Found<ApiServer>(ApiServer server))) {
            return null;
        }
        String joining = server.certificateAuthority();
        String given = inputs.references().kubernetesCa();
        Compared known = compared;
        if (known == null || !known.joining().equals(joining) || !known.given().equals(given)) {
            known = new Compared(joining, given, CertificateAuthorities.mismatch(joining, given));
            compared = known;
        }
        return known.answer();
    }

    private List<EndpointSlice> slices() {
        List<EndpointSlice> slices = new ArrayList<>();
        objects.endpointSlices().keys().stream()
                .sorted(Comparator.comparing(ObjectKey::name))
                .map(objects.endpointSlices()::get)
                .filter(Objects::nonNull)
                .forEach(slices::add);
        return slices;
    }

    Lookup<Sensitive> fetchToken(TenantInputs inputs) {
        SecretReader.SettingsSecret secret = objects.secrets().get(FETCH_TOKEN);
        if (secret != null && secret.fetchToken() != null) {
            return Lookup.of(secret.fetchToken());
        }
        return Lookup.missing(new Finding(
                "GetterTokenMissing",
                "worker cluster, Secret " + FETCH_TOKEN,
                "",
                secret == null ? "it is missing" : "it has no key token",
                "create ServiceAccount, Role and token Secret: hub cluster prepare " + inputs.workerCluster() + " -n "
                        + inputs.namespace()));
    }

    /** The token of the settings' ServiceAccount; asked for only when they name one. */
    Lookup<Sensitive> serviceAccountToken(TenantInputs inputs) {
        ServiceAccountName account =
                inputs.settings().provisioning().bootstrap().serviceAccount();
        if (account != null) {
            Sensitive token = token(account);
            if (token != null) {
                return Lookup.of(token);
            }
        }
        String name = account == null ? "" : account.namespace() + "/" + account.name();
        return Lookup.missing(new Finding(
                "ServiceAccountTokenMissing",
                "",
                "provisioning.bootstrap.serviceAccountRef",
                "no token Secret of type " + SecretReader.SERVICE_ACCOUNT_TOKEN + " for ServiceAccount " + name,
                "create one"));
    }

    /** The first that the account lists, as the peer takes it; else the first by name that is made for it. */
    private @Nullable Sensitive token(ServiceAccountName account) {
        List<String> listed = objects.serviceAccount().get(new ObjectKey(account.namespace(), account.name()));
        if (listed == null) {
            return null;
        }
        for (String secret : listed) {
            SecretReader.AccountToken token = objects.accountTokens().get(new ObjectKey(account.namespace(), secret));
            if (token != null) {
                return token.token();
            }
        }
        return objects.accountTokens().all().stream()
                .filter(token -> token.account().equals(account.name()))
                .min(Comparator.comparing(SecretReader.AccountToken::secret))
                .map(SecretReader.AccountToken::token)
                .orElse(null);
    }
}

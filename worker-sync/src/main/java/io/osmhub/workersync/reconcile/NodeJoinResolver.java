package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.CertificateAuthorityMatcher;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WorkerInformers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Resolves how nodes join the worker cluster, which is the same for all its MachineDeployments. Thread-safe. */
final class NodeJoinResolver {
    private static final ObjectKey CLUSTER_INFO = new ObjectKey("kube-public", "cluster-info");
    private static final ObjectKey FETCH_TOKEN =
            new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, SecretReader.FETCH_TOKEN);

    private final WorkerInformers objects;
    /** Cached, because parsing cluster-info is slow and it rarely changes. */
    private volatile @Nullable CachedApiServer last;

    private volatile @Nullable CachedMismatch compared;

    private record CachedApiServer(
            ApiServerDiscovery.Sources sources, String override, LookupResult<ApiServerEndpoint> answer) {}

    private record CachedMismatch(
            String joining, String given, CertificateAuthorityMatcher.@Nullable Mismatch answer) {}

    NodeJoinResolver(WorkerInformers objects) {
        this.objects = objects;
    }

    LookupResult<ApiServerEndpoint> resolveApiServer(TenantInputs inputs) {
        ProblemFinding unreadable = objects.clusterInfo().unreadable(CLUSTER_INFO);
        if (unreadable != null) {
            return LookupResult.missing(unreadable);
        }
        ApiServerDiscovery.Sources sources = new ApiServerDiscovery.Sources(
                objects.clusterInfo().get(CLUSTER_INFO),
                slices(),
                inputs.references() == null
                        ? inputs.kubeconfigCa()
                        : inputs.references().kubernetesCa());
        String override = inputs.settings().provisioning().bootstrap().apiServerUrl();
        CachedApiServer known = last;
        if (known != null && known.sources().equals(sources) && known.override().equals(override)) {
            return known.answer();
        }
        LookupResult<ApiServerEndpoint> answer;
        try {
            answer = LookupResult.of(ApiServerDiscovery.find(sources, override));
        } catch (TenantMistake e) {
            answer = new LookupResult.Missing<>(e.findings());
        }
        last = new CachedApiServer(sources, override, answer);
        return answer;
    }

    /** Returns null if they share a certificate, or one of them cannot be read. */
    CertificateAuthorityMatcher.@Nullable Mismatch findMismatch(TenantInputs inputs) {
        if (inputs.references() == null
                || !(resolveApiServer(inputs)
                        instanceof LookupResult.Found<ApiServerEndpoint>(ApiServerEndpoint server))) {
            return null;
        }
        String joining = server.certificateAuthority();
        String given = inputs.references().kubernetesCa();
        CachedMismatch known = compared;
        if (known == null || !known.joining().equals(joining) || !known.given().equals(given)) {
            known = new CachedMismatch(joining, given, CertificateAuthorityMatcher.findMismatch(joining, given));
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

    LookupResult<Sensitive> resolveFetchToken(TenantInputs inputs) {
        ProblemFinding unreadable = objects.secrets().unreadable(FETCH_TOKEN);
        if (unreadable != null) {
            return LookupResult.missing(unreadable);
        }
        SecretReader.SettingsSecret secret = objects.secrets().get(FETCH_TOKEN);
        if (secret != null && secret.fetchToken() != null) {
            return LookupResult.of(secret.fetchToken());
        }
        return LookupResult.missing(new ProblemFinding(
                "GetterTokenMissing",
                "worker cluster, Secret " + FETCH_TOKEN,
                "",
                secret == null ? "missing" : "missing key token",
                "create ServiceAccount, Role and token Secret: hub cluster prepare " + inputs.workerCluster() + " -n "
                        + inputs.namespace()));
    }

    /** Resolves the token of the ServiceAccount in the settings; call only if they name one. */
    LookupResult<Sensitive> resolveServiceAccountToken(TenantInputs inputs) {
        ServiceAccountName account =
                inputs.settings().provisioning().bootstrap().serviceAccount();
        if (account != null) {
            Sensitive token = token(account);
            if (token != null) {
                return LookupResult.of(token);
            }
        }
        String name = account == null ? "" : account.namespace() + "/" + account.name();
        return LookupResult.missing(new ProblemFinding(
                "ServiceAccountTokenMissing",
                "",
                "provisioning.bootstrap.serviceAccountRef",
                "no token Secret of type " + SecretReader.SERVICE_ACCOUNT_TOKEN + " for ServiceAccount " + name,
                "create one"));
    }

    /** The first token that the account lists, as OSM selects it; else the first by name that was created for it. */
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

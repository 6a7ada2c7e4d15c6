package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.CertificateAuthorityMismatch;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WorkerInformers;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Resolves how nodes join the worker cluster, which is the same for all its MachineDeployments. Thread-safe. */
final class NodeJoinResolver {
    private static final ObjectKey CLUSTER_INFO = new ObjectKey("kube-public", "cluster-info");
    private static final ObjectKey FETCH_TOKEN =
            new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, SecretReader.FETCH_TOKEN);

    private final WorkerInformers informers;
    /** Cached, because parsing cluster-info is slow and it rarely changes. */
    private volatile @Nullable CachedApiServer cachedApiServer;

    private volatile @Nullable CachedMismatch cachedMismatch;

    private record CachedApiServer(
            ApiServerDiscovery.Sources sources, String override, LookupResult<ApiServerEndpoint> result) {}

    private record CachedMismatch(
            String joining, String given, @Nullable CertificateAuthorityMismatch result) {}

    NodeJoinResolver(WorkerInformers informers) {
        this.informers = informers;
    }

    LookupResult<ApiServerEndpoint> resolveApiServer(TenantInputs inputs) {
        Problem unreadable = informers.clusterInfo().unreadable(CLUSTER_INFO);
        if (unreadable != null) {
            return LookupResult.missing(unreadable.inWorkerCluster());
        }
        ApiServerDiscovery.Sources sources = new ApiServerDiscovery.Sources(
                informers.clusterInfo().get(CLUSTER_INFO),
                endpointSlices(),
                inputs.references() == null
                        ? inputs.kubeconfigCa()
                        : inputs.references().kubernetesCa());
        String override = inputs.settings().provisioning().bootstrap().apiServerUrl();
        CachedApiServer known = cachedApiServer;
        if (known != null && known.sources().equals(sources) && known.override().equals(override)) {
            return known.result();
        }
        LookupResult<ApiServerEndpoint> result = LookupResult.lookup(() -> ApiServerDiscovery.find(sources, override));
        cachedApiServer = new CachedApiServer(sources, override, result);
        return result;
    }

    /** Returns null if they share a certificate, or one of them cannot be read. */
    @Nullable CertificateAuthorityMismatch findMismatch(TenantInputs inputs) {
        ApiServerEndpoint server =
                inputs.references() == null ? null : resolveApiServer(inputs).value();
        if (inputs.references() == null || server == null) {
            return null;
        }
        String joining = server.certificateAuthority();
        String given = inputs.references().kubernetesCa();
        CachedMismatch known = cachedMismatch;
        if (known == null || !known.joining().equals(joining) || !known.given().equals(given)) {
            known = new CachedMismatch(joining, given, CertificateAuthorityMismatch.find(joining, given));
            cachedMismatch = known;
        }
        return known.result();
    }

    private List<EndpointSlice> endpointSlices() {
        return informers.endpointSlices().keys().stream()
                .sorted(Comparator.comparing(ObjectKey::name))
                .map(informers.endpointSlices()::get)
                .filter(Objects::nonNull)
                .toList();
    }

    LookupResult<Sensitive> resolveFetchToken(TenantInputs inputs) {
        Problem unreadable = informers.secrets().unreadable(FETCH_TOKEN);
        if (unreadable != null) {
            return LookupResult.missing(unreadable.inWorkerCluster());
        }
        SecretReader.SettingsSecret secret = informers.secrets().get(FETCH_TOKEN);
        if (secret != null && secret.fetchToken() != null) {
            return LookupResult.of(secret.fetchToken());
        }
        return LookupResult.missing(new Problem(
                Reason.GetterTokenMissing,
                ProblemObject.inWorker("Secret", FETCH_TOKEN.toString()),
                "",
                secret == null ? "missing" : "missing key token",
                "create ServiceAccount, Role and token Secret"));
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
        return LookupResult.missing(new Problem(
                Reason.ServiceAccountTokenMissing,
                ProblemObject.NONE,
                "provisioning.bootstrap.serviceAccountRef",
                "no token Secret of type " + SecretReader.SERVICE_ACCOUNT_TOKEN + " for ServiceAccount " + name,
                "create one"));
    }

    /** The first token that the account lists, as OSM selects it; else the first by name that was created for it. */
    private @Nullable Sensitive token(ServiceAccountName account) {
        List<String> listed = informers.serviceAccount().get(new ObjectKey(account.namespace(), account.name()));
        if (listed == null) {
            return null;
        }
        Stream<SecretReader.@Nullable AccountToken> listedTokens = listed.stream()
                .map(secret -> informers.accountTokens().get(new ObjectKey(account.namespace(), secret)));
        Stream<SecretReader.AccountToken> createdTokens = informers.accountTokens().all().stream()
                .filter(token -> token.account().equals(account.name()))
                .sorted(Comparator.comparing(SecretReader.AccountToken::secret));
        return Stream.concat(listedTokens, createdTokens)
                .filter(Objects::nonNull)
                .map(SecretReader.AccountToken::token)
                .findFirst()
                .orElse(null);
    }
}

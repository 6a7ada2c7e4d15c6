package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about one MachineDeployment at decision time: one value, so that a decision is repeatable and consistent.
 *
 * @param otherClaimants other MachineDeployments of the worker cluster that claim one of the same names
 * @param profile the one that the MachineDeployment names; missing also when it names none
 * @param apiServer the API server as nodes reach it
 * @param fetch tokens with which machines can fetch their configuration
 * @param serviceAccountToken token of {@code bootstrap.serviceAccountRef}; ignored unless the settings name one
 * @param canWrite false while the tenant is paused: changes are reported, not applied
 * @param canReplaceOsm whether content that OSM published may be replaced by other content
 */
public record Facts(
        MachineDeployment machineDeployment,
        List<NameClaimant> otherClaimants,
        LookupResult<RenderInput.Profile> profile,
        Tenant tenant,
        LookupResult<ApiServerEndpoint> apiServer,
        FetchTokenFacts fetch,
        LookupResult<Sensitive> serviceAccountToken,
        FoundObjects found,
        Instant now,
        boolean canWrite,
        boolean canReplaceOsm) {
    public Facts {
        otherClaimants = List.copyOf(otherClaimants);
    }

    /** The MachineDeployment itself. */
    NameClaimant self() {
        return new NameClaimant(machineDeployment, profile, found.tokens());
    }

    /** What the tenant's settings and worker cluster lack for rendering. */
    List<Problem> findMissingSettings() {
        return Stream.of(tenant.references(), apiServer)
                .flatMap(lookup -> lookup.findings().stream())
                .map(finding -> finding.ofWorkerCluster(tenant.workerCluster()))
                .toList();
    }

    /** Another MachineDeployment that claims one of the same names, with its profile and the tokens of its key. */
    public record NameClaimant(
            MachineDeployment machineDeployment, LookupResult<RenderInput.Profile> profile, List<StoredToken> tokens) {
        public NameClaimant {
            tokens = List.copyOf(tokens);
        }
    }

    /**
     * The tenant's data in the management cluster.
     *
     * @param hub the hub that serves it
     * @param references resolved references of the settings; missing while the settings are invalid
     */
    public record Tenant(
            String namespace,
            String workerCluster,
            HubIdentity hub,
            Provisioning settings,
            LookupResult<RenderInput.References> references) {
        /**
         * With the certificate authorities of the API server, unless the settings or the kubeconfig have some. Without any,
         * machines start but their kubelets cannot join.
         */
        public Tenant withCertificateAuthority(LookupResult<ApiServerEndpoint> apiServer) {
            RenderInput.References known = references.value();
            ApiServerEndpoint server = apiServer.value();
            if (known == null || server == null || !known.kubernetesCa().isEmpty()) {
                return this;
            }
            LookupResult<RenderInput.References> completed = server.certificateAuthority()
                            .isEmpty()
                    ? LookupResult.missing(new Problem(
                            Reason.CertificateAuthorityMissing,
                            ProblemObject.of("WorkerCluster", workerCluster),
                            "",
                            "no CA certificate for nodes",
                            "set spec.provisioning.kubernetesCA, or put certificate-authority-data into cluster-info"))
                    : LookupResult.of(known.withKubernetesCa(server.certificateAuthority()));
            return new Tenant(namespace, workerCluster, hub, settings, completed);
        }
    }

    /**
     * The tokens with which the machines of one MachineDeployment can fetch their configuration.
     *
     * @param shared the token of all MachineDeployments
     * @param canGrant whether the hub may create accounts and roles for single MachineDeployments, and has read the existing ones
     * @param grants those found under the MachineDeployment's name
     * @param stored the token beside the user-data in the bootstrap secret; null if none
     * @param requested one that was requested and is not published yet; null if none
     */
    public record FetchTokenFacts(
            LookupResult<Sensitive> shared,
            boolean canGrant,
            Map<GrantKind, StoredGrant> grants,
            @Nullable FetchToken stored,
            @Nullable FetchToken requested) {
        public FetchTokenFacts {
            grants = Collections.unmodifiableMap(new TreeMap<>(grants));
        }

        /** Facts without scoped tokens. */
        public static FetchTokenFacts shared(LookupResult<Sensitive> token) {
            return new FetchTokenFacts(token, false, Map.of(), null, null);
        }
    }

    /**
     * The objects under the names of one MachineDeployment, from any writer.
     *
     * @param secrets those of {@code cloud-init-settings}, by role
     * @param tokens all whose label is the MachineDeployment's key, in any order
     * @param config null if none
     */
    public record FoundObjects(
            Map<SecretRole, StoredSecret> secrets,
            List<StoredToken> tokens,
            @Nullable StoredConfig config) {
        public static final FoundObjects NONE = new FoundObjects(Map.of(), List.of(), null);

        public FoundObjects {
            secrets = Collections.unmodifiableMap(new TreeMap<>(secrets));
            tokens = List.copyOf(tokens);
        }

        /** All but the secrets. */
        Stream<StoredObject> tokensAndConfig() {
            return Stream.concat(tokens.stream(), Stream.ofNullable(config));
        }

        public @Nullable StoredSecret secret(SecretRole role) {
            return secrets.get(role);
        }

        /** Name of the Secret with the bootstrap token that was published last and is missing now; null if none. */
        public @Nullable String deletedToken() {
            String published = config == null ? null : config.publishedToken();
            return published == null
                            || tokens.stream().anyMatch(token -> token.name().equals(published))
                    ? null
                    : published;
        }
    }

    /**
     * Result of looking up an input.
     *
     * @param value null if it is missing
     * @param findings why it is missing; empty if it was found
     */
    public record LookupResult<T>(@Nullable T value, List<Problem> findings) {
        public LookupResult {
            findings = List.copyOf(findings);
            if ((value == null) == findings.isEmpty()) {
                throw new IllegalArgumentException("missing without a finding");
            }
        }

        public static <T> LookupResult<T> of(T value) {
            return new LookupResult<>(value, List.of());
        }

        public static <T> LookupResult<T> missing(Problem finding) {
            return new LookupResult<>(null, List.of(finding));
        }

        /** @param findings at least one */
        public static <T> LookupResult<T> missing(List<Problem> findings) {
            return new LookupResult<>(null, findings);
        }

        /** The supplied value; missing if the supplier throws a {@link TenantMistake}. */
        public static <T> LookupResult<T> lookup(Supplier<T> input) {
            try {
                return of(input.get());
            } catch (TenantMistake e) {
                return missing(e.findings());
            }
        }

        /** @throws TenantMistake with the findings if it is missing */
        T require() {
            if (value == null) {
                throw new TenantMistake(findings);
            }
            return value;
        }
    }
}

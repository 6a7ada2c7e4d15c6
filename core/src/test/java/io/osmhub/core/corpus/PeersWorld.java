package io.osmhub.core.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Facts.FetchTokenFacts;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.OsmFlags;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.core.template.language.TemplateEngines;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A case as the hub finds it that takes over from OSM: its inputs, and the results that OSM left. */
public final class PeersWorld {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Map<SecretRole, String> FILES = Map.of(
            SecretRole.KUBELET_BOOTSTRAP, "kubelet-bootstrap-secret.yaml",
            SecretRole.PROVISIONING, "provisioning-secret.yaml",
            SecretRole.BOOTSTRAP, "bootstrap-secret.yaml");

    private final PipelineCase test;
    private final CaseCluster cluster;
    private final MachineDeployment machineDeployment;
    private final ObjectNames names;
    private final Provisioning settings;

    /** @throws TenantMistake when the case's flags or MachineDeployment cannot be read */
    public PeersWorld(PipelineCase test) {
        this.test = test;
        this.cluster = new CaseCluster(test.config().path("objects"));
        MachineDeployment read = MachineDeployment.read(test.machineDeployment());
        this.machineDeployment = new MachineDeployment(
                read.namespace(),
                read.name(),
                "uid-1",
                "1",
                NOW.minus(Duration.ofDays(1)),
                null,
                List.of(MachineDeployment.FINALIZER),
                read.annotations(),
                read.kubeletVersion(),
                read.providerSpec(),
                new TreeMap<>());
        this.names = ObjectNames.of(machineDeployment);
        this.settings = new LayeredSettings(
                        SettingsLayer.EMPTY,
                        OsmFlags.read(test.flags(), test.text("kubernetesCABundle"), test.text("hostCABundle")))
                .toTenantSettings()
                .provisioning();
    }

    /** With the objects that OSM left. */
    public Facts facts() {
        Map<SecretRole, StoredSecret> secrets = new EnumMap<>(SecretRole.class);
        FILES.forEach((role, file) -> {
            String text = test.wanted().get(file);
            if (text != null) {
                secrets.put(role, secret(PipelineCorpus.yaml(text)));
            }
        });
        String config = test.wanted().get(PipelineResult.OSC);
        String kubernetesCa = settings.kubernetesCa().inline().isEmpty()
                ? Objects.requireNonNullElse(test.text("kubernetesCACert"), "")
                : settings.kubernetesCa().inline();
        return new Facts(
                machineDeployment,
                List.of(),
                LookupResult.lookup(this::profile),
                new Facts.Tenant(
                        test.namespace(),
                        "wc",
                        new HubIdentity("hub", Set.of()),
                        settings,
                        LookupResult.lookup(() -> new RenderInput.References(
                                kubernetesCa, settings.hostCa().inline(), registryCredentials(), null))),
                LookupResult.lookup(() -> ApiServerDiscovery.find(
                        new ApiServerDiscovery.Sources(
                                test.text("clusterInfoKubeconfig"), cluster.endpointSlices(), kubernetesCa),
                        settings.bootstrap().apiServerUrl())),
                FetchTokenFacts.shared(LookupResult.lookup(() -> new Sensitive(found(fetchToken())))),
                LookupResult.lookup(() -> new Sensitive(found(serviceAccountToken()))),
                new FoundObjects(secrets, tokens(), config == null ? null : config(PipelineCorpus.yaml(config))),
                NOW,
                true,
                true);
    }

    private static <T> T found(@Nullable T value) {
        if (value == null) {
            throw new TenantMistake(new Problem(Reason.GetterTokenMissing, ProblemObject.NONE, "", "missing", ""));
        }
        return value;
    }

    private RenderInput.Profile profile() {
        TemplateEngines languages = new TemplateEngines();
        OperatingSystemProfile profile = ProfileReader.stored().read(found(test.profile()));
        return new RenderInput.Profile(
                test.profileNamespace(),
                profile.name(),
                new CompiledProfileCache(languages, 1).getOrCompile(profile.spec()));
    }

    private RegistryCredentials registryCredentials() {
        SecretName name = settings.registries().credentialsSecret();
        if (name == null) {
            return RegistryCredentials.NONE;
        }
        CaseCluster.Secret secret = found(cluster.secret(name.namespace(), name.name()));
        return RegistryCredentials.read(name.name(), secret.type(), secret.data());
    }

    private @Nullable String fetchToken() {
        CaseCluster.Secret secret = cluster.secret(ObjectNames.SETTINGS_NAMESPACE, "cloud-init-getter-token");
        String given = test.text("apiServerToken");
        return given != null || secret == null ? given : secret.data().get("token");
    }

    private @Nullable String serviceAccountToken() {
        ServiceAccountName account = settings.bootstrap().serviceAccount();
        JsonNode object =
                account == null ? null : cluster.object("ServiceAccount", account.namespace(), account.name());
        if (account == null || object == null) {
            return null;
        }
        for (JsonNode reference : object.path("secrets")) {
            CaseCluster.Secret secret =
                    cluster.secret(account.namespace(), reference.path("name").asText());
            if (secret != null && secret.type().equals("kubernetes.io/service-account-token")) {
                return secret.data().getOrDefault("token", "");
            }
        }
        return null;
    }

    private List<StoredToken> tokens() {
        JsonNode given = test.config().path("bootstrapToken");
        if (!given.isMissingNode()) {
            return List.of(token(Map.of(
                    BootstrapToken.ID, given.path("id").asText(),
                    BootstrapToken.SECRET, given.path("secret").asText())));
        }
        return cluster.bootstrapTokens(names).stream()
                .map(secret -> token(secret.data()))
                .toList();
    }

    /** An hour and a half from its end, so that it is not to be extended. */
    private StoredToken token(Map<String, String> data) {
        SortedMap<String, String> all = new TreeMap<>(data);
        all.put(BootstrapToken.EXPIRATION, BootstrapToken.expirationText(NOW.plus(Duration.ofMinutes(90))));
        all.put(BootstrapToken.AUTHENTICATION, "true");
        all.put(BootstrapToken.GROUPS, BootstrapToken.NODE_GROUP);
        return StoredToken.of(
                new StoredSecret(
                        ObjectNames.TOKEN_NAMESPACE,
                        BootstrapToken.SECRET_NAME_PREFIX + data.get(BootstrapToken.ID),
                        "u",
                        "1",
                        BootstrapToken.SECRET_TYPE,
                        false,
                        new TreeMap<>(),
                        new TreeMap<>(Map.of(BootstrapToken.LABEL, names.key())),
                        new TreeMap<>(),
                        0,
                        "osm-controller"),
                NOW.minus(Duration.ofHours(1)),
                all);
    }

    private static StoredSecret secret(JsonNode object) {
        SortedMap<String, String> digests = new TreeMap<>();
        object.path("data")
                .properties()
                .forEach(entry -> digests.put(
                        entry.getKey(),
                        sha256(Base64.getDecoder().decode(entry.getValue().asText()))));
        JsonNode metadata = object.path("metadata");
        return new StoredSecret(
                ObjectNames.SETTINGS_NAMESPACE,
                metadata.path("name").asText(),
                "u",
                "1",
                object.path("type").asText(StoredSecret.OPAQUE),
                object.path("immutable").asBoolean(),
                annotations(metadata),
                new TreeMap<>(),
                digests,
                1,
                "osm-controller");
    }

    private StoredConfig config(JsonNode object) {
        return new StoredConfig(
                test.namespace(),
                object.path("metadata").path("name").asText(),
                "u",
                "1",
                1,
                annotations(object.path("metadata")),
                SpecHash.of(object.path("spec").toString()),
                null,
                "osm-controller");
    }

    private static SortedMap<String, String> annotations(JsonNode metadata) {
        SortedMap<String, String> annotations = new TreeMap<>();
        metadata.path("annotations")
                .properties()
                .forEach(entry ->
                        annotations.put(entry.getKey(), entry.getValue().asText()));
        return annotations;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether OSM left everything: where it refused a case, it left a part. */
    public boolean isWhole() {
        return test.wanted().keySet().containsAll(FILES.values())
                && !test.wanted().containsKey(PipelineResult.ERROR);
    }
}

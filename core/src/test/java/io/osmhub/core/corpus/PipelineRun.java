package io.osmhub.core.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.ProfileCompatibility;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.OsmFlags;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.userdata.EdgeScript;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Runs one case the way of one reconciliation of OSM: flags, profile, token, kubeconfig, OSC, secrets. What exists already
 * and carries the right stamps is kept. Stops at the first problem; what was made until then is part of the result.
 */
public final class PipelineRun {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REGISTRY_FLAG = "-node-registry-credentials-secret";

    private final CompiledProfileCache profiles = new CompiledProfileCache(new TemplateEngines(), 64);
    private final Renderer renderer = new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, System::nanoTime)::open);

    private final List<Problem> contentFindings = new ArrayList<>();

    /** What a machine could not read of the documents of all runs so far. */
    public List<Problem> contentFindings() {
        return List.copyOf(contentFindings);
    }

    /** Runs a case with the settings of its flags. */
    public PipelineResult run(PipelineCase test) {
        return new OneRun(test).run(null);
    }

    /** Runs a case with other settings than those of its flags. */
    public PipelineResult run(PipelineCase test, SettingsLayer settings) {
        return new OneRun(test).run(settings);
    }

    private final class OneRun {
        private final PipelineCase test;
        private final CaseCluster cluster;
        private final Map<String, String> files = new LinkedHashMap<>();
        private @Nullable String revealed;

        OneRun(PipelineCase test) {
            this.test = test;
            this.cluster = new CaseCluster(test.config().path("objects"));
        }

        PipelineResult run(@Nullable SettingsLayer settings) {
            try {
                SettingsLayer layer = settings != null
                        ? settings
                        : OsmFlags.read(test.flags(), test.text("kubernetesCABundle"), test.text("hostCABundle"));
                reconcile(new LayeredSettings(SettingsLayer.EMPTY, layer)
                        .toTenantSettings()
                        .provisioning());
                return new PipelineResult(files, revealed, List.of());
            } catch (TenantMistake e) {
                files.put(PipelineResult.ERROR, String.valueOf(e.getMessage()));
                return new PipelineResult(files, revealed, e.findings());
            }
        }

        private void reconcile(Provisioning settings) {
            MachineDeployment machineDeployment = MachineDeployment.read(test.machineDeployment());
            ObjectNames names = ObjectNames.of(machineDeployment);
            OperatingSystemProfile profile = profile(machineDeployment);
            requireServes(profile, machineDeployment);

            String kubernetesCa = settings.kubernetesCa().inline().isEmpty()
                    ? Objects.requireNonNullElse(test.text("kubernetesCACert"), "")
                    : settings.kubernetesCa().inline();
            Token token = token(settings, names);
            ApiServerEndpoint apiServer = ApiServerDiscovery.find(
                    new ApiServerDiscovery.Sources(
                            test.text("clusterInfoKubeconfig"), cluster.endpointSlices(), kubernetesCa),
                    settings.bootstrap().apiServerUrl());
            SourceAnnotations stamps =
                    SourceAnnotations.of(machineDeployment, profile.spec().version());
            JsonNode stored = cluster.object("OperatingSystemConfig", test.namespace(), names.operatingSystemConfig());
            boolean rotated = stored != null && !stamped(stored, stamps);
            kubeletSecret(names, apiServer.bootstrapKubeconfig(token.text), token.existed && !rotated);
            if (stored != null && !rotated) {
                keep(stored, machineDeployment, names, stamps);
                return;
            }
            RegistryCredentials registries = registryCredentials(settings);
            RenderInput input = new RenderInput(
                    test.namespace(),
                    machineDeployment,
                    new RenderInput.Profile(
                            test.profileNamespace(), profile.name(), profiles.getOrCompile(profile.spec())),
                    settings,
                    new RenderInput.BootstrapAccess(apiServer, token.text, fetchToken()),
                    new RenderInput.References(kubernetesCa, settings.hostCa().inline(), registries, null));
            RenderedConfig rendering = renderer.render(input);
            files.put(PipelineResult.OSC, OperatingSystemConfigWriter.object(rendering.stored()));
            revealed = OperatingSystemConfigWriter.spec(rendering.revealed());
            edgeScript(rendering, apiServer, input, kubernetesCa);
            RenderedConfig.Documents documents;
            try {
                documents = UserDataDocuments.createDocuments(input, rendering);
                contentFindings.addAll(new NodeContentCheck().check(input, rendering, documents));
            } catch (TenantMistake mistake) {
                if (mistake.findings().getFirst().field().startsWith("spec.bootstrapConfig")) {
                    firstSecret(rendering, machineDeployment, stamps, rotated);
                }
                throw mistake;
            }
            secret("provisioning", names.provisioningSecret(), documents.provisioning(), stamps, rotated);
            secret("bootstrap", names.bootstrapSecret(), documents.bootstrap(), stamps, rotated);
        }

        /** Where the bootstrap document cannot be made, OSM has stored the provisioning secret already. */
        private void firstSecret(
                RenderedConfig rendering,
                MachineDeployment machineDeployment,
                SourceAnnotations stamps,
                boolean rotated) {
            try {
                secret(
                        "provisioning",
                        rendering.names().provisioningSecret(),
                        document(rendering.revealed(), rendering.names(), machineDeployment, false),
                        stamps,
                        rotated);
            } catch (TenantMistake alsoRefused) {
                files.remove("provisioning.txt");
            }
        }

        private static String document(
                OperatingSystemConfig.Spec spec,
                ObjectNames names,
                MachineDeployment machineDeployment,
                boolean bootstrap) {
            return UserDataGenerator.generateDocument(new UserDataInput(
                    bootstrap ? spec.bootstrapConfig() : spec.provisioningConfig(),
                    spec.provisioningUtility(),
                    spec.osName(),
                    spec.cloudProvider(),
                    names.name(),
                    ProviderConfig.decode(machineDeployment).strict().distUpgradeOnBoot(machineDeployment),
                    bootstrap));
        }

        private OperatingSystemProfile profile(MachineDeployment machineDeployment) {
            String namespace = machineDeployment.profileNamespace().isEmpty()
                    ? test.namespace()
                    : machineDeployment.profileNamespace();
            OperatingSystemProfile profile =
                    test.profile() == null ? null : ProfileReader.stored().read(test.profile());
            if (profile == null
                    || !profile.name().equals(machineDeployment.profileName())
                    || !namespace.equals(test.profileNamespace())) {
                throw new TenantMistake(new Problem(
                        Reason.ProfileNotFound,
                        machineDeployment.describe(),
                        "annotation " + MachineDeployment.PROFILE,
                        "no OperatingSystemProfile \"" + machineDeployment.profileName() + "\" in " + namespace,
                        ""));
            }
            return profile;
        }

        private void requireServes(OperatingSystemProfile profile, MachineDeployment machineDeployment) {
            try {
                ProfileCompatibility.requireCompatible(
                        profile.spec(),
                        profile.name(),
                        machineDeployment,
                        ProviderConfig.decode(machineDeployment).lenient());
            } catch (TenantMistake e) {
                Problem first = e.findings().getFirst();
                if (first.reason().wireName().startsWith("Profile")) {
                    files.put(PipelineResult.EVENTS, "Warning OperatingSystemProfileError " + first.cause() + "\n");
                }
                throw e;
            }
        }

        private record Token(Sensitive text, boolean existed) {}

        private Token token(Provisioning settings, ObjectNames names) {
            ServiceAccountName account = settings.bootstrap().serviceAccount();
            if (account != null) {
                return new Token(serviceAccountToken(account), false);
            }
            if (!names.findTooLongNames().isEmpty()) {
                throw new TenantMistake(names.findTooLongNames());
            }
            List<CaseCluster.Secret> tokens = cluster.bootstrapTokens(names);
            JsonNode given = test.config().path("bootstrapToken");
            int count = tokens.size() + (given.isMissingNode() ? 0 : 1);
            if (count > 1) {
                throw new TenantMistake(new Problem(
                        Reason.BootstrapTokenReplaced,
                        ProblemObject.of("MachineDeployment", names.namespace() + "/" + names.name()),
                        "",
                        "expected to find exactly one secret for the given machine name =" + names.key() + " but found "
                                + count,
                        ""));
            }
            if (count == 0) {
                BootstrapToken fresh = BootstrapToken.generate(
                        new Random(1), Instant.EPOCH, settings.bootstrap().tokenTtl());
                return new Token(fresh.text(), false);
            }
            String text = given.isMissingNode()
                    ? tokens.getFirst().data().get("token-id") + "."
                            + tokens.getFirst().data().get("token-secret")
                    : given.path("id").asText() + "." + given.path("secret").asText();
            return new Token(new Sensitive(text), true);
        }

        private Sensitive serviceAccountToken(ServiceAccountName account) {
            JsonNode object = cluster.object("ServiceAccount", account.namespace(), account.name());
            if (object != null) {
                for (JsonNode reference : object.path("secrets")) {
                    CaseCluster.Secret secret = cluster.secret(
                            account.namespace(), reference.path("name").asText());
                    if (secret != null && secret.type().equals("kubernetes.io/service-account-token")) {
                        return new Sensitive(secret.data().getOrDefault("token", ""));
                    }
                }
            }
            throw new TenantMistake(new Problem(
                    Reason.ServiceAccountTokenMissing,
                    ProblemObject.of("ServiceAccount", account.namespace() + "/" + account.name()),
                    "",
                    "no serviceAccountSecret found",
                    "create a token Secret for it"));
        }

        private Sensitive fetchToken() {
            String token = test.text("apiServerToken");
            CaseCluster.Secret secret = cluster.secret(ObjectNames.SETTINGS_NAMESPACE, "cloud-init-getter-token");
            if (token == null && secret != null) {
                token = secret.data().get("token");
            }
            if (token == null) {
                throw new TenantMistake(new Problem(
                        Reason.GetterTokenMissing,
                        ProblemObject.input("worker cluster"),
                        "Secret cloud-init-settings/cloud-init-getter-token",
                        secret == null ? "not found" : "no key token",
                        "create ServiceAccount, Role and token Secret"));
            }
            return new Sensitive(token);
        }

        private RegistryCredentials registryCredentials(Provisioning settings) {
            SecretName name = settings.registries().credentialsSecret();
            if (name == null) {
                return RegistryCredentials.NONE;
            }
            CaseCluster.Secret secret = cluster.secret(name.namespace(), name.name());
            if (secret == null) {
                throw new TenantMistake(new Problem(
                        Reason.SettingsReferenceNotFound,
                        ProblemObject.NONE,
                        REGISTRY_FLAG,
                        "no Secret " + name.name() + " in namespace " + name.namespace(),
                        "create it"));
            }
            return RegistryCredentials.read(name.name(), secret.type(), secret.data());
        }

        private static boolean stamped(JsonNode object, SourceAnnotations stamps) {
            JsonNode annotations = object.path("metadata").path("annotations");
            return stamps.annotations().entrySet().stream()
                    .allMatch(stamp -> annotations.path(stamp.getKey()).asText().equals(stamp.getValue()));
        }

        /** OSM makes secrets that are missing from the stored object. */
        private void keep(
                JsonNode stored, MachineDeployment machineDeployment, ObjectNames names, SourceAnnotations stamps) {
            OperatingSystemConfig config =
                    OperatingSystemConfig.read(SourceDocument.of(ProblemObject.input("osc"), stored));
            files.put(PipelineResult.OSC, stored.toString());
            revealed = stored.path("spec").toString();
            for (boolean bootstrap : new boolean[] {false, true}) {
                String text = document(config.spec(), names, machineDeployment, bootstrap);
                String part = bootstrap ? "bootstrap" : "provisioning";
                secret(part, bootstrap ? names.bootstrapSecret() : names.provisioningSecret(), text, stamps, false);
            }
        }

        private void edgeScript(
                RenderedConfig rendering, ApiServerEndpoint apiServer, RenderInput input, String kubernetesCa) {
            if (!rendering.revealed().cloudProvider().equals("edge")) {
                return;
            }
            String script = new EdgeScript(
                            apiServer.server(),
                            input.access().fetchToken(),
                            rendering.names().bootstrapSecret(),
                            kubernetesCa)
                    .text();
            ObjectNode object = secretObject(rendering.names().edgeScriptSecret(), "fetch-bootstrap-script", script);
            files.put("edge-script-secret.yaml", object.toString());
            files.put("edge-script.txt", script);
        }

        private void kubeletSecret(ObjectNames names, String text, boolean tokenExisted) {
            String name = names.kubeletBootstrapSecret();
            JsonNode stored = cluster.object("Secret", ObjectNames.SETTINGS_NAMESPACE, name);
            if (stored != null && tokenExisted) {
                files.put("kubelet-bootstrap-secret.yaml", stored.toString());
                files.put("kubelet-bootstrap.txt", decoded(stored, "kubeconfig"));
                return;
            }
            files.put(
                    "kubelet-bootstrap-secret.yaml",
                    secretObject(name, "kubeconfig", text).toString());
            files.put("kubelet-bootstrap.txt", text);
        }

        private void secret(String part, String name, String text, SourceAnnotations stamps, boolean rotated) {
            JsonNode stored = cluster.object("Secret", ObjectNames.SETTINGS_NAMESPACE, name);
            if (stored != null && !rotated) {
                files.put(part + "-secret.yaml", stored.toString());
                files.put(part + ".txt", decoded(stored, "cloud-config"));
                return;
            }
            ObjectNode object = secretObject(name, "cloud-config", text);
            object.put("type", "Opaque");
            ObjectNode annotations = ((ObjectNode) object.get("metadata")).putObject("annotations");
            stamps.annotations().forEach(annotations::put);
            files.put(part + "-secret.yaml", object.toString());
            files.put(part + ".txt", text);
        }

        private static String decoded(JsonNode secret, String key) {
            return new String(
                    Base64.getDecoder().decode(secret.path("data").path(key).asText()), UTF_8);
        }

        private static ObjectNode secretObject(String name, String key, String text) {
            ObjectNode object = JSON.createObjectNode();
            object.put("apiVersion", "v1").put("kind", "Secret");
            object.putObject("metadata").put("name", name).put("namespace", ObjectNames.SETTINGS_NAMESPACE);
            object.putObject("data").put(key, Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
            return object;
        }
    }
}

package io.osmhub.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.bootstrap.ApiServer;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.document.Document;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.MachineDeploymentReader;
import io.osmhub.core.machine.ReferenceResolver.Answer;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.ConfigWriter;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Rendering;
import io.osmhub.core.render.TemplateLanguages;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What is rendered to be measured: a profile, a MachineDeployment, and all that the hub knows about its tenant, decoded as it
 * is in the hub's caches. Immutable.
 */
public final class Workload {
    /** The profile that this project keeps for measuring. */
    static final String OWN = "own";
    /** The profile that ubuntu nodes get from the peer. Not part of the project; used where its fixtures are at hand. */
    static final String FIXTURE = "ubuntu-fixture";

    private static final String NAMESPACE = "cluster-x7f";

    private final Renderer renderer = new Renderer(new Sandbox.Factory(
            Limits.DEFAULT, InstantSource.system(), ZoneOffset.UTC, new SecureRandom(), System::nanoTime)::open);
    private final TemplateLanguages languages = new TemplateLanguages();

    private final Document profileDocument;
    private final OperatingSystemProfile profile;
    private final MachineDeployment machineDeployment;
    private final Provisioning settings;
    private final ApiServer apiServer;
    private final Sensitive bootstrapToken;
    private final Sensitive fetchToken;
    private final String kubernetesCa;

    /** The workloads that this machine has files for, by name. */
    static Map<String, Path> available() {
        Path root = Path.of(System.getProperty("osmhub.root", "."));
        Path shared = Path.of(System.getProperty("osmhub.shared", "../shared"));
        Map<String, Path> directories = new LinkedHashMap<>();
        directories.put(OWN, root.resolve("deploy/bench/cases/ubuntu"));
        directories.put(FIXTURE, shared.resolve("fixtures/osm/ubuntu-aws-default"));
        directories.values().removeIf(directory -> !Files.isDirectory(directory));
        return directories;
    }

    /** The workload of a name that {@link #available} gives. */
    static Workload named(String name) {
        Path directory = available().get(name);
        if (directory == null) {
            throw new IllegalArgumentException("no workload " + name + "; there are " + available());
        }
        return new Workload(PipelineCase.read(directory));
    }

    private Workload(PipelineCase test) {
        JsonNode config = test.config();
        if (config.has("flags") || config.has("objects")) {
            throw new IllegalArgumentException(test.directory() + ": a workload has no flags and no objects");
        }
        kubernetesCa = config.path("kubernetesCACert").asText();
        profileDocument = Objects.requireNonNull(test.profile(), "a workload has a profile");
        profile = ProfileReader.stored().read(profileDocument);
        machineDeployment = MachineDeploymentReader.read(test.machineDeployment());
        settings = new EffectiveSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY)
                .settings()
                .provisioning();
        apiServer = ApiServerDiscovery.find(
                new ApiServerDiscovery.Sources(
                        config.path("clusterInfoKubeconfig").asText(), List.of(), kubernetesCa),
                "");
        JsonNode token = config.path("bootstrapToken");
        bootstrapToken = new Sensitive(
                token.path("id").asText() + "." + token.path("secret").asText());
        fetchToken = new Sensitive(config.path("apiServerToken").asText());
    }

    /** The texts that a MachineDeployment's objects are written with. */
    public record Texts(String osc, String bootstrap, String provisioning) {}

    /** What a rendering takes, around a compiled profile. */
    RenderInput input(CompiledProfile compiled) {
        return new RenderInput(
                NAMESPACE,
                machineDeployment,
                new RenderInput.Profile(NAMESPACE, profile.name(), compiled),
                settings,
                new RenderInput.Access(apiServer, bootstrapToken, fetchToken),
                new RenderInput.References(kubernetesCa, "", RegistryCredentials.NONE, null, Map.of()),
                reference -> new Answer.NoObject());
    }

    /** Everything that a run of the hub computes for one MachineDeployment that is new or changed. */
    Texts render(RenderInput input) {
        Rendering rendering = renderer.render(input);
        Rendering.Documents documents = UserDataDocuments.of(input, rendering);
        return new Texts(ConfigWriter.object(rendering.stored()), documents.bootstrap(), documents.provisioning());
    }

    /** Compiles the profile as for a content that was never seen. */
    CompiledProfile compile() {
        return new CompiledProfiles(languages, 1).of(profile.spec());
    }

    /** The profile, decoded again as from another tenant's namespace: equal content and nothing shared. */
    OperatingSystemProfile.Spec decodedAgain() {
        return ProfileReader.stored().read(profileDocument).spec();
    }

    /** One line about its size. */
    String describe(String name) {
        Texts texts = render(input(compile()));
        OperatingSystemProfile.Spec spec = profile.spec();
        return RenderCommand.format(
                "%-16s %d files; OSC %,d B, provisioning %,d B, bootstrap %,d B",
                name,
                files(spec.bootstrapConfig()) + files(spec.provisioningConfig()),
                texts.osc().length(),
                texts.provisioning().length(),
                texts.bootstrap().length());
    }

    private static int files(OperatingSystemProfile.Config config) {
        return config.files().size()
                + config.supportedContainerRuntimes().stream()
                        .mapToInt(runtime -> runtime.files().size())
                        .sum();
    }
}

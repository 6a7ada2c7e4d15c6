package io.osmhub.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The input of a measured rendering: a profile, a MachineDeployment, and the hub's data about its tenant, decoded as in the hub's
 * caches. Immutable.
 */
public final class Workload {
    /** This project's benchmark profile. */
    static final String OWN = "own";
    /** The same with five extensions. */
    static final String OWN_EXTENDED = "own-extended";
    /** OSM's profile for ubuntu. Not part of the project; used if its fixtures are present. */
    static final String FIXTURE = "ubuntu-fixture";

    private static final String NAMESPACE = "cluster-x7f";
    private static final String SHARED_NAMESPACE = "osm-profiles";

    private final Renderer renderer = new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, System::nanoTime)::open);
    private final TemplateEngines engines = new TemplateEngines();

    private final SourceDocument profileDocument;
    private final OperatingSystemProfile profile;
    private final List<ProfileExtension> extensions;
    private final MachineDeployment machineDeployment;
    private final Provisioning provisioning;
    private final RenderInput.BootstrapAccess access;
    private final RenderInput.References references;

    /** The workloads whose files are present, by name. */
    static Map<String, Path> available() {
        Path root = Path.of(System.getProperty("osmhub.root", "."));
        Path shared = Path.of(System.getProperty("osmhub.shared", "../shared"));
        Map<String, Path> directories = new LinkedHashMap<>();
        Path own = root.resolve("deploy/testing/bench/cases/ubuntu");
        directories.put(OWN, own);
        directories.put(OWN_EXTENDED, own);
        directories.put(FIXTURE, shared.resolve("fixtures/osm/ubuntu-aws-default"));
        directories.values().removeIf(directory -> !Files.isDirectory(directory));
        return directories;
    }

    /** Returns one of the {@link #available} workloads. */
    static Workload forName(String name) {
        Path directory = available().get(name);
        if (directory == null) {
            throw new IllegalArgumentException("unknown workload " + name + "; use one of " + available());
        }
        return new Workload(
                PipelineCase.read(directory),
                name.equals(OWN_EXTENDED) ? readExtensions(directory.resolve("extensions.yaml")) : List.of());
    }

    private static List<ProfileExtension> readExtensions(Path file) {
        try {
            return YamlDocumentReader.read(file.toString(), Files.readString(file), Reason.SettingsInvalid).stream()
                    .map(document -> ProfileExtension.read(SourceDocument.json(document.root())))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Workload(PipelineCase test, List<ProfileExtension> extensions) {
        this.extensions = extensions;
        JsonNode config = test.config();
        if (config.has("flags") || config.has("objects")) {
            throw new IllegalArgumentException(test.directory() + ": a workload has no flags and no objects");
        }
        String kubernetesCa = config.path("kubernetesCACert").asText();
        profileDocument = Objects.requireNonNull(test.profile(), "a workload has a profile");
        profile = ProfileReader.stored().read(profileDocument);
        machineDeployment = MachineDeployment.read(test.machineDeployment());
        provisioning = new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY)
                .toTenantSettings()
                .provisioning();
        JsonNode token = config.path("bootstrapToken");
        access = new RenderInput.BootstrapAccess(
                ApiServerDiscovery.find(
                        new ApiServerDiscovery.Sources(
                                config.path("clusterInfoKubeconfig").asText(), List.of(), kubernetesCa),
                        ""),
                new Sensitive(
                        token.path("id").asText() + "." + token.path("secret").asText()),
                new Sensitive(config.path("apiServerToken").asText()));
        references = new RenderInput.References(kubernetesCa, "", RegistryCredentials.NONE, null);
    }

    /** The rendered texts of a MachineDeployment. */
    public record RenderedTexts(String osc, String bootstrap, String provisioning) {}

    /** The input of a rendering with a compiled profile. */
    RenderInput input(RenderInput.Profile compiled) {
        return new RenderInput(NAMESPACE, machineDeployment, compiled, provisioning, access, references);
    }

    /** Everything that the hub computes for a new or changed MachineDeployment. */
    RenderedTexts render(RenderInput input) {
        RenderedConfig rendering = renderer.render(input);
        RenderedConfig.Documents documents = UserDataDocuments.createDocuments(input, rendering);
        return new RenderedTexts(
                OperatingSystemConfigWriter.object(rendering.stored()),
                documents.bootstrap(),
                documents.provisioning());
    }

    /** Compiles the profile and its extensions without a cache. */
    RenderInput.Profile compile() {
        CompiledProfile compiled = new CompiledProfileCache(engines, 1).getOrCompile(profile.spec());
        List<CompiledExtension> candidates = extensions.stream()
                .map(extension -> CompiledExtension.compile(extension, engines))
                .toList();
        return new RenderInput.Profile(NAMESPACE, profile.name(), compiled)
                .with(new AppliedExtensions.Candidates(SHARED_NAMESPACE, candidates)
                        .select(profile.name(), profile.spec().osName(), machineDeployment));
    }

    /** Decodes the profile again, as from another tenant's namespace: equal content, nothing shared. */
    OperatingSystemProfile.Spec decodeAgain() {
        return ProfileReader.stored().read(profileDocument).spec();
    }

    /** Its size in one line. */
    String describe(String name) {
        RenderedTexts texts = render(input(compile()));
        OperatingSystemProfile.Spec spec = profile.spec();
        return RenderBenchCommand.format(
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

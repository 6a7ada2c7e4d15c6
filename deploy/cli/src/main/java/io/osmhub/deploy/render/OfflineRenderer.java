package io.osmhub.deploy.render;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.cluster.ClusterSnapshot;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.SettingsReferenceResolver;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.render.WorkerSecrets;
import io.osmhub.core.settings.PemBundle;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.fleet.CommandFailure;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Renders from files. Checks all inputs before reporting, so that users can fix all errors at once: an invalid input is replaced
 * by a placeholder to check the rest, and the result is discarded.
 */
public final class OfflineRenderer {
    /** Reasons that a placeholder alone may cause. */
    private static final Set<Reason> NEEDS_ALL_INPUTS = Set.of(
            Reason.TemplateExecutionFailed,
            Reason.TemplateLimitExceeded,
            Reason.TemplateTimeLimitExceeded,
            Reason.UserDataTooLarge,
            Reason.ObjectTooLarge,
            Reason.IgnitionConversionFailed);

    private static final String NOTHING_RENDERED = ", nothing was rendered";

    /** OSM's default namespace. */
    private static final String DEFAULT_NAMESPACE = "kube-system";

    /** Default of {@code tenancy.sharedProfileNamespace}. */
    private static final String SHARED_NAMESPACE = "osm-profiles";

    private final OfflineRenderRequest request;
    private final RenderInputs inputs;

    private OfflineRenderer(OfflineRenderRequest request, InputStream standardInput) {
        this.request = request;
        this.inputs = new RenderInputs(standardInput);
    }

    /**
     * A rendering.
     *
     * @param profile name and version, {@code osp-ubuntu v1.4.0}
     * @param machineDeployment namespace and name
     * @param notes remarks for the user, one sentence each
     * @param placeholders number of placeholders for tokens
     */
    public record OfflineRendering(
            RenderedFiles files, String profile, String machineDeployment, List<String> notes, int placeholders) {
        public OfflineRendering {
            notes = List.copyOf(notes);
        }
    }

    /**
     * Reads settings from a file.
     *
     * @param file a WorkerCluster, or the fields of its spec; null for the defaults
     * @throws CommandFailure with all errors
     */
    public static Provisioning readSettings(@Nullable String file, InputStream standardInput) {
        RenderInputs inputs = new RenderInputs(standardInput);
        SettingsInput settings = SettingsInput.read(file, SettingsLayer.EMPTY, inputs);
        if (inputs.hasErrors()) {
            throw inputs.failure(NOTHING_RENDERED);
        }
        return settings.provisioning();
    }

    /**
     * Reads the extensions of files. Those of the default shared namespace come first when they are composed. One with a template that
     * cannot be parsed is not composed, because nothing could be rendered with it.
     *
     * @throws CommandFailure with all errors
     */
    public static Linter.Extensions readExtensions(List<String> files, InputStream standardInput) {
        RenderInputs inputs = new RenderInputs(standardInput);
        List<CompiledExtension> extensions = inputs.readExtensions(files).stream()
                .filter(extension -> extension.mistakes().isEmpty())
                .toList();
        if (inputs.hasErrors()) {
            throw inputs.failure(NOTHING_RENDERED);
        }
        return new Linter.Extensions(new Candidates(SHARED_NAMESPACE, extensions), inputs.sources());
    }

    /** @throws CommandFailure with all errors */
    public static OfflineRendering render(OfflineRenderRequest request, InputStream standardInput) {
        return new OfflineRenderer(request, standardInput).run();
    }

    private OfflineRendering run() {
        MachineDeployment machineDeployment =
                inputs.readMachineDeployment(request.machineDeployment, request.machineDeploymentName);
        OsmOptions peer = new OsmOptions(inputs);
        SettingsLayer peerFlags = peer.flags(request.peerFlags);
        RenderInput.Profile profile = profile(machineDeployment);
        SettingsInput settings = SettingsInput.read(request.settings, peerFlags, inputs);
        Provisioning provisioning = settings.provisioning();
        String namespace = namespace(settings);
        ClusterSnapshot objects = objects(namespace);

        AccessInput access = new AccessInput(request, inputs);
        String givenCa = certificateAuthority();
        String ownCa = provisioning.kubernetesCa().inline();
        String knownCa = ownCa.isEmpty() ? givenCa : ownCa;
        ApiServerEndpoint apiServer =
                access.apiServer(provisioning.bootstrap(), objects, Objects.requireNonNullElse(knownCa, ""));
        RenderInput.References references = references(
                settings, namespace, objects, Objects.requireNonNullElse(knownCa, apiServer.certificateAuthority()));
        if (references.kubernetesCa().isEmpty() && givenCa == null) {
            inputs.addNote(
                    "nodes get no certificate authority for the API server; use --cluster-info or --kubernetes-ca");
        }

        RenderedFiles files = null;
        if (machineDeployment != null) {
            ObjectNames names = ObjectNames.of(machineDeployment);
            inputs.add(names.findTooLongNames(), RenderInputs.nameOf(request.machineDeployment));
            files = render(new RenderInput(
                    namespace,
                    machineDeployment,
                    profile == null ? standInProfile(machineDeployment) : profile,
                    provisioning,
                    access.access(apiServer, provisioning.bootstrap(), names, objects),
                    references));
        }
        if (files == null || machineDeployment == null || profile == null || inputs.hasErrors()) {
            addTemplateMistakes(profile);
            throw inputs.failure(NOTHING_RENDERED);
        }
        return new OfflineRendering(
                files,
                profile.name() + " " + profile.version(),
                machineDeployment.namespace() + "/" + machineDeployment.name(),
                inputs.notes(),
                access.placeholders());
    }

    private @Nullable RenderedFiles render(RenderInput input) {
        boolean complete = !inputs.hasErrors();
        try {
            RenderedConfig rendering =
                    new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, System::nanoTime)::open).render(input);
            rendering.warnings(input.profile()).forEach(warning -> inputs.addNote(warning.toString()));
            rendering.skipped().forEach(skipped -> inputs.addNote("skipped: " + skipped));
            RenderedConfig.Documents documents = UserDataDocuments.createDocuments(input, rendering);
            new NodeContentCheck()
                    .check(input, rendering, documents)
                    .forEach(finding -> inputs.addNote(finding.toString()));
            return new RenderedFiles(
                    input, rendering, WorkerSecrets.of(input, rendering, documents), documents.bootstrapSize());
        } catch (TenantMistake e) {
            List<Problem> findings = e.findings().stream()
                    .filter(finding -> complete || !NEEDS_ALL_INPUTS.contains(finding.reason()))
                    .toList();
            inputs.add(findings, RenderInputs.nameOf(request.machineDeployment));
            return null;
        }
    }

    /** Adds the profile's parse errors, even if rendering did not get that far. */
    private void addTemplateMistakes(RenderInput.@Nullable Profile profile) {
        if (profile != null) {
            inputs.add(
                    profile.compiled().mistakes().stream()
                            .map(finding -> finding.withObject(profile.describe()))
                            .toList(),
                    RenderInputs.nameOf(request.profile));
        }
    }

    private RenderInput.@Nullable Profile profile(@Nullable MachineDeployment machineDeployment) {
        RenderInputs.Profile read = inputs.readProfile(request.profile, machineDeployment);
        if (read == null) {
            return null;
        }
        OperatingSystemProfile profile = read.profile();
        RenderInput.Profile compiled =
                new RenderInput.Profile(profile.namespace(), profile.name(), compile(profile.spec()));
        inputs.registerSource(compiled.describe().toString(), read.source());
        return machineDeployment == null ? compiled : compiled.with(select(compiled, machineDeployment));
    }

    private AppliedExtensions select(RenderInput.Profile profile, MachineDeployment machineDeployment) {
        Candidates extensions = new Candidates(SHARED_NAMESPACE, inputs.readExtensions(request.extensions));
        String provider = provider(machineDeployment);
        AppliedExtensions applied = extensions.selectFitting(
                profile.name(), profile.compiled().spec().osName(), provider);
        extensions.extensions().stream()
                .filter(extension -> !applied.extensions().contains(extension))
                .forEach(extension -> inputs.addNote(extension.extension().describe()
                        + " is not applied, because its target does not include " + profile.name() + " with provider "
                        + provider));
        return applied;
    }

    /** The cloud provider; empty if it cannot be read, which the rendering reports. */
    private static String provider(MachineDeployment machineDeployment) {
        try {
            return ProviderConfig.decode(machineDeployment).lenient().cloudProvider();
        } catch (TenantMistake e) {
            return "";
        }
    }

    private static CompiledProfile compile(OperatingSystemProfile.Spec spec) {
        return new CompiledProfileCache(new TemplateEngines(), 1).getOrCompile(spec);
    }

    /** Accepts any MachineDeployment, so that it is checked even without a profile. */
    private static RenderInput.Profile standInProfile(MachineDeployment machineDeployment) {
        OperatingSystemProfile.Config nothing =
                new OperatingSystemProfile.Config(List.of(), Map.of(), List.of(), List.of(), null);
        String operatingSystem = "";
        String provider = "";
        try {
            ProviderConfig config = ProviderConfig.decode(machineDeployment).lenient();
            operatingSystem = config.operatingSystem();
            provider = config.cloudProvider();
        } catch (TenantMistake e) {
            // The rendering reports the same error.
        }
        OperatingSystemProfile.Spec spec = new OperatingSystemProfile.Spec(
                operatingSystem, "", "", List.of(provider), "", TemplateLanguage.GO, null, List.of(), nothing, nothing);
        return new RenderInput.Profile("", "", compile(spec));
    }

    private String namespace(SettingsInput settings) {
        return Objects.requireNonNullElse(
                request.namespace, settings.namespace().isEmpty() ? DEFAULT_NAMESPACE : settings.namespace());
    }

    private ClusterSnapshot objects(String namespace) {
        ClusterSnapshot objects = new ClusterSnapshot(namespace);
        for (String file : request.objects) {
            List<SourceDocument> sources = inputs.all(file);
            for (SourceDocument source : sources == null ? List.<SourceDocument>of() : sources) {
                try {
                    objects.add(source);
                } catch (TenantMistake e) {
                    inputs.add(source, e.findings());
                }
            }
        }
        return objects;
    }

    /** The text of {@code --kubernetes-ca}; null if not given. */
    private @Nullable String certificateAuthority() {
        String file = request.kubernetesCa;
        String text = file == null ? null : inputs.text(file);
        if (file == null || text == null) {
            return null;
        }
        String wrong = PemBundle.findError(text);
        if (wrong != null) {
            inputs.add(new InputError(RenderInputs.nameOf(file), "", wrong, PemBundle.CURE));
        }
        return PemBundle.certificatesOnly(text);
    }

    private RenderInput.References references(
            SettingsInput settings, String namespace, ClusterSnapshot objects, String kubernetesCa) {
        try {
            return SettingsReferenceResolver.resolve(settings.provisioning(), namespace, objects, kubernetesCa);
        } catch (TenantMistake e) {
            settings.add(e, inputs);
            return new RenderInput.References(kubernetesCa, "", RegistryCredentials.NONE, null);
        }
    }
}

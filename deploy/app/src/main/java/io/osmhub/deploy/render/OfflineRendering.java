package io.osmhub.deploy.render;

import io.osmhub.core.bootstrap.ApiServer;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.cluster.ClusterObjects;
import io.osmhub.core.cluster.ClusterObjectsReader;
import io.osmhub.core.document.SourceText;
import io.osmhub.core.golang.Str;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Rendering;
import io.osmhub.core.render.SettingsReferences;
import io.osmhub.core.render.TemplateLanguages;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.render.WorkerSecrets;
import io.osmhub.core.settings.PemBundle;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Renders what files say. All inputs are read and checked before anything is refused, so that a user mends everything at once:
 * what cannot be used is replaced by a stand-in, with which the rest is checked and which nobody gets to see.
 */
public final class OfflineRendering {
    /** What a stand-in can break without anybody's fault. */
    private static final Set<String> NEEDS_ALL_INPUTS = Set.of(
            "TemplateExecutionFailed",
            "TemplateLimitExceeded",
            "UserDataTooLarge",
            "ObjectTooLarge",
            "IgnitionConversionFailed");

    /** Where the peer keeps its objects unless told otherwise. */
    private static final String DEFAULT_NAMESPACE = "kube-system";

    private final RenderRequest request;
    private final Mistakes mistakes = new Mistakes();
    private final Manifests manifests;
    private final List<String> notes = new ArrayList<>();

    private OfflineRendering(RenderRequest request, InputFiles files) {
        this.request = request;
        this.manifests = new Manifests(files, mistakes);
    }

    /** What came of it. */
    public sealed interface Outcome {
        /**
         * Rendered.
         *
         * @param profile name and version, {@code osp-ubuntu v1.4.0}
         * @param machineDeployment namespace and name
         * @param notes what a user should know of these files, one sentence each
         * @param placeholders how many placeholders stand for tokens
         */
        record Rendered(
                RenderedFiles files, String profile, String machineDeployment, List<String> notes, int placeholders)
                implements Outcome {
            public Rendered {
                notes = List.copyOf(notes);
            }
        }

        /** Refused, with everything that is wrong. */
        record Refused(List<Mistake> mistakes) implements Outcome {
            public Refused {
                mistakes = List.copyOf(mistakes);
            }
        }
    }

    public static Outcome of(RenderRequest request, InputFiles files) {
        return new OfflineRendering(request, files).run();
    }

    private Outcome run() {
        MachineDeployment machineDeployment = MachineDeploymentInput.read(
                request.machineDeployment(), request.machineDeploymentName(), manifests, mistakes);
        PeerOptions peer = new PeerOptions(manifests, mistakes);
        SettingsLayer peerFlags = peer.flags(request.peerFlags());
        Map<String, String> peerEnvironment = peer.environment(request.peerEnvironment());
        RenderInput.Profile profile = profile(machineDeployment, peerEnvironment);
        SettingsInput settings = SettingsInput.read(request.settings(), peerFlags, manifests, mistakes);
        Provisioning provisioning = settings.provisioning();
        String namespace = namespace(settings);
        ClusterObjects objects = objects(namespace);

        AccessInput access = new AccessInput(request, manifests, mistakes, notes);
        String givenCa = certificateAuthority();
        String knownCa = provisioning.kubernetesCa() instanceof CaBundle.Inline(String pem) ? pem : givenCa;
        ApiServer apiServer =
                access.apiServer(provisioning.bootstrap(), objects, Objects.requireNonNullElse(knownCa, ""));
        RenderInput.References references = references(
                settings,
                namespace,
                objects,
                Objects.requireNonNullElse(knownCa, apiServer.certificateAuthority()),
                peerEnvironment);
        if (references.kubernetesCa().isEmpty() && givenCa == null) {
            notes.add("nodes get no certificate authority of the API server; give --cluster-info or --kubernetes-ca");
        }

        RenderedFiles files = null;
        if (machineDeployment != null) {
            ObjectNames names = ObjectNames.of(machineDeployment);
            mistakes.add(names.tooLong(), InputFiles.nameOf(request.machineDeployment()));
            files = render(new RenderInput(
                    namespace,
                    machineDeployment,
                    profile == null ? standInProfile(machineDeployment) : profile,
                    provisioning,
                    access.access(apiServer, provisioning.bootstrap(), names, objects),
                    references,
                    objects));
        }
        if (files == null || machineDeployment == null || profile == null || !mistakes.none()) {
            addTemplateMistakes(profile);
            return new Outcome.Refused(mistakes.all());
        }
        return new Outcome.Rendered(
                files,
                profile.name() + " " + profile.compiled().spec().version(),
                machineDeployment.namespace() + "/" + machineDeployment.name(),
                notes,
                access.placeholders());
    }

    private @Nullable RenderedFiles render(RenderInput input) {
        boolean complete = mistakes.none();
        try {
            Rendering rendering = new Renderer(new Sandbox.Factory(
                            Limits.DEFAULT,
                            InstantSource.system(),
                            ZoneOffset.UTC,
                            new SecureRandom(),
                            System::nanoTime)::open)
                    .render(input);
            WorkerSecrets secrets = WorkerSecrets.of(input, rendering, UserDataDocuments.of(input, rendering));
            return new RenderedFiles(rendering, secrets, input.settings().userDataLimitBytes());
        } catch (TenantMistake e) {
            List<Finding> findings = e.findings().stream()
                    .filter(finding -> complete || !NEEDS_ALL_INPUTS.contains(finding.reason()))
                    .toList();
            mistakes.add(findings, InputFiles.nameOf(request.machineDeployment()));
            return null;
        }
    }

    /** What does not parse in the profile, also when the rendering did not come so far. */
    private void addTemplateMistakes(RenderInput.@Nullable Profile profile) {
        if (profile != null) {
            mistakes.add(
                    profile.compiled().mistakes().stream()
                            .map(finding -> new Finding(
                                    finding.reason(),
                                    profile.describe(),
                                    finding.field(),
                                    finding.line(),
                                    finding.column(),
                                    finding.what(),
                                    finding.cure()))
                            .toList(),
                    InputFiles.nameOf(request.profile()));
        }
    }

    private RenderInput.@Nullable Profile profile(
            @Nullable MachineDeployment machineDeployment, Map<String, String> peerEnvironment) {
        ProfileInput.Profile read =
                new ProfileInput(request.profile(), manifests, mistakes, notes).read(machineDeployment);
        if (read == null) {
            return null;
        }
        OperatingSystemProfile profile = read.profile();
        RenderInput.Profile compiled =
                new RenderInput.Profile(profile.namespace(), profile.name(), compile(profile.spec(), peerEnvironment));
        mistakes.knowSource(compiled.describe(), read.source());
        return compiled;
    }

    /** Only the peer's templates see its environment. */
    private static CompiledProfile compile(OperatingSystemProfile.Spec spec, Map<String, String> peerEnvironment) {
        TemplateLanguages languages = peerEnvironment.isEmpty()
                ? new TemplateLanguages()
                : new TemplateLanguages(TemplateLanguages.goFunctions(
                        name -> Str.bytes(peerEnvironment.getOrDefault(Str.text(name), ""))));
        return new CompiledProfiles(languages, 1).of(spec);
    }

    /** Serves any MachineDeployment, so that what is wrong with it is found without a profile. */
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
            // The rendering finds the same and says so.
        }
        OperatingSystemProfile.Spec spec = new OperatingSystemProfile.Spec(
                operatingSystem, "", "", List.of(provider), "", TemplateLanguage.GO, null, List.of(), nothing, nothing);
        return new RenderInput.Profile("", "", compile(spec, Map.of()));
    }

    private String namespace(SettingsInput settings) {
        return Objects.requireNonNullElse(
                request.namespace(), settings.namespace().isEmpty() ? DEFAULT_NAMESPACE : settings.namespace());
    }

    private ClusterObjects objects(String namespace) {
        ClusterObjectsReader reader = new ClusterObjectsReader(namespace);
        for (String file : request.objects()) {
            List<SourceText> sources = manifests.all(file);
            for (SourceText source : sources == null ? List.<SourceText>of() : sources) {
                try {
                    reader.read(source.document());
                } catch (TenantMistake e) {
                    mistakes.add(source, e.findings());
                }
            }
        }
        return reader.objects();
    }

    /** The text of {@code --kubernetes-ca}; null when it is not given. */
    private @Nullable String certificateAuthority() {
        String file = request.kubernetesCa();
        String text = file == null ? null : manifests.text(file);
        if (file == null || text == null) {
            return null;
        }
        String wrong = PemBundle.mistake(text);
        if (wrong != null) {
            mistakes.add(new Mistake(InputFiles.nameOf(file), "", wrong, PemBundle.CURE));
        }
        return PemBundle.certificatesOnly(text);
    }

    private RenderInput.References references(
            SettingsInput settings,
            String namespace,
            ClusterObjects objects,
            String kubernetesCa,
            Map<String, String> peerEnvironment) {
        try {
            RenderInput.References resolved =
                    SettingsReferences.resolve(settings.provisioning(), namespace, objects, kubernetesCa);
            Map<String, String> environment = new HashMap<>(peerEnvironment);
            environment.putAll(resolved.cloudEnvironment());
            return new RenderInput.References(
                    resolved.kubernetesCa(),
                    resolved.hostCa(),
                    resolved.registryCredentials(),
                    resolved.secretHttpProxy(),
                    environment);
        } catch (TenantMistake e) {
            settings.add(e, mistakes);
            return new RenderInput.References(kubernetesCa, "", RegistryCredentials.NONE, null, peerEnvironment);
        }
    }
}

package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.model.KeyedHash;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.plan.Decision.RenderSummary;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.render.CredentialRemover;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.userdata.UserDataSize;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Hash of everything that a MachineDeployment's content is rendered from, and of that content as stored. It is kept in the status of
 * the OperatingSystemConfig. While it is equal, rendering would change nothing, so that a restarted hub does not render.
 *
 * <p>Its key is the token with which machines fetch their configuration; without it, the hash can neither be computed nor used to
 * test a guess. With it, the configuration can be read, so only credentials count that this contains: others have placeholders. A
 * template may read a credential without naming its field, by printing all of its context; a change of that is found only by a
 * rendering.
 *
 * @param version of the program that renders
 */
record PublishedHash(String version, RenderLimits limits) {
    /**
     * Other inputs than those of templates.
     *
     * @param scoped whether the fetch token is scoped to the MachineDeployment
     */
    record PublicationContext(OwnershipAnnotations ownership, boolean scoped) {}

    /** A stored object as far as it is compared: its content by digests, its type, and the annotations that are kept current. */
    private record ObjectContent(
            SortedMap<String, String> digests,
            String type,
            @Nullable String profileVersion,
            @Nullable String revision) {
        static ObjectContent of(
                SecretRole role, SortedMap<String, String> digests, String type, Map<String, String> annotations) {
            return new ObjectContent(
                    digests,
                    type,
                    annotations.get(SourceAnnotations.PROFILE_VERSION),
                    role == SecretRole.BOOTSTRAP ? annotations.get(SourceAnnotations.REVISION) : null);
        }
    }

    /**
     * After a rendering is published; null without a key.
     *
     * @param kept the found OperatingSystemConfig if it stays; null if the rendered one is written
     */
    @Nullable String of(RenderInput input, PublicationContext context, RenderedObjects rendition, @Nullable StoredConfig kept) {
        RenderSummary rendered = rendition.rendered();
        String configHash = kept == null ? rendered.contentHash() : kept.contentHash();
        SortedMap<SecretRole, ObjectContent> secrets = new TreeMap<>();
        rendition.secrets().forEach((role, secret) -> {
            SortedMap<String, String> digests = rendition.digests().getOrDefault(role, new TreeMap<>());
            secrets.put(role, ObjectContent.of(role, digests, secret.type(), secret.annotations()));
        });
        return of(
                input,
                context,
                rendered,
                configHash,
                Arrays.asList(rendered.stamps().profileVersion(), secrets));
    }

    /** Of what is stored; null without a key. */
    @Nullable String of(RenderInput input, PublicationContext context, RenderSummary rendered, FoundObjects found) {
        StoredConfig config = found.config();
        SortedMap<SecretRole, ObjectContent> secrets = new TreeMap<>();
        found.secrets()
                .forEach((role, secret) -> secrets.put(
                        role, ObjectContent.of(role, secret.digests(), secret.type(), secret.annotations())));
        return of(
                input,
                context,
                rendered,
                config == null ? null : config.contentHash(),
                Arrays.asList(
                        config == null ? null : config.annotations().get(SourceAnnotations.PROFILE_VERSION), secrets));
    }

    private @Nullable String of(
            RenderInput input,
            PublicationContext context,
            RenderSummary rendered,
            @Nullable String configHash,
            List<@Nullable Object> stored) {
        MachineDeployment machineDeployment = input.machineDeployment();
        Sensitive key = input.access().fetchToken();
        // A proxy's URL in the settings may have a password.
        boolean otherPassword = input.settings().proxy().httpProxy().contains("@") && !names(input, "HTTPProxy");
        boolean warned = !input.profile().applied().warnings().isEmpty();
        if (key.reveal().isEmpty() || otherPassword || warned) {
            return null;
        }
        return KeyedHash.hex(
                key,
                Arrays.asList(
                        version,
                        limits,
                        context.ownership().owner(),
                        context.ownership().uid(),
                        context.ownership().tenant(),
                        context.ownership().hub().id(),
                        context.scoped(),
                        // Nothing else of a MachineDeployment has an effect.
                        machineDeployment.kubeletVersion(),
                        CredentialRemover.removeCredentials(machineDeployment).providerSpec(),
                        // An OperatingSystemConfig of OSM contains them, beside this hash.
                        rendered.contentHash().equals(configHash) ? null : machineDeployment.providerSpec(),
                        machineDeployment.revision(),
                        MachineDeployment.kubeletSettings(machineDeployment.annotations()),
                        machineDeployment.templateAnnotations(),
                        input.profile().namespace(),
                        input.profile().name(),
                        input.profile().contentHash(),
                        input.profile().applied().sharedNamespace(),
                        input.settings(),
                        input.access().apiServer().server(),
                        input.access().apiServer().fields(),
                        input.access().bootstrapToken(),
                        input.resolved().kubernetesCa(),
                        input.resolved().hostCa(),
                        renderedCredentials(input),
                        // What the status says about it.
                        rendered.contentHash(),
                        rendered.settingsHash(),
                        new TreeMap<>(rendered.bytes()),
                        configHash,
                        stored));
    }

    /** Credentials that the content may contain, and placeholders for the others. */
    private static List<@Nullable Object> renderedCredentials(RenderInput input) {
        ProviderConfig provider =
                ProviderConfig.decode(input.machineDeployment()).lenient();
        RenderInput.References references = input.resolved();
        RenderInput.References redacted = CredentialRemover.removeCredentials(references);
        boolean withRegistries =
                !references.registryCredentials().byRegistry().isEmpty() && names(input, "ContainerRuntimeConfig");
        boolean withProxy = references.secretHttpProxy() != null && names(input, "HTTPProxy");
        return Arrays.asList(
                provider.operatingSystem().equals(OperatingSystemSpec.RHEL) ? provider.operatingSystemSpec() : null,
                provider.overwriteCloudConfig() != null && names(input, "CloudConfig")
                        ? provider.overwriteCloudConfig()
                        : null,
                (withRegistries ? references : redacted).registryCredentials(),
                (withProxy ? references : redacted).secretHttpProxy());
    }

    /** Whether a template of the profile or an extension names a field. */
    private static boolean names(RenderInput input, String field) {
        return input.profile().compiled().spec().toString().contains(field)
                || input.profile().applied().extensions().stream()
                        .anyMatch(applied -> applied.extension().toString().contains(field));
    }

    /** What was rendered last, as far as the status records it; null if it has no hash to compare. */
    static @Nullable RenderSummary findPublished(RenderInput input, StoredConfig config) {
        MachineDeployment machineDeployment = input.machineDeployment();
        OperatingSystemConfigStatus status = config.status();
        RenderSource source = config.source();
        if (status == null
                || status.publishedHash() == null
                || source.contentHash() == null
                || source.settingsHash() == null) {
            return null;
        }
        SortedMap<SecretRole, Integer> bytes = new TreeMap<>();
        NullableCollections.stream(status.secrets()).forEach(secret -> putBytes(secret, bytes));
        return new RenderSummary(
                input.profile(),
                SourceAnnotations.of(machineDeployment, input.profile().version()),
                Objects.requireNonNullElse(source.extensions(), List.of()),
                source.contentHash(),
                source.settingsHash(),
                bytes,
                UserDataSize.limit(
                        ProviderConfig.decode(machineDeployment).lenient().cloudProvider(),
                        input.settings().userDataLimitBytes()));
    }

    private static void putBytes(PublishedSecret secret, SortedMap<SecretRole, Integer> bytes) {
        if (secret.role() != Role.BOOTSTRAP_TOKEN && secret.bytes() != null) {
            bytes.put(SecretRole.valueOf(secret.role().name()), secret.bytes());
        }
    }
}

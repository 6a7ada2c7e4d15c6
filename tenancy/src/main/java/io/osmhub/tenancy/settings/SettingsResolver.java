package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.cluster.ObjectLookup;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.problem.Unreachable;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.SettingsReferenceResolver;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.LayeredSettings.SettingSource;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.tenancy.settings.ReferencedObjectCache.ObjectReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Merges a tenant's own settings with the hub's, looks up references and validates everything. Reports all mistakes at once. */
public final class SettingsResolver {
    private static final String SPEC = "spec.";

    /** A parsed layer with its mistakes. */
    public record OwnSettings(SettingsLayer layer, List<Problem> mistakes) {
        public OwnSettings {
            mistakes = List.copyOf(mistakes);
        }

        /** Settings without mistakes. */
        public static OwnSettings of(SettingsLayer layer) {
            return new OwnSettings(layer, List.of());
        }
    }

    /**
     * The layers of a tenant's settings, merged.
     *
     * @param mistakes of the tenant's own and of the platform's
     */
    record MergedSettings(LayeredSettings layers, TenantSettings settings, List<Problem> mistakes) {
        /** @param platform below the tenant's own; its mistakes name their objects */
        static MergedSettings of(OwnSettings own, OwnSettings platform, SettingsLayer hub) {
            LayeredSettings layers = new LayeredSettings(own.layer(), platform.layer(), hub);
            return new MergedSettings(
                    layers,
                    layers.toTenantSettings(),
                    Stream.concat(own.mistakes().stream(), platform.mistakes().stream())
                            .toList());
        }
    }

    private final String tenantNamespace;
    private final ReferencedObjectCache objects;
    private final ReferencedObjectCache workerObjects;
    private final SettingsValidator validator;
    private final boolean ofFlags;

    /**
     * @param objects of the management cluster
     * @param workerObjects of the worker cluster: the registry credentials that a platform's settings name
     * @param ofFlags whether the hub's settings are OSM's flags, which may reference Secrets of other namespaces
     */
    SettingsResolver(
            String tenantNamespace,
            ReferencedObjectCache objects,
            ReferencedObjectCache workerObjects,
            SettingsValidator validator,
            boolean ofFlags) {
        this.tenantNamespace = tenantNamespace;
        this.objects = objects;
        this.workerObjects = workerObjects;
        this.validator = validator;
        this.ofFlags = ofFlags;
    }

    /**
     * Parses the settings of a WorkerCluster.
     *
     * @param object name in findings, for example {@code WorkerCluster prod}
     * @param spec of the object
     */
    public static OwnSettings read(ProblemObject object, JsonNode spec) {
        FindingsCollector mistakes = new FindingsCollector(object, Reason.SettingsInvalid);
        SettingsLayer layer = SettingsReader.read(spec, "spec", mistakes);
        return new OwnSettings(layer, mistakes.findings());
    }

    /**
     * Resolves the current settings.
     *
     * @param object name of the WorkerCluster in findings
     * @param kubeconfigCa of the worker's kubeconfig, PEM
     */
    ResolvedSettings resolve(ProblemObject object, MergedSettings merged, String kubeconfigCa) {
        LayeredSettings effective = merged.layers();
        TenantSettings settings = merged.settings();
        SecretName credentials = effective.source(Setting.REGISTRY_CREDENTIALS) == SettingSource.PLATFORM
                ? settings.provisioning().registries().credentialsSecret()
                : null;
        objects.setReferences(ObjectReference.of(settings.provisioning(), tenantNamespace, ofFlags));
        workerObjects.setReferences(ObjectReference.of(credentials));
        List<Problem> mistakes = new ArrayList<>(merged.mistakes());
        List<Problem> warnings = new ArrayList<>();
        try {
            RenderInput.References references = references(settings, credentials, kubeconfigCa, mistakes);
            validator.check(settings, mistakes);
            validator.warn(settings, references, warnings);
            return new ResolvedSettings(
                    settings,
                    effective,
                    mistakes.isEmpty() ? references : null,
                    about(object, effective, mistakes),
                    about(object, effective, warnings),
                    true);
        } catch (Unreachable e) {
            return new ResolvedSettings(
                    settings, effective, null, about(object, effective, merged.mistakes()), List.of(), false);
        }
    }

    private RenderInput.@Nullable References references(
            TenantSettings settings,
            @Nullable SecretName workerCredentials,
            String kubeconfigCa,
            List<Problem> mistakes) {
        try {
            return SettingsReferenceResolver.resolve(
                    settings.provisioning(),
                    tenantNamespace,
                    workerCredentials == null ? objects : new BothClusters(workerCredentials),
                    kubeconfigCa);
        } catch (TenantMistake e) {
            mistakes.addAll(e.findings());
            return null;
        }
    }

    /** The objects of the management cluster, except one Secret of the worker cluster. */
    private final class BothClusters implements ObjectLookup {
        private final SecretName workerSecret;

        BothClusters(SecretName workerSecret) {
            this.workerSecret = workerSecret;
        }

        @Override
        public @Nullable Secret secret(String namespace, String name) {
            return (new SecretName(namespace, name).equals(workerSecret) ? workerObjects : objects)
                    .secret(namespace, name);
        }

        @Override
        public @Nullable Map<String, String> configMap(String namespace, String name) {
            return objects.configMap(namespace, name);
        }
    }

    /** Findings of other packages name a field below {@code spec} but no object. */
    private static List<Problem> about(ProblemObject object, LayeredSettings effective, List<Problem> findings) {
        return findings.stream()
                .map(finding -> {
                    if (!finding.object().isNone()) {
                        return finding;
                    }
                    String field = finding.field().startsWith(SPEC) ? finding.field() : SPEC + finding.field();
                    return Setting.ALL.stream()
                            .filter(setting -> field.startsWith(SPEC + setting.path()))
                            .flatMap(setting -> effective.origins(setting).stream())
                            .findFirst()
                            .map(origin -> finding.withObject(ProblemObject.input(origin.object()))
                                    .withField(origin.field()))
                            .orElseGet(() -> finding.withObject(object).withField(field));
                })
                .toList();
    }

    /**
     * A tenant's resolved settings.
     *
     * @param effective the settings with their sources
     * @param references referenced objects; null while one is invalid or unknown
     * @param mistakes nothing is rendered while there are any
     * @param warnings settings that have no effect, or may stop working
     * @param complete false while a referenced object has not been read; then there are neither references nor mistakes
     */
    public record ResolvedSettings(
            TenantSettings settings,
            LayeredSettings effective,
            RenderInput.@Nullable References references,
            List<Problem> mistakes,
            List<Problem> warnings,
            boolean complete) {
        public ResolvedSettings {
            mistakes = List.copyOf(mistakes);
            warnings = List.copyOf(warnings);
        }
    }
}

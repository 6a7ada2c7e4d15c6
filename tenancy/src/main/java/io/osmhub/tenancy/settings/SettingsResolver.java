package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.problem.Unreachable;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.SettingsReferenceResolver;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.settings.ReferencedObjectCache.ObjectReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Merges a tenant's own settings with the hub's, looks up references and validates everything. Reports all mistakes at once. */
public final class SettingsResolver {
    private static final String SPEC = "spec.";

    /** A parsed layer with its mistakes. */
    public record OwnSettings(SettingsLayer layer, List<ProblemFinding> mistakes) {
        public OwnSettings {
            mistakes = List.copyOf(mistakes);
        }

        /** Settings without mistakes, such as OSM's flags. */
        public static OwnSettings of(SettingsLayer layer) {
            return new OwnSettings(layer, List.of());
        }
    }

    private final String tenantNamespace;
    private final ReferencedObjectCache objects;
    private final SettingsValidator checks;
    private final @Nullable OperatorSettings operator;

    /**
     * @param operator whose flags may reference Secrets of other namespaces, and whose environment may contain credentials; null
     *     if a WorkerCluster has the settings
     */
    public SettingsResolver(
            String tenantNamespace,
            ReferencedObjectCache objects,
            SettingsValidator checks,
            @Nullable OperatorSettings operator) {
        this.tenantNamespace = tenantNamespace;
        this.objects = objects;
        this.checks = checks;
        this.operator = operator;
    }

    /**
     * Parses the settings of a WorkerCluster.
     *
     * @param object name in findings, for example {@code WorkerCluster prod}
     * @param spec of the object
     */
    public static OwnSettings read(String object, JsonNode spec) {
        FindingsCollector mistakes = new FindingsCollector(object, Reason.SettingsInvalid.wireName());
        SettingsLayer layer = SettingsReader.read(spec, "spec", mistakes);
        return new OwnSettings(layer, mistakes.findings());
    }

    /**
     * Resolves the current settings.
     *
     * @param object name of the WorkerCluster in findings
     * @param kubeconfigCa of the worker's kubeconfig, PEM
     */
    public ResolvedSettings resolve(String object, OwnSettings own, SettingsLayer hub, String kubeconfigCa) {
        LayeredSettings effective = new LayeredSettings(own.layer(), hub);
        TenantSettings settings = effective.toTenantSettings();
        objects.setReferences(ObjectReference.of(settings.provisioning(), tenantNamespace, operator != null));
        List<ProblemFinding> mistakes = new ArrayList<>(own.mistakes());
        List<ProblemFinding> warnings = new ArrayList<>();
        try {
            RenderInput.References references = references(settings, kubeconfigCa, mistakes);
            checks.check(settings, objects, mistakes);
            checks.warn(settings, references, warnings);
            return new ResolvedSettings(
                    settings,
                    effective,
                    mistakes.isEmpty() ? references : null,
                    about(object, mistakes),
                    about(object, warnings),
                    true);
        } catch (Unreachable e) {
            return new ResolvedSettings(settings, effective, null, about(object, own.mistakes()), List.of(), false);
        }
    }

    private RenderInput.@Nullable References references(
            TenantSettings settings, String kubeconfigCa, List<ProblemFinding> mistakes) {
        try {
            return withEnvironment(
                    SettingsReferenceResolver.resolve(settings.provisioning(), tenantNamespace, objects, kubeconfigCa));
        } catch (TenantMistake e) {
            mistakes.addAll(e.findings());
            return null;
        }
    }

    private RenderInput.References withEnvironment(RenderInput.References resolved) {
        if (operator == null) {
            return resolved;
        }
        Map<String, String> environment = new HashMap<>(operator.cloudEnvironment());
        environment.putAll(resolved.cloudEnvironment());
        return new RenderInput.References(
                resolved.kubernetesCa(),
                resolved.hostCa(),
                resolved.registryCredentials(),
                resolved.secretHttpProxy(),
                environment);
    }

    /** Findings of other packages name a field below {@code spec} but no object. */
    private static List<ProblemFinding> about(String object, List<ProblemFinding> findings) {
        return findings.stream()
                .map(finding -> finding.object().isEmpty()
                        ? new ProblemFinding(
                                finding.reason(),
                                object,
                                finding.field().startsWith(SPEC) ? finding.field() : SPEC + finding.field(),
                                finding.what(),
                                finding.cure())
                        : finding)
                .toList();
    }

    /**
     * The operator's settings in drop-in mode, which replace a WorkerCluster's.
     *
     * @param flags OSM's command-line flags
     * @param cloudEnvironment environment variables that in-tree cloud configs take credentials from, by name
     */
    public record OperatorSettings(SettingsLayer flags, Map<String, String> cloudEnvironment) {
        public OperatorSettings {
            cloudEnvironment = Map.copyOf(cloudEnvironment);
        }

        /** Omits the credentials. */
        @Override
        public String toString() {
            return "OperatorSettings[...]";
        }
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
            List<ProblemFinding> mistakes,
            List<ProblemFinding> warnings,
            boolean complete) {
        public ResolvedSettings {
            mistakes = List.copyOf(mistakes);
            warnings = List.copyOf(warnings);
        }
    }
}

package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.Mistakes;
import io.osmhub.core.document.ObjectReader;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.problem.Unreachable;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.render.SettingsReferences;
import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lays a tenant's own settings over the hub's, looks up what they refer to and checks everything. All mistakes are reported
 * at once.
 */
public final class SettingsResolver {
    private static final String SPEC = "spec.";

    /** A layer as read, with what was wrong in it. */
    public record OwnSettings(SettingsLayer layer, List<Finding> mistakes) {
        public OwnSettings {
            mistakes = List.copyOf(mistakes);
        }

        /** Settings that were read and found right before, as the peer's flags. */
        public static OwnSettings of(SettingsLayer layer) {
            return new OwnSettings(layer, List.of());
        }
    }

    private final String tenantNamespace;
    private final ReferencedObjects objects;
    private final SettingsChecks checks;
    private final @Nullable OperatorSettings operator;

    /**
     * A resolver for one tenant.
     *
     * @param operator whose flags may name Secrets of other namespaces, and whose environment may hold credentials; null when
     *     a WorkerCluster has the settings
     */
    public SettingsResolver(
            String tenantNamespace,
            ReferencedObjects objects,
            SettingsChecks checks,
            @Nullable OperatorSettings operator) {
        this.tenantNamespace = tenantNamespace;
        this.objects = objects;
        this.checks = checks;
        this.operator = operator;
    }

    /**
     * Reads what a WorkerCluster says.
     *
     * @param object what findings call it, for example {@code WorkerCluster prod}
     * @param spec of the object
     */
    public static OwnSettings read(String object, JsonNode spec) {
        Mistakes mistakes = new Mistakes(object, Reason.SettingsInvalid.word());
        SettingsLayer layer = SettingsReader.readFields(
                ObjectReader.of(Document.of(object, spec).root(), "spec", mistakes));
        return new OwnSettings(layer, mistakes.findings());
    }

    /**
     * What holds now.
     *
     * @param object what findings call the WorkerCluster
     * @param kubeconfigCa PEM text of the worker's kubeconfig
     */
    public ResolvedSettings resolve(String object, OwnSettings own, SettingsLayer hub, String kubeconfigCa) {
        EffectiveSettings effective = new EffectiveSettings(own.layer(), hub);
        TenantSettings settings = effective.settings();
        objects.want(ObjectReference.of(settings.provisioning(), tenantNamespace, operator != null));
        List<Finding> mistakes = new ArrayList<>(own.mistakes());
        List<Finding> warnings = new ArrayList<>();
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
            TenantSettings settings, String kubeconfigCa, List<Finding> mistakes) {
        try {
            return withEnvironment(
                    SettingsReferences.resolve(settings.provisioning(), tenantNamespace, objects, kubeconfigCa));
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

    /** The findings of other packages name a field below {@code spec} and no object. */
    private static List<Finding> about(String object, List<Finding> findings) {
        return findings.stream()
                .map(finding -> finding.object().isEmpty()
                        ? new Finding(
                                finding.reason(),
                                object,
                                finding.field().startsWith(SPEC) ? finding.field() : SPEC + finding.field(),
                                finding.what(),
                                finding.cure())
                        : finding)
                .toList();
    }
}

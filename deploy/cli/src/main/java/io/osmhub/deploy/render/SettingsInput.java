package io.osmhub.deploy.render;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.deploy.config.InputError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's settings: the file's over OSM's flags over the defaults.
 *
 * @param source their document, with the settings as its root; null without a file
 * @param namespace of the WorkerCluster; empty if there is none
 */
record SettingsInput(Provisioning provisioning, @Nullable SourceDocument source, String namespace) {
    private static final String KIND = "WorkerCluster";

    static SettingsInput read(@Nullable String file, SettingsLayer peerFlags, RenderInputs inputs) {
        SourceDocument source = file == null ? null : document(file, inputs);
        if (source == null) {
            return new SettingsInput(provisioning(SettingsLayer.EMPTY, peerFlags), null, "");
        }
        String namespace = RenderInputs.kind(source).equals(KIND) ? source.text("metadata.namespace") : "";
        DocumentNode spec = source.find("spec");
        SourceDocument settings = RenderInputs.kind(source).equals(KIND) && spec != null
                ? new SourceDocument(source.source(), spec, source.lines())
                : source;
        SettingsLayer layer = SettingsLayer.EMPTY;
        try {
            layer = SettingsReader.readFile(source);
        } catch (TenantMistake e) {
            inputs.add(source, e.findings());
        }
        return new SettingsInput(provisioning(layer, peerFlags), settings, namespace);
    }

    private static Provisioning provisioning(SettingsLayer tenant, SettingsLayer peerFlags) {
        return new LayeredSettings(tenant, peerFlags).toTenantSettings().provisioning();
    }

    private static @Nullable SourceDocument document(String file, RenderInputs inputs) {
        List<SourceDocument> all = inputs.all(file);
        if (all == null || all.isEmpty()) {
            return null;
        }
        List<SourceDocument> fitting = all.stream()
                .filter(source -> List.of(KIND, "").contains(RenderInputs.kind(source)))
                .toList();
        if (fitting.size() != 1) {
            inputs.add(new InputError(
                    RenderInputs.nameOf(file),
                    "",
                    fitting.isEmpty()
                            ? "contains no settings, but " + RenderInputs.kind(all.getFirst())
                            : "contains the settings of " + fitting.size() + " tenants",
                    "use one WorkerCluster, or only the fields of its spec"));
            return null;
        }
        return fitting.getFirst();
    }

    /** Reports an unresolved reference at its position in the settings. */
    void add(TenantMistake mistake, RenderInputs inputs) {
        for (Problem finding : mistake.findings()) {
            Problem mended = finding.reason() == Reason.SettingsReferenceNotFound
                    ? finding.withFix("add it with --objects or correct the reference")
                    : finding;
            if (source != null && finding.object().isNone() && source.find(finding.field()) != null) {
                inputs.add(source, List.of(mended));
            } else {
                inputs.add(
                        List.of(mended),
                        source == null ? OsmOptions.OPTION : source.source().path());
            }
        }
    }
}

package io.osmhub.deploy.render;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.SourceText;
import io.osmhub.core.problem.ProblemFinding;
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
record SettingsInput(Provisioning provisioning, @Nullable SourceText source, String namespace) {
    private static final String KIND = "WorkerCluster";
    private static final String NOT_FOUND = "SettingsReferenceNotFound";

    static SettingsInput read(@Nullable String file, SettingsLayer peerFlags, RenderInputs inputs) {
        SourceText source = file == null ? null : document(file, inputs);
        if (source == null) {
            return new SettingsInput(provisioning(SettingsLayer.EMPTY, peerFlags), null, "");
        }
        String namespace = RenderInputs.kind(source).equals(KIND) ? source.text("metadata.namespace") : "";
        DocumentNode spec = source.document().find("spec");
        SourceText settings = RenderInputs.kind(source).equals(KIND) && spec != null
                ? new SourceText(new SourceDocument(source.document().source(), spec), source.lines())
                : source;
        SettingsLayer layer = SettingsLayer.EMPTY;
        try {
            layer = SettingsReader.readFile(source.document());
        } catch (TenantMistake e) {
            inputs.add(source, e.findings());
        }
        return new SettingsInput(provisioning(layer, peerFlags), settings, namespace);
    }

    private static Provisioning provisioning(SettingsLayer tenant, SettingsLayer peerFlags) {
        return new LayeredSettings(tenant, peerFlags).toTenantSettings().provisioning();
    }

    private static @Nullable SourceText document(String file, RenderInputs inputs) {
        List<SourceText> all = inputs.all(file);
        if (all == null || all.isEmpty()) {
            return null;
        }
        List<SourceText> fitting = all.stream()
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
        for (ProblemFinding finding : mistake.findings()) {
            ProblemFinding mended = finding.reason().equals(NOT_FOUND)
                    ? new ProblemFinding(
                            NOT_FOUND,
                            finding.object(),
                            finding.field(),
                            finding.what(),
                            "add it with --objects or correct the reference")
                    : finding;
            if (source != null
                    && finding.object().isEmpty()
                    && source.document().find(finding.field()) != null) {
                inputs.add(source, List.of(mended));
            } else {
                inputs.add(
                        List.of(mended),
                        source == null ? OsmOptions.OPTION : source.document().source());
            }
        }
    }
}

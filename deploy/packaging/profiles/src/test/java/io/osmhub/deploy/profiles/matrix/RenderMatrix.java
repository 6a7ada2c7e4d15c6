package io.osmhub.deploy.profiles.matrix;

import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.deploy.profiles.matrix.MachineDocument.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Renders combinations as the hub does, and reads the documents back as a machine does. */
final class RenderMatrix {
    private final Renderer renderer = new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, System::nanoTime)::open);
    private final List<MatrixFinding> findings = new ArrayList<>();
    private int renderings;

    /** Both documents of a combination. */
    record DocumentPair(MachineDocument bootstrap, MachineDocument provisioning) {
        List<MachineDocument> both() {
            return List.of(bootstrap, provisioning);
        }
    }

    /** Renders; empty when that ended in a finding. */
    Optional<DocumentPair> render(ProfileCombination point) {
        return render(point, point.input());
    }

    /** Renders another input under the combination's name. */
    Optional<DocumentPair> render(ProfileCombination point, RenderInput input) {
        renderings++;
        try {
            RenderedConfig rendering = renderer.render(input);
            RenderedConfig.Documents documents = UserDataDocuments.createDocuments(input, rendering);
            new NodeContentCheck()
                    .check(input, rendering, documents)
                    .forEach(finding -> add(point, "content", finding.field() + ": " + finding.cause()));
            String utility = rendering.revealed().provisioningUtility();
            return Optional.of(new DocumentPair(
                    DocumentReader.read(point, Phase.BOOTSTRAP, utility, documents.bootstrap()),
                    DocumentReader.read(point, Phase.PROVISIONING, utility, documents.provisioning())));
        } catch (TenantMistake e) {
            e.findings().forEach(finding -> add(point, "renderer", finding.field() + ": " + finding.cause()));
        } catch (IllegalArgumentException e) {
            add(point, "reader", String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    private void add(ProfileCombination point, String check, String message) {
        findings.add(new MatrixFinding(point.label(), "", 0, check, message));
    }

    int renderings() {
        return renderings;
    }

    /** What could not be rendered or read. */
    List<MatrixFinding> findings() {
        return List.copyOf(findings);
    }
}

package io.osmhub.core.render;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.CompiledTemplates;
import io.osmhub.core.template.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Renders the files of one configuration with credentials, and a file that reads one again with placeholders. */
final class PartRenderer {
    private static final int DEFAULT_MODE = 644;

    private final String profileObject;
    private final ExecutionEnvironment environment;
    private final TemplateData revealed;
    private final TemplateData redacted;

    PartRenderer(
            String profileObject,
            TemplateLanguage language,
            TemplateInput revealed,
            TemplateInput redacted,
            ExecutionEnvironment environment) {
        this.profileObject = profileObject;
        this.revealed = new TemplateData(revealed, language);
        this.redacted = new TemplateData(redacted, language);
        this.environment = environment;
    }

    /** The same files for the secrets and for the stored object. */
    record FileVariants(List<OperatingSystemConfig.File> revealed, List<OperatingSystemConfig.File> redacted) {}

    FileVariants render(CompiledProfile.Part part) {
        CompiledTemplates templates = Objects.requireNonNull(part.templates(), "mistakes were raised before");
        boolean credentials = false;
        try {
            CompiledTemplates.TemplateExecution run = templates.startExecution(revealed.dot(), environment);
            // Any file may contain what a snippet read.
            boolean inSnippets = revealed.getAndClearCredentialRead();
            credentials = inSnippets;
            CompiledTemplates.TemplateExecution again =
                    inSnippets ? templates.startExecution(redacted.dot(), environment) : run.withData(redacted.dot());
            List<OperatingSystemConfig.File> files = new ArrayList<>(templates.size());
            List<OperatingSystemConfig.File> stored = new ArrayList<>(templates.size());
            for (int i = 0; i < templates.size(); i++) {
                CompiledProfile.SourceFile source = part.files().get(i);
                OperatingSystemConfig.File file = file(source, run.renderFile(i));
                boolean read = revealed.getAndClearCredentialRead() || inSnippets;
                credentials |= read;
                files.add(file);
                stored.add(read ? file(source, again.renderFile(i)) : file);
            }
            return new FileVariants(files, stored);
        } catch (TemplateException e) {
            // The message of an exceeded limit contains only the limit and the template position.
            credentials |= revealed.getAndClearCredentialRead();
            TemplateException told =
                    credentials && e.stage() != TemplateException.Stage.LIMIT ? withoutCredentials(templates, e) : e;
            throw new TenantMistake(Renderer.withObject(profileObject, CompiledProfile.finding(part, told)));
        }
    }

    /**
     * A failure's message may quote values of the template, so one that read a credential is reported from a rendering with
     * placeholders.
     */
    private TemplateException withoutCredentials(CompiledTemplates templates, TemplateException failure) {
        try {
            templates.render(redacted.dot(), environment);
        } catch (TemplateException e) {
            if (e.stage() != TemplateException.Stage.LIMIT) {
                return e;
            }
        }
        String what = "fails with credentials, but not with placeholders; the error message is "
                + "withheld because it may contain one";
        return new TemplateException(
                failure.stage(), what, failure.template(), failure.line(), failure.column(), what, null);
    }

    private static OperatingSystemConfig.File file(CompiledProfile.SourceFile source, String text) {
        int permissions = source.permissions() == 0 ? DEFAULT_MODE : source.permissions();
        return new OperatingSystemConfig.File(source.path(), permissions, text, source.encoding());
    }
}

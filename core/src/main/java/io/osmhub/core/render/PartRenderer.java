package io.osmhub.core.render;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.CompiledTemplates;
import io.osmhub.core.template.TemplateFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Renders the files of one configuration: with credentials, and where a file reads one, again with placeholders. */
final class PartRenderer {
    private static final int DEFAULT_MODE = 644;

    private final String profileObject;
    private final Environment environment;
    private final FilesData revealed;
    private final FilesData redacted;

    PartRenderer(
            String profileObject,
            TemplateLanguage language,
            FilesContext revealed,
            FilesContext redacted,
            Environment environment) {
        this.profileObject = profileObject;
        this.revealed = new FilesData(revealed, language);
        this.redacted = new FilesData(redacted, language);
        this.environment = environment;
    }

    /** The same files, once for the secrets and once for the stored object. */
    record Pair(List<OperatingSystemConfig.File> revealed, List<OperatingSystemConfig.File> redacted) {}

    Pair render(CompiledProfile.Part part) {
        CompiledTemplates templates = Objects.requireNonNull(part.templates(), "mistakes were raised before");
        boolean credentials = false;
        try {
            CompiledTemplates.Run run = templates.begin(revealed.dot(), environment);
            // What a snippet read, any file may hold.
            boolean inSnippets = revealed.takeCredentialRead();
            credentials = inSnippets;
            CompiledTemplates.Run again =
                    inSnippets ? templates.begin(redacted.dot(), environment) : run.over(redacted.dot());
            List<OperatingSystemConfig.File> files = new ArrayList<>(templates.size());
            List<OperatingSystemConfig.File> stored = new ArrayList<>(templates.size());
            for (int i = 0; i < templates.size(); i++) {
                CompiledProfile.SourceFile source = part.files().get(i);
                OperatingSystemConfig.File file = file(source, run.file(i));
                boolean read = revealed.takeCredentialRead() || inSnippets;
                credentials |= read;
                files.add(file);
                stored.add(read ? file(source, again.file(i)) : file);
            }
            return new Pair(files, stored);
        } catch (TemplateFailure e) {
            // The message of an exceeded limit has only the limit and a place in the template.
            credentials |= revealed.takeCredentialRead();
            TemplateFailure told =
                    credentials && e.stage() != TemplateFailure.Stage.LIMIT ? withoutCredentials(templates, e) : e;
            throw new TenantMistake(Renderer.about(profileObject, CompiledProfile.finding(part, told)));
        }
    }

    /**
     * A failure's text may quote what a template handled, so one that read a credential is told as it fails with placeholders.
     */
    private TemplateFailure withoutCredentials(CompiledTemplates templates, TemplateFailure failure) {
        try {
            templates.render(redacted.dot(), environment);
        } catch (TemplateFailure e) {
            if (e.stage() != TemplateFailure.Stage.LIMIT) {
                return e;
            }
        }
        String what = "fails with the credentials that it reads, but not with placeholders; the text of the failure is "
                + "kept back because it may hold one";
        return new TemplateFailure(
                failure.stage(), what, failure.template(), failure.line(), failure.column(), what, null);
    }

    private static OperatingSystemConfig.File file(CompiledProfile.SourceFile source, String text) {
        int permissions = source.permissions() == 0 ? DEFAULT_MODE : source.permissions();
        return new OperatingSystemConfig.File(source.path(), permissions, text, source.encoding());
    }
}

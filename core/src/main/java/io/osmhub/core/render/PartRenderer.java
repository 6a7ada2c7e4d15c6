package io.osmhub.core.render;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.CompiledTemplates;
import io.osmhub.core.template.TemplateFailure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** Renders the files of one configuration: with credentials, and where a file reads one, again with placeholders. */
final class PartRenderer {
    private static final int DEFAULT_MODE = 644;

    private final String profileObject;
    private final Supplier<? extends Environment> environments;
    private final FilesData revealed;
    private final FilesData redacted;

    PartRenderer(
            String profileObject,
            TemplateLanguage language,
            FilesContext revealed,
            FilesContext redacted,
            Supplier<? extends Environment> environments) {
        this.profileObject = profileObject;
        this.revealed = new FilesData(revealed, language);
        this.redacted = new FilesData(redacted, language);
        this.environments = environments;
    }

    /** The same files, once for the secrets and once for the stored object. */
    record Pair(List<OperatingSystemConfig.File> revealed, List<OperatingSystemConfig.File> redacted) {}

    Pair render(CompiledProfile.Part part) {
        CompiledTemplates templates = Objects.requireNonNull(part.templates(), "mistakes were raised before");
        int count = part.files().size();
        BitSet withCredential = new BitSet(count);
        boolean[] inSnippets = {false};
        List<String> texts;
        try {
            texts = templates.render(revealed.dot(), environments.get(), file -> {
                boolean read = revealed.takeCredentialRead();
                if (file == 0) {
                    // What was read before the first file was read by a snippet, whose text any file may hold.
                    inSnippets[0] = read;
                } else if (read) {
                    withCredential.set(file - 1);
                }
                return true;
            });
        } catch (TemplateFailure e) {
            boolean read = revealed.takeCredentialRead() || inSnippets[0] || !withCredential.isEmpty();
            throw mistake(part, read ? withoutCredentials(templates, e) : e);
        }
        if (count > 0 && revealed.takeCredentialRead()) {
            withCredential.set(count - 1);
        }
        if (inSnippets[0]) {
            withCredential.set(0, count);
        }
        List<OperatingSystemConfig.File> files = files(part, texts);
        if (withCredential.isEmpty()) {
            return new Pair(files, files);
        }
        List<String> again;
        try {
            again = templates.render(redacted.dot(), environments.get(), withCredential::get);
        } catch (TemplateFailure e) {
            throw mistake(part, e);
        }
        List<String> mixed = new ArrayList<>(texts);
        withCredential.stream().forEach(file -> mixed.set(file, again.get(file)));
        return new Pair(files, files(part, mixed));
    }

    /**
     * A failure's text may quote what a template handled, so one that read a credential is told as it fails with placeholders.
     */
    private TemplateFailure withoutCredentials(CompiledTemplates templates, TemplateFailure failure) {
        try {
            templates.render(redacted.dot(), environments.get());
        } catch (TemplateFailure e) {
            return e;
        }
        String what = "fails with the credentials that it reads, but not with placeholders; the text of the failure is "
                + "kept back because it may hold one";
        return new TemplateFailure(
                failure.stage(), what, failure.template(), failure.line(), failure.column(), what, null);
    }

    private TenantMistake mistake(CompiledProfile.Part part, TemplateFailure failure) {
        return new TenantMistake(Renderer.about(profileObject, CompiledProfile.finding(part, failure)));
    }

    private static List<OperatingSystemConfig.File> files(CompiledProfile.Part part, List<String> texts) {
        List<OperatingSystemConfig.File> files = new ArrayList<>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            CompiledProfile.SourceFile source = part.files().get(i);
            int permissions = source.permissions() == 0 ? DEFAULT_MODE : source.permissions();
            files.add(new OperatingSystemConfig.File(source.path(), permissions, texts.get(i), source.encoding()));
        }
        return files;
    }
}

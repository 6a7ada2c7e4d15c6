package io.osmhub.core.render;

import io.osmhub.core.osp.TemplateLanguage;
import java.util.List;

/** What templates may read: for messages that suggest the right name, and for the documentation. */
public final class TemplateContext {
    private TemplateContext() {}

    /** Names of the fields of the context, in the order of the peer's struct. */
    public static List<String> fields(TemplateLanguage language) {
        return FilesData.names(language);
    }
}

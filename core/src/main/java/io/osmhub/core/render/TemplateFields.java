package io.osmhub.core.render;

import io.osmhub.core.osp.TemplateLanguage;
import java.util.List;

/** The fields for templates, for suggestions in messages and for the documentation. */
public final class TemplateFields {
    private TemplateFields() {}

    /** Names of the context's fields, in the order of OSM's struct. */
    public static List<String> fields(TemplateLanguage language) {
        return TemplateData.names(language);
    }
}

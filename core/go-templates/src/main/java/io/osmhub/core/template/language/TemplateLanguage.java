package io.osmhub.core.template.language;

/** Value of annotation {@code osmhub.io/template-engine} of a profile. */
public enum TemplateLanguage {
    GO("go"),
    HANDLEBARS("handlebars");

    private final String wireName;

    TemplateLanguage(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}

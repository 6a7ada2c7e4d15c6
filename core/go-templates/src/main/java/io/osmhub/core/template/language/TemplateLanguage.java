package io.osmhub.core.template.language;

/** Value of {@code spec.templateEngine}. */
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

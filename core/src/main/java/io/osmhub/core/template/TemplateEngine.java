package io.osmhub.core.template;

/** One template language. Stateless and thread-safe. */
public interface TemplateEngine {
    /**
     * Compiles the files of one configuration (bootstrap or provisioning) with their snippets.
     *
     * @throws TemplateException at the first text that cannot be parsed
     */
    CompiledTemplates compile(TemplateSources sources) throws TemplateException;
}

package io.osmhub.core.template;

/** One template language. Stateless; safe for use by many threads. */
public interface TemplateEngine {
    /**
     * Compiles the files of one configuration (bootstrap or provisioning) with the snippets they may use.
     *
     * @throws TemplateFailure at the first text that does not parse
     */
    CompiledTemplates compile(TemplateSources sources) throws TemplateFailure;
}

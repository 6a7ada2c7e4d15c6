package io.osmhub.core.template;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Value;
import java.util.List;

/** The compiled files of one configuration. Immutable; safe for use by many threads. */
public interface CompiledTemplates {
    /**
     * Renders every file, in the order of {@link TemplateSources#files()}.
     *
     * @param data what the templates see as their context
     * @return for each file its text
     * @throws TemplateFailure at the first error or limit; there is no partial result
     */
    List<String> render(Value data, Environment environment) throws TemplateFailure;
}

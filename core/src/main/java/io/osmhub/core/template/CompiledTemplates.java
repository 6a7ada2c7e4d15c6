package io.osmhub.core.template;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Value;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/** The compiled files of one configuration. Immutable; safe for use by many threads. */
public interface CompiledTemplates {
    /**
     * Renders every file, in the order of {@link TemplateSources#files()}.
     *
     * @param data what the templates see as their context
     * @return for each file its text
     * @throws TemplateFailure at the first error or limit; there is no partial result
     */
    default List<String> render(Value data, Environment environment) throws TemplateFailure {
        return render(data, environment, file -> true);
    }

    /**
     * Renders some of the files.
     *
     * @param wanted asked with a file's index just before that file is rendered, so that whoever asks may also tell which
     *     file reads what; snippets that are rendered once for all files are rendered before the first question
     * @return for each wanted file its text, for each other one an empty text
     * @throws TemplateFailure at the first error or limit; there is no partial result
     */
    List<String> render(Value data, Environment environment, IntPredicate wanted) throws TemplateFailure;

    /**
     * Where files and snippets name one of these functions, whether or not a rendering would come there. For functions that
     * change from rendering to rendering; a language that has none tells nothing.
     */
    default List<FunctionUse> uses(Set<String> functions) {
        return List.of();
    }
}

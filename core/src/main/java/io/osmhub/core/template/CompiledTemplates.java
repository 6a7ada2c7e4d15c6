package io.osmhub.core.template;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The compiled files of one configuration. Immutable; safe for use by many threads. */
public interface CompiledTemplates {
    /** How many files there are: those of {@link TemplateSources#files()}. */
    int size();

    /**
     * Begins a rendering: what is rendered once for all files is rendered now.
     *
     * @param data what the templates see as their context
     * @throws TemplateFailure at the first error or limit
     */
    Run begin(Value data, Environment environment) throws TemplateFailure;

    /** One rendering. For one thread. */
    interface Run {
        /**
         * The text of a file, by its position in {@link TemplateSources#files()}.
         *
         * @throws TemplateFailure at the first error or limit; there is no partial text
         */
        String file(int index) throws TemplateFailure;

        /** The same rendering for other data, but for what was rendered once for all files: that stays as it is. */
        Run over(Value otherData);
    }

    /**
     * Renders every file.
     *
     * @throws TemplateFailure at the first error or limit; there is no partial result
     */
    default List<String> render(Value data, Environment environment) throws TemplateFailure {
        Run run = begin(data, environment);
        List<String> texts = new ArrayList<>(size());
        for (int i = 0; i < size(); i++) {
            texts.add(run.file(i));
        }
        return texts;
    }

    /**
     * Where files and snippets name one of these functions, whether or not a rendering would come there. For functions that
     * change from rendering to rendering; a language that has none tells nothing.
     */
    default List<FunctionUse> uses(Set<String> functions) {
        return List.of();
    }
}

package io.osmhub.core.template;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The compiled files of one configuration. Immutable and thread-safe. */
public interface CompiledTemplates {
    /** The number of {@link TemplateSources#files()}. */
    int size();

    /**
     * Starts a rendering, and renders what all files share.
     *
     * @param data the templates' context
     * @throws TemplateException at the first error or limit
     */
    TemplateExecution startExecution(GoValue data, ExecutionEnvironment environment) throws TemplateException;

    /** One rendering. Not thread-safe. */
    interface TemplateExecution {
        /**
         * Renders a file by its position in {@link TemplateSources#files()}.
         *
         * @throws TemplateException at the first error or limit; there is no partial text
         */
        String renderFile(int index) throws TemplateException;

        /** The same rendering with other data; what all files share is not rendered again. */
        TemplateExecution withData(GoValue otherData);
    }

    /**
     * Renders every file.
     *
     * @throws TemplateException at the first error or limit; there is no partial result
     */
    default List<String> render(GoValue data, ExecutionEnvironment environment) throws TemplateException {
        TemplateExecution run = startExecution(data, environment);
        List<String> texts = new ArrayList<>(size());
        for (int i = 0; i < size(); i++) {
            texts.add(run.renderFile(i));
        }
        return texts;
    }

    /**
     * Where files and snippets use one of these functions, even if a rendering would not execute it. For functions whose result
     * varies; empty for a language without them.
     */
    default List<FunctionUse> findFunctionUses(Set<String> functions) {
        return List.of();
    }
}

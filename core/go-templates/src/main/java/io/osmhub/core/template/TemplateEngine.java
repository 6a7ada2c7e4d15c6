package io.osmhub.core.template;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One template language. Stateless and thread-safe. */
public interface TemplateEngine {
    /**
     * Compiles the files of one configuration (bootstrap or provisioning) with their snippets.
     *
     * @throws TemplateException at the first text that cannot be parsed
     */
    CompiledTemplates compile(TemplateSources sources) throws TemplateException;

    /** The compiled files of one configuration. Immutable and thread-safe. */
    interface CompiledTemplates {
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
    }

    /**
     * The templates of one configuration: snippets by name, and files in order. {@code snippets} are sorted, so that the first error is
     * reproducible.
     */
    record TemplateSources(Map<String, String> snippets, List<File> files) {
        /** One file; its path is also its template's name in errors. */
        public record File(String path, String text) {}

        public TemplateSources {
            snippets = Collections.unmodifiableMap(new TreeMap<>(snippets));
            files = List.copyOf(files);
        }
    }
}

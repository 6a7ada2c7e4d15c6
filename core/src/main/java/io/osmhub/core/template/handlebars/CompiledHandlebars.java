package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.HandlebarsException;
import com.github.jknack.handlebars.Template;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.handlebars.HandlebarsExecution.BudgetedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Parsed files with their snippets. Immutable except for the cache of indented snippets.
 *
 * @param texts of all files and snippets by name, to locate errors
 */
record CompiledHandlebars(List<File> files, Map<String, String> texts) implements CompiledTemplates {
    /** One file, parsed. */
    record File(String path, Template template) {}

    CompiledHandlebars {
        files = List.copyOf(files);
        texts = Map.copyOf(texts);
    }

    @Override
    public int size() {
        return files.size();
    }

    @Override
    public TemplateExecution startExecution(GoValue data, ExecutionEnvironment environment) {
        return new Files(this, data, environment);
    }

    /** Each file renders its snippets, so that a rendering has no shared state. */
    private record Files(CompiledHandlebars templates, GoValue data, ExecutionEnvironment environment)
            implements TemplateExecution {
        @Override
        public String renderFile(int index) throws TemplateException {
            environment.startFile();
            return templates.render(templates.files().get(index), data, environment);
        }

        @Override
        public TemplateExecution withData(GoValue otherData) {
            return new Files(templates, otherData, environment);
        }
    }

    private String render(File file, GoValue data, ExecutionEnvironment environment) throws TemplateException {
        BudgetedWriter writer = BudgetedWriter.forFile(environment);
        HandlebarsExecution rendering = new HandlebarsExecution(environment, data, writer);
        try {
            ScopedValue.where(HandlebarsExecution.scopedValue(), rendering).call(() -> {
                Context context = Context.newBuilder(rendering.root())
                        .resolver(GoValueResolver.INSTANCE)
                        .build();
                file.template().apply(context, writer);
                return writer;
            });
            return writer.text();
        } catch (HandlebarsException failed) {
            throw HandlebarsErrors.running(file.path(), texts, failed);
        } catch (LimitExceededException limit) {
            throw HandlebarsErrors.limit(file.path(), 0, 0, String.valueOf(limit.getMessage()));
        } catch (StackOverflowError tooDeep) {
            throw HandlebarsErrors.limit(file.path(), 0, 0, "blocks or snippets are nested too deeply");
        } catch (IOException impossible) {
            throw new UncheckedIOException("text is written to memory", impossible);
        }
    }
}

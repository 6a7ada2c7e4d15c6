package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.HandlebarsException;
import com.github.jknack.handlebars.Template;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.Value;
import io.osmhub.core.template.CompiledTemplates;
import io.osmhub.core.template.TemplateFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Parsed files with their snippets. Nothing in them changes but the cache of indented snippets.
 *
 * @param texts of all files and snippets by name, to find places of errors in
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
    public Run begin(Value data, Environment environment) {
        return new Files(this, data, environment);
    }

    /** A file renders the snippets that it calls itself, so that a rendering has nothing to keep. */
    private record Files(CompiledHandlebars templates, Value data, Environment environment) implements Run {
        @Override
        public String file(int index) throws TemplateFailure {
            environment.nextFile();
            return templates.render(templates.files().get(index), data, environment);
        }

        @Override
        public Run over(Value otherData) {
            return new Files(templates, otherData, environment);
        }
    }

    private String render(File file, Value data, Environment environment) throws TemplateFailure {
        BoundedWriter writer = BoundedWriter.forFile(environment);
        Rendering rendering = new Rendering(environment, data, writer);
        try {
            ScopedValue.where(Rendering.variable(), rendering).call(() -> {
                Context context = Context.newBuilder(rendering.root())
                        .resolver(NameResolver.INSTANCE)
                        .build();
                file.template().apply(context, writer);
                return writer;
            });
            return writer.text();
        } catch (HandlebarsException failed) {
            throw Failures.running(file.path(), texts, failed);
        } catch (LimitExceeded limit) {
            throw Failures.limit(file.path(), 0, 0, String.valueOf(limit.getMessage()));
        } catch (StackOverflowError tooDeep) {
            throw Failures.limit(file.path(), 0, 0, "blocks or snippets are nested too deeply");
        } catch (IOException impossible) {
            throw new UncheckedIOException("text is written to memory", impossible);
        }
    }
}

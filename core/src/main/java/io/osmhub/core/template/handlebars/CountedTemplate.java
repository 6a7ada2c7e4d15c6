package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.TypeSafeTemplate;
import io.osmhub.core.golang.Environment;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** A file or snippet that counts as a level of depth while it runs. */
record CountedTemplate(Template template) implements Template {
    @Override
    public void apply(Context context, Writer writer) throws IOException {
        Environment environment = Rendering.current().environment();
        environment.enter();
        environment.charge(1, 0);
        template.apply(context, writer);
        environment.leave();
    }

    @Override
    public void apply(Object context, Writer writer) throws IOException {
        apply(Context.newContext(context), writer);
    }

    @Override
    public String apply(Object context) throws IOException {
        return apply(Context.newContext(context));
    }

    @Override
    public String apply(Context context) throws IOException {
        BoundedWriter text = BoundedWriter.forValue(Rendering.current().environment());
        apply(context, text);
        return text.text();
    }

    @Override
    public String text() {
        return template.text();
    }

    @Override
    public String toJavaScript() {
        throw new UnsupportedOperationException("there is no JavaScript here");
    }

    @Override
    public <T, S extends TypeSafeTemplate<T>> S as(Class<S> type) {
        throw new UnsupportedOperationException("templates have no Java types");
    }

    @Override
    public <T> TypeSafeTemplate<T> as() {
        throw new UnsupportedOperationException("templates have no Java types");
    }

    @Override
    public List<String> collect(TagType... types) {
        return template.collect(types);
    }

    @Override
    public List<String> collectReferenceParameters() {
        return template.collectReferenceParameters();
    }

    @Override
    public String filename() {
        return template.filename();
    }

    @Override
    public int[] position() {
        return template.position();
    }
}

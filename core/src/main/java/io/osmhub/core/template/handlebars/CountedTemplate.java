package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.TypeSafeTemplate;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Value;
import java.io.IOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file or snippet that counts as a level of depth while it runs. */
record CountedTemplate(Template template) implements Template {
    @Override
    public void apply(Context context, Writer writer) throws IOException {
        Rendering rendering = Rendering.current();
        Environment environment = rendering.environment();
        environment.enter();
        environment.charge(1, 0);
        boolean file = context.parent() == null;
        template.apply(file ? context : forSnippet(context, rendering), writer);
        environment.leave();
    }

    /** A context of the snippet's own, from which names lead to what it was called with, and then to the caller's. */
    private Context forSnippet(Context caller, Rendering rendering) {
        if (!(caller.model() instanceof Scope scope)) {
            throw new HelperMistake(
                    "a snippet takes values by name, not a context", "write {{> " + filename() + " name=value}}");
        }
        Map<String, Value> given = new HashMap<>();
        for (String name : NameResolver.ASKED_BY_LIBRARY) {
            Value value = Values.from(caller.get(name));
            if (value != null) {
                given.put(name, value);
            }
        }
        Scope own = new Scope(scope.value(), name -> {
            boolean known = NameResolver.ASKED_BY_LIBRARY.contains(name);
            return known ? given.get(name) : Values.from(caller.get(path(name)));
        });
        Context context =
                Context.newBuilder(own).resolver(NameResolver.INSTANCE).build();
        return context.data("root", rendering.root());
    }

    /** A name that would read as a path stands in brackets. */
    private static String path(String name) {
        boolean plain = name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '@');
        return plain ? name : "[" + name + "]";
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

package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.TypeSafeTemplate;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import java.io.IOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file or snippet that counts as a level of depth while it is rendered. */
record DepthCountingTemplate(Template template) implements Template {
    @Override
    public void apply(Context context, Writer writer) throws IOException {
        HandlebarsExecution rendering = HandlebarsExecution.current();
        ExecutionEnvironment environment = rendering.environment();
        environment.enterLevel();
        environment.charge(1, 0);
        boolean file = context.parent() == null;
        template.apply(file ? context : forSnippet(context, rendering), writer);
        environment.leaveLevel();
    }

    /** A snippet's own context: names resolve to its arguments, then to the caller's context. */
    private Context forSnippet(Context caller, HandlebarsExecution rendering) {
        if (!(caller.model() instanceof NameScope scope)) {
            throw new HelperException(
                    "a snippet takes values by name, not a context", "use {{> " + filename() + " name=value}}");
        }
        Map<String, GoValue> given = new HashMap<>();
        for (String name : GoValueResolver.ASKED_BY_LIBRARY) {
            GoValue value = HandlebarsValues.from(caller.get(name));
            if (value != null) {
                given.put(name, value);
            }
        }
        NameScope own = new NameScope(scope.value(), name -> {
            boolean known = GoValueResolver.ASKED_BY_LIBRARY.contains(name);
            return known ? given.get(name) : HandlebarsValues.from(caller.get(path(name)));
        });
        Context context =
                Context.newBuilder(own).resolver(GoValueResolver.INSTANCE).build();
        return context.data("root", rendering.root());
    }

    /** A name that would be parsed as a path is put in brackets. */
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
        BudgetedWriter text =
                BudgetedWriter.forValue(HandlebarsExecution.current().environment());
        apply(context, text);
        return text.text();
    }

    @Override
    public String text() {
        return template.text();
    }

    @Override
    public String toJavaScript() {
        throw new UnsupportedOperationException("JavaScript is not supported");
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

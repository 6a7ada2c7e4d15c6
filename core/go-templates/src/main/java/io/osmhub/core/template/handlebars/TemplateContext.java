package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.PathExpression;
import com.github.jknack.handlebars.ValueResolver;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.template.functions.HandlebarsValues;
import io.osmhub.core.template.handlebars.HandlebarsErrors.HelperException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What names mean at one place of a template. Replaces the library's lookup: names are resolved in the values of this context and of
 * those around it, never on Java objects, and an unknown name is an error.
 *
 * <p>A file has a context, {@code with} and {@code each} open one in it, and a snippet has one in that of its caller.
 */
final class TemplateContext extends Context {
    /** What the library takes for the value of any context: it passes it to a helper that is called without arguments. */
    static final Object MODEL = new Object();

    /** The library gives access to the arguments of a snippet by name only; with this resolver any name gives all. */
    private static final ValueResolver WHOLE_MAP = new ValueResolver() {
        @Override
        public Object resolve(Object map, String name) {
            return map;
        }

        @Override
        public Object resolve(Object map) {
            return map;
        }

        @Override
        public Set<Map.Entry<String, Object>> propertySet(Object map) {
            return Set.of();
        }
    };

    /** Requested by the library before it calls a snippet; they are missing as a rule. */
    private static final Set<String> REQUESTED_BY_LIBRARY = Set.of("size", "empty");

    private final GoValue rootValue;
    private final GoValue value;
    /** Names of a loop or after {@code as}, or the arguments of a snippet; they hide those of the value. */
    private final Map<String, GoValue> names;
    /** Where a name is resolved that is missing here; null for a file. */
    private final @Nullable TemplateContext enclosingContext;
    /** Whether {@code ../} leads to the enclosing context. */
    private final boolean hasParent;

    private TemplateContext(
            GoValue rootValue,
            GoValue value,
            Map<String, GoValue> names,
            @Nullable TemplateContext enclosingContext,
            boolean hasParent) {
        super(MODEL);
        this.rootValue = rootValue;
        this.value = value;
        this.names = names;
        this.enclosingContext = enclosingContext;
        this.hasParent = hasParent;
        resolver = WHOLE_MAP;
        data = enclosingContext == null ? libraryData() : enclosingContext.data;
    }

    /** What the library stores for partials. */
    @SuppressWarnings("JdkObsolete") // the library casts to this class
    private static Map<String, Object> libraryData() {
        Map<String, Object> data = new HashMap<>();
        data.put(Context.INLINE_PARTIALS, new LinkedList<>(List.of(Map.of())));
        data.put(Context.INVOCATION_STACK, new LinkedList<>());
        return data;
    }

    static TemplateContext forFile(GoValue rootValue) {
        return new TemplateContext(rootValue, rootValue, Map.of(), null, false);
    }

    /** The context of a block with its own value and names. */
    TemplateContext forBlock(GoValue blockValue, Map<String, GoValue> blockNames) {
        return new TemplateContext(rootValue, blockValue, blockNames, this, true);
    }

    /** The context of a snippet, from the one that the library creates for its call. */
    static TemplateContext forSnippet(String snippet, Context call) {
        TemplateContext caller = (TemplateContext) call.parent();
        if (call.model() != caller.value) {
            throw new HelperException(
                    "a snippet takes values by name, not a context", "use {{> " + snippet + " name=value}}");
        }
        Map<String, GoValue> arguments = new HashMap<>();
        ((Map<?, ?>) call.get("arguments")).forEach((name, argument) -> {
            boolean absent = REQUESTED_BY_LIBRARY.contains(name) && argument instanceof HelperException;
            if (!absent) {
                arguments.put((String) name, FunctionHelpers.argument(argument));
            }
        });
        return new TemplateContext(caller.rootValue, caller.value, arguments, caller, false);
    }

    /** The value of a path; a {@link HelperException} instead of a value that only the library requests. */
    @Override
    public Object get(List<PathExpression> path) {
        TemplateContext start = this;
        int next = 0;
        for (; next < path.size() && name(path, next).startsWith(".."); next++) {
            if (start.enclosingContext == null || !start.hasParent) {
                throw HelperException.unknown("unknown name", text(path), List.of());
            }
            start = start.enclosingContext;
        }
        GoValue found = start.value;
        if (next < path.size()) {
            String name = name(path, next++);
            boolean self = name.equals(".") || name.equals("./") || name.equals("this");
            if (name.equals("@root")) {
                found = rootValue;
            } else if (!self) {
                found = start.find(name);
            } else if (next < path.size()) {
                found = start.own(name(path, next++));
            }
            if (found == null && path.size() == 1 && REQUESTED_BY_LIBRARY.contains(name)) {
                return new HelperException("unknown name \"" + name + "\"", null);
            }
            if (found == null) {
                throw HelperException.unknown("unknown name", next == 1 ? name : text(path), start.visibleNames());
            }
        }
        for (; next < path.size(); next++) {
            found = member(found, name(path, next));
        }
        return found;
    }

    private static String name(List<PathExpression> path, int index) {
        String name = path.get(index).toString();
        boolean position = name.startsWith("[") && name.endsWith("]");
        return position ? name.substring(1, name.length() - 1) : name;
    }

    private static String text(List<PathExpression> path) {
        return path.stream()
                .map(PathExpression::toString)
                .collect(Collectors.joining("."))
                .replace("/.", "/");
    }

    /** The value of a name here or further out; null if unknown. */
    private @Nullable GoValue find(String name) {
        for (TemplateContext context = this; context != null; context = context.enclosingContext) {
            HandlebarsExecution.current().environment().charge(1, 0);
            GoValue found = context.own(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable GoValue own(String name) {
        GoValue found = names.get(name);
        return found != null ? found : HandlebarsValues.field(HandlebarsValues.dereference(value), name);
    }

    private List<String> visibleNames() {
        List<String> visible = new ArrayList<>();
        for (TemplateContext context = this; context != null; context = context.enclosingContext) {
            visible.addAll(context.names.keySet());
            visible.addAll(HandlebarsValues.fieldNames(HandlebarsValues.dereference(context.value)));
        }
        visible.addAll(HandlebarsEngine.helperNames());
        return visible;
    }

    /** The rest of a path: nothing has only nothing, a map may lack a key, a struct must have the field. */
    private static GoValue member(GoValue value, String name) {
        GoValue target = HandlebarsValues.dereference(value);
        GoValue found = HandlebarsValues.field(target, name);
        if (found != null) {
            return found;
        }
        GoType declared = value.type();
        while (declared.kind() == GoKind.POINTER) {
            declared = declared.elem();
        }
        if (declared.kind() == GoKind.STRUCT && declared.fieldIndex(name) < 0) {
            List<String> fields =
                    declared.fields().stream().map(GoType.Field::name).toList();
            throw HelperException.unknown("unknown field", name, fields);
        }
        if (target instanceof GoNil || target instanceof GoMap) {
            return GoNil.ANY;
        }
        throw HelperException.unknown(HandlebarsValues.describeKind(target) + " has no field", name, List.of());
    }
}

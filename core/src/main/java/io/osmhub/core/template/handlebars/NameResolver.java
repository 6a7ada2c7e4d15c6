package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.ValueResolver;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.problem.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds names in Go values, and in nothing else: no Java object is ever looked into.
 *
 * <p>The library asks from the innermost scope outwards, with its own maps (loop variables, parameters of a partial) in
 * between; the file's context is asked last. So a name that is missing there exists nowhere.
 */
final class NameResolver implements ValueResolver {
    static final NameResolver INSTANCE = new NameResolver();

    /** Asked for by the library itself before it calls a partial. */
    static final Set<String> ASKED_BY_LIBRARY = Set.of("size", "empty");

    private NameResolver() {}

    @Override
    public Object resolve(Object context, String name) {
        Rendering rendering = Rendering.current();
        rendering.environment().charge(1, 0);
        return switch (context) {
            case Scope scope -> inScope(rendering, scope, name);
            case Value value -> behind(value, name);
            case Map<?, ?> own -> known(own.get(name));
            default -> UNRESOLVED;
        };
    }

    /** The library asks for {@code this}; it takes the scope when nothing better is offered. */
    @Override
    public Object resolve(Object context) {
        return UNRESOLVED;
    }

    @Override
    public Set<Map.Entry<String, Object>> propertySet(Object context) {
        return Set.of();
    }

    /** What the library's own maps hold, if it is something that templates may see. */
    private static Object known(@Nullable Object object) {
        if (object instanceof Value
                || object instanceof Scope
                || object instanceof String
                || object instanceof Number
                || object instanceof Boolean) {
            return object;
        }
        return UNRESOLVED;
    }

    private static Object inScope(Rendering rendering, Scope scope, String name) {
        // "@root" is asked for with and without its sign.
        if (rendering.lastMissed().equals("@" + name)) {
            rendering.missed(name);
            return UNRESOLVED;
        }
        Value found = scope.names().get(name);
        if (found == null) {
            found = field(Values.follow(scope.value()), name);
        }
        if (found != null) {
            return found;
        }
        rendering.missed(name);
        if (scope == rendering.root() && !name.startsWith("@") && !ASKED_BY_LIBRARY.contains(name)) {
            throw missing("unknown name", name, names(rendering.root().value()));
        }
        return UNRESOLVED;
    }

    /** A path goes on into a value: nothing leads to nothing, a map may lack a key, a structure cannot lack a field. */
    private static Object behind(Value value, String name) {
        Value target = Values.follow(value);
        Value found = field(target, name);
        if (found != null) {
            return found;
        }
        if (target instanceof Nil && value.type().kind() == Kind.POINTER) {
            return behindNilPointer(value.type(), name);
        }
        boolean mayLack =
                target instanceof Nil || target instanceof MapValue || (target instanceof Slice && isNumber(name));
        if (mayLack) {
            return Nil.ANY;
        }
        throw missing(Values.kind(target) + " has no field", name, names(target));
    }

    private static Value behindNilPointer(Type pointer, String name) {
        Type struct = structOf(pointer);
        if (struct.kind() == Kind.STRUCT && struct.fieldIndex(name) < 0) {
            throw missing("unknown field", name, fieldNames(struct));
        }
        return Nil.ANY;
    }

    private static @Nullable Value field(Value value, String name) {
        return switch (value) {
            case Struct struct -> {
                int index = struct.type().fieldIndex(name);
                yield index < 0 ? null : struct.field(index);
            }
            case MapValue map -> map.elements().get(Str.of(name));
            case Slice slice -> {
                int index = isNumber(name) ? Integer.parseInt(name) : Integer.MAX_VALUE;
                yield index < slice.length() ? slice.elements().get(index) : null;
            }
            default -> null;
        };
    }

    private static boolean isNumber(String name) {
        return !name.isEmpty() && name.length() < 9 && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Type structOf(Type type) {
        Type target = type;
        while (target.kind() == Kind.POINTER) {
            target = target.elem();
        }
        return target;
    }

    private static List<String> fieldNames(Type struct) {
        return struct.fields().stream().map(Type.Field::name).toList();
    }

    /** The names that a value has, for suggestions. */
    private static List<String> names(Value value) {
        return switch (Values.follow(value)) {
            case Struct struct -> fieldNames(struct.type());
            case MapValue map -> {
                List<String> names = new ArrayList<>();
                for (Value key : map.elements().keySet()) {
                    if (key instanceof Str text) {
                        names.add(text.text());
                    }
                }
                names.sort(null);
                yield names;
            }
            default -> List.of();
        };
    }

    private static HelperMistake missing(String what, String name, List<String> known) {
        return new HelperMistake(
                what + " \"" + name + "\"",
                Suggestion.closest(name, known)
                        .or(() -> Suggestion.closest(name, Helpers.table().names()))
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse(null));
    }
}

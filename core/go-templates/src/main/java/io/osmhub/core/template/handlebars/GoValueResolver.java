package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.ValueResolver;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.template.handlebars.HandlebarsErrors.HelperException;
import io.osmhub.core.template.handlebars.HandlebarsExecution.NameScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names in Go values only, never in Java objects.
 *
 * <p>The library resolves from the innermost scope outwards, with its own maps (loop variables, parameters of a partial) in
 * between, and the file's context last. So a name missing there exists nowhere.
 */
final class GoValueResolver implements ValueResolver {
    static final GoValueResolver INSTANCE = new GoValueResolver();

    /** Resolved by the library itself before it calls a partial. */
    static final Set<String> ASKED_BY_LIBRARY = Set.of("size", "empty");

    private GoValueResolver() {}

    @Override
    public Object resolve(Object context, String name) {
        HandlebarsExecution rendering = HandlebarsExecution.current();
        rendering.environment().charge(1, 0);
        return switch (context) {
            case NameScope scope -> inScope(rendering, scope, name);
            case GoValue value -> behind(value, name);
            case Map<?, ?> own -> known(own.get(name));
            default -> UNRESOLVED;
        };
    }

    /** Called by the library for {@code this}; it uses the scope if the result is null. */
    @Override
    public Object resolve(Object context) {
        return UNRESOLVED;
    }

    @Override
    public Set<Map.Entry<String, Object>> propertySet(Object context) {
        return Set.of();
    }

    /** A value in the library's own maps, if it is visible to templates. */
    private static Object known(@Nullable Object object) {
        if (object instanceof GoValue
                || object instanceof NameScope
                || object instanceof String
                || object instanceof Number
                || object instanceof Boolean) {
            return object;
        }
        return UNRESOLVED;
    }

    private static Object inScope(HandlebarsExecution rendering, NameScope scope, String name) {
        // The library resolves "@root" with and without its sign.
        if (rendering.lastMissingName().equals("@" + name)) {
            rendering.recordMissingName(name);
            return UNRESOLVED;
        }
        GoValue found = scope.names().get(name);
        if (found == null) {
            found = field(HandlebarsValues.dereference(scope.value()), name);
        }
        if (found != null) {
            return found;
        }
        rendering.recordMissingName(name);
        if (scope == rendering.root() && !name.startsWith("@") && !ASKED_BY_LIBRARY.contains(name)) {
            throw missing("unknown name", name, names(rendering.root().value()));
        }
        return UNRESOLVED;
    }

    /** Resolves the rest of a path in a value: nothing gives nothing, a map may lack a key, a struct must have the field. */
    private static Object behind(GoValue value, String name) {
        GoValue target = HandlebarsValues.dereference(value);
        GoValue found = field(target, name);
        if (found != null) {
            return found;
        }
        if (target instanceof GoNil && value.type().kind() == GoKind.POINTER) {
            return behindNilPointer(value.type(), name);
        }
        boolean mayLack =
                target instanceof GoNil || target instanceof GoMap || (target instanceof GoSlice && isNumber(name));
        if (mayLack) {
            return GoNil.ANY;
        }
        throw missing(HandlebarsValues.describeKind(target) + " has no field", name, names(target));
    }

    private static GoValue behindNilPointer(GoType pointer, String name) {
        GoType struct = structOf(pointer);
        if (struct.kind() == GoKind.STRUCT && struct.fieldIndex(name) < 0) {
            throw missing("unknown field", name, fieldNames(struct));
        }
        return GoNil.ANY;
    }

    private static @Nullable GoValue field(GoValue value, String name) {
        return switch (value) {
            case GoStruct struct -> {
                int index = struct.type().fieldIndex(name);
                yield index < 0 ? null : struct.field(index);
            }
            case GoMap map -> map.elements().get(GoString.of(name));
            case GoSlice slice -> {
                int index = isNumber(name) ? Integer.parseInt(name) : Integer.MAX_VALUE;
                yield index < slice.length() ? slice.elements().get(index) : null;
            }
            default -> null;
        };
    }

    private static boolean isNumber(String name) {
        return !name.isEmpty() && name.length() < 9 && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static GoType structOf(GoType type) {
        GoType target = type;
        while (target.kind() == GoKind.POINTER) {
            target = target.elem();
        }
        return target;
    }

    private static List<String> fieldNames(GoType struct) {
        return struct.fields().stream().map(GoType.Field::name).toList();
    }

    /** The names that a value has, for suggestions. */
    private static List<String> names(GoValue value) {
        return switch (HandlebarsValues.dereference(value)) {
            case GoStruct struct -> fieldNames(struct.type());
            case GoMap map -> {
                List<String> names = new ArrayList<>();
                for (GoValue key : map.elements().keySet()) {
                    if (key instanceof GoString text) {
                        names.add(text.text());
                    }
                }
                names.sort(null);
                yield names;
            }
            default -> List.of();
        };
    }

    private static HelperException missing(String what, String name, List<String> known) {
        return new HelperException(
                what + " \"" + name + "\"",
                SpellingSuggestion.findClosest(name, known)
                        .or(() -> SpellingSuggestion.findClosest(name, HandlebarsHelpers.names()))
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse(null));
    }
}

package io.osmhub.core.golang;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Go type. Two types are the same type if and only if they are equal: named types by name, others by structure.
 *
 * <p>Immutable but for the method table of a named type, which is filled while the type is defined and never after.
 */
public final class Type {
    /**
     * One field of a struct. {@code jsonName} is empty where Go would use the field's own name; {@code embedded} is for a struct that
     * is embedded under its type's name, whose fields are the outer struct's too.
     */
    public record Field(String name, Type type, String jsonName, boolean omitEmpty, boolean embedded) {
        public Field(String name, Type type, String jsonName, boolean omitEmpty) {
            this(name, type, jsonName, omitEmpty, false);
        }

        public Field(String name, Type type) {
            this(name, type, "", false);
        }

        /** A struct type embedded under its name without the package. */
        public static Field embedded(Type type) {
            return new Field(type.name().substring(type.name().lastIndexOf('.') + 1), type, "", false, true);
        }

        /** The key that {@code encoding/json} writes. */
        public String jsonKey() {
            return jsonName.isEmpty() ? name : jsonName;
        }
    }

    /** A method of a named type; {@code onPointer} when its receiver is a pointer. The code's first argument is the receiver. */
    public record Method(String name, Type signature, boolean onPointer, Func.Code code) {}

    public static final Type BOOL = basic(Kind.BOOL);
    public static final Type INT = basic(Kind.INT);
    public static final Type INT8 = basic(Kind.INT8);
    public static final Type INT16 = basic(Kind.INT16);
    public static final Type INT32 = basic(Kind.INT32);
    public static final Type INT64 = basic(Kind.INT64);
    public static final Type UINT = basic(Kind.UINT);
    public static final Type UINT8 = basic(Kind.UINT8);
    public static final Type UINT16 = basic(Kind.UINT16);
    public static final Type UINT32 = basic(Kind.UINT32);
    public static final Type UINT64 = basic(Kind.UINT64);
    public static final Type UINTPTR = basic(Kind.UINTPTR);
    public static final Type FLOAT32 = basic(Kind.FLOAT32);
    public static final Type FLOAT64 = basic(Kind.FLOAT64);
    public static final Type COMPLEX64 = basic(Kind.COMPLEX64);
    public static final Type COMPLEX128 = basic(Kind.COMPLEX128);
    public static final Type STRING = basic(Kind.STRING);
    /** {@code interface {}}. */
    public static final Type ANY = new Type(Kind.INTERFACE, "", null, null, List.of(), List.of(), false);
    /** The interface {@code error}. */
    public static final Type ERROR = new Type(Kind.INTERFACE, "error", null, null, List.of(), List.of(), false);
    /** {@code reflect.Value} as a parameter: the function takes any value, nil and absent ones too. */
    public static final Type REFLECT_VALUE =
            new Type(Kind.STRUCT, "reflect.Value", null, null, List.of(), List.of(), false);

    public static final Type BYTES = sliceOf(UINT8);
    public static final Type STRINGS = sliceOf(STRING);
    /** {@code []interface {}}. */
    public static final Type LIST = sliceOf(ANY);
    /** {@code map[string]interface {}}. */
    public static final Type DICT = mapOf(STRING, ANY);

    private final Kind kind;
    private final String name;
    private final @Nullable Type elem;
    private final @Nullable Type key;
    private final List<Field> fields;
    private final List<Type> parameters;
    private final boolean variadic;
    private final int hash;
    private final Map<String, Integer> fieldIndex = new LinkedHashMap<>();
    private final Map<String, Method> methods = new LinkedHashMap<>();
    /** Kept, because every pointer asks for it. Two threads may each make one, which does no harm as these are equal. */
    private @Nullable Type pointer;

    private Type(
            Kind kind,
            String name,
            @Nullable Type elem,
            @Nullable Type key,
            List<Field> fields,
            List<Type> parameters,
            boolean variadic) {
        this.kind = kind;
        this.name = name;
        this.elem = elem;
        this.key = key;
        this.fields = List.copyOf(fields);
        this.parameters = List.copyOf(parameters);
        this.variadic = variadic;
        // Kept, because every look-up of a map's key asks for it.
        this.hash = name.isEmpty() ? Objects.hash(kind, elem, key, parameters) : name.hashCode();
        for (int i = 0; i < fields.size(); i++) {
            fieldIndex.put(fields.get(i).name(), i);
        }
    }

    private static Type basic(Kind kind) {
        return new Type(kind, "", null, null, List.of(), List.of(), false);
    }

    public static Type sliceOf(Type elem) {
        return new Type(Kind.SLICE, "", elem, null, List.of(), List.of(), false);
    }

    public static Type mapOf(Type key, Type elem) {
        return new Type(Kind.MAP, "", elem, key, List.of(), List.of(), false);
    }

    public static Type pointerTo(Type elem) {
        Type pointer = elem.pointer;
        if (pointer == null) {
            pointer = new Type(Kind.POINTER, "", elem, null, List.of(), List.of(), false);
            elem.pointer = pointer;
        }
        return pointer;
    }

    /** A struct type; {@code name} is like {@code resources.filesData}, or empty for an anonymous one. */
    public static Type struct(String name, List<Field> fields) {
        return new Type(Kind.STRUCT, name, null, null, fields, List.of(), false);
    }

    /** A function type; {@code result} is null for a function without one. With {@code variadic} the last parameter is a slice. */
    public static Type func(List<Type> parameters, boolean variadic, @Nullable Type result) {
        return new Type(Kind.FUNC, "", result, null, List.of(), parameters, variadic);
    }

    /** A named type with the structure of {@code underlying} and no methods yet. */
    public static Type named(String name, Type underlying) {
        return new Type(
                underlying.kind,
                name,
                underlying.elem,
                underlying.key,
                underlying.fields,
                underlying.parameters,
                underlying.variadic);
    }

    /** Adds a method while a named type is being defined. */
    public Type with(Method method) {
        methods.put(method.name(), method);
        return this;
    }

    public Kind kind() {
        return kind;
    }

    /** Package and name, like {@code net.IP}; empty for an unnamed type and for the basic types. */
    public String name() {
        return name;
    }

    /** Element of a slice, array, map or pointer, or result of a function. */
    public Type elem() {
        return Objects.requireNonNull(elem, () -> this + " has no element type");
    }

    /** The function's result type; null when it has none. */
    public @Nullable Type result() {
        return elem;
    }

    public Type key() {
        return Objects.requireNonNull(key, () -> this + " has no key type");
    }

    public List<Field> fields() {
        return fields;
    }

    public List<Type> parameters() {
        return parameters;
    }

    public boolean variadic() {
        return variadic;
    }

    /** Position of a struct's field, -1 when there is none of that name. */
    public int fieldIndex(String fieldName) {
        return fieldIndex.getOrDefault(fieldName, -1);
    }

    /** Position of the embedded struct whose fields include that name, -1 when there is none. */
    public int embeddedIndex(String fieldName) {
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            if (field.embedded() && field.type().fieldIndex(fieldName) >= 0) {
                return i;
            }
        }
        return -1;
    }

    /** The method of that name in this type's own table; for a pointer type, in its element's. */
    public @Nullable Method method(String methodName) {
        if (kind == Kind.POINTER && name.isEmpty()) {
            return elem().methods.get(methodName);
        }
        Method method = methods.get(methodName);
        return method == null || method.onPointer() ? null : method;
    }

    public boolean isInterface() {
        return kind == Kind.INTERFACE;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof Type that) || kind != that.kind || !name.equals(that.name)) {
            return false;
        }
        return !name.isEmpty()
                || (Objects.equals(elem, that.elem)
                        && Objects.equals(key, that.key)
                        && fields.equals(that.fields)
                        && parameters.equals(that.parameters)
                        && variadic == that.variadic);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** The text of Go's {@code reflect.Type.String()}, for example {@code map[string]interface {}}. */
    @Override
    public String toString() {
        if (!name.isEmpty()) {
            return name;
        }
        return switch (kind) {
            case SLICE -> "[]" + elem();
            case ARRAY -> "[]" + elem();
            case MAP -> "map[" + key() + "]" + elem();
            case POINTER -> "*" + elem();
            case INTERFACE -> "interface {}";
            case STRUCT -> structText();
            case FUNC -> functionText();
            default -> kind.goName();
        };
    }

    private String structText() {
        if (fields.isEmpty()) {
            return "struct {}";
        }
        StringBuilder text = new StringBuilder("struct { ");
        for (int i = 0; i < fields.size(); i++) {
            text.append(i == 0 ? "" : "; ")
                    .append(fields.get(i).name())
                    .append(' ')
                    .append(fields.get(i).type());
        }
        return text.append(" }").toString();
    }

    private String functionText() {
        StringBuilder text = new StringBuilder("func(");
        for (int i = 0; i < parameters.size(); i++) {
            boolean rest = variadic && i == parameters.size() - 1;
            text.append(i == 0 ? "" : ", ")
                    .append(
                            rest
                                    ? "..." + parameters.get(i).elem()
                                    : parameters.get(i).toString());
        }
        return text.append(elem == null ? ")" : ") " + elem).toString();
    }
}

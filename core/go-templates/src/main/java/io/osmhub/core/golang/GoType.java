package io.osmhub.core.golang;

import io.osmhub.core.golang.GoValue.GoFunction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Go type. Types are identical if and only if they are equal: named types by name, others by structure.
 *
 * <p>Immutable except for the method table of a named type, which is filled only while the type is defined.
 */
public final class GoType {
    /**
     * One field of a struct. {@code jsonName} is empty if Go would use the field's own name; {@code embedded} is for a struct
     * embedded under its type's name, whose fields are promoted.
     */
    public record Field(String name, GoType type, String jsonName, boolean omitEmpty, boolean embedded) {
        public Field(String name, GoType type, String jsonName, boolean omitEmpty) {
            this(name, type, jsonName, omitEmpty, false);
        }

        public Field(String name, GoType type) {
            this(name, type, "", false);
        }

        /** A struct type embedded under its name without the package. */
        public static Field embedded(GoType type) {
            return new Field(type.name().substring(type.name().lastIndexOf('.') + 1), type, "", false, true);
        }

        /** The key in {@code encoding/json}. */
        public String jsonKey() {
            return jsonName.isEmpty() ? name : jsonName;
        }
    }

    /** A method of a named type; {@code onPointer} for a pointer receiver. The code's first argument is the receiver. */
    public record Method(String name, GoType signature, boolean onPointer, GoFunction.Code code) {}

    public static final GoType BOOL = basic(GoKind.BOOL, "");
    public static final GoType INT = basic(GoKind.INT, "");
    public static final GoType INT8 = basic(GoKind.INT8, "");
    public static final GoType INT16 = basic(GoKind.INT16, "");
    public static final GoType INT32 = basic(GoKind.INT32, "");
    public static final GoType INT64 = basic(GoKind.INT64, "");
    public static final GoType UINT = basic(GoKind.UINT, "");
    public static final GoType UINT8 = basic(GoKind.UINT8, "");
    public static final GoType UINT16 = basic(GoKind.UINT16, "");
    public static final GoType UINT32 = basic(GoKind.UINT32, "");
    public static final GoType UINT64 = basic(GoKind.UINT64, "");
    public static final GoType FLOAT32 = basic(GoKind.FLOAT32, "");
    public static final GoType FLOAT64 = basic(GoKind.FLOAT64, "");
    public static final GoType STRING = basic(GoKind.STRING, "");
    /** {@code interface {}}. */
    public static final GoType ANY = basic(GoKind.INTERFACE, "");
    /** {@code reflect.Value} as a parameter: the function accepts any value, including nil and absent ones. */
    public static final GoType REFLECT_VALUE = basic(GoKind.STRUCT, "reflect.Value");

    public static final GoType BYTES = sliceOf(UINT8);
    public static final GoType STRINGS = sliceOf(STRING);
    /** {@code []interface {}}. */
    public static final GoType LIST = sliceOf(ANY);
    /** {@code map[string]interface {}}. */
    public static final GoType DICT = mapOf(STRING, ANY);

    private final GoKind kind;
    private final String name;
    private final @Nullable GoType elemType;
    private final @Nullable GoType keyType;
    private final List<Field> fields;
    private final List<GoType> parameters;
    private final boolean variadic;
    private final int hash;
    private final Map<String, Integer> fieldIndex = new LinkedHashMap<>();
    private final Map<String, Method> methods = new LinkedHashMap<>();
    /** Cached, because every pointer needs it. Two threads may each create one, which is harmless as these are equal. */
    private @Nullable GoType pointerType;

    private GoType(
            GoKind kind,
            String name,
            @Nullable GoType elemType,
            @Nullable GoType keyType,
            List<Field> fields,
            List<GoType> parameters,
            boolean variadic) {
        this.kind = kind;
        this.name = name;
        this.elemType = elemType;
        this.keyType = keyType;
        this.fields = List.copyOf(fields);
        this.parameters = List.copyOf(parameters);
        this.variadic = variadic;
        // Cached, because every map lookup needs it.
        this.hash = name.isEmpty() ? Objects.hash(kind, elemType, keyType, parameters) : name.hashCode();
        for (int i = 0; i < fields.size(); i++) {
            fieldIndex.put(fields.get(i).name(), i);
        }
    }

    private static GoType basic(GoKind kind, String name) {
        return new GoType(kind, name, null, null, List.of(), List.of(), false);
    }

    private static GoType ofElements(GoKind kind, GoType elemType, @Nullable GoType keyType) {
        return new GoType(kind, "", elemType, keyType, List.of(), List.of(), false);
    }

    public static GoType sliceOf(GoType elemType) {
        return ofElements(GoKind.SLICE, elemType, null);
    }

    public static GoType mapOf(GoType keyType, GoType elemType) {
        return ofElements(GoKind.MAP, elemType, keyType);
    }

    public static GoType pointerTo(GoType elemType) {
        GoType pointerType = elemType.pointerType;
        if (pointerType == null) {
            pointerType = ofElements(GoKind.POINTER, elemType, null);
            elemType.pointerType = pointerType;
        }
        return pointerType;
    }

    /** A struct type; {@code name} is like {@code resources.filesData}, or empty for an anonymous one. */
    public static GoType struct(String name, List<Field> fields) {
        return new GoType(GoKind.STRUCT, name, null, null, fields, List.of(), false);
    }

    /** A function type; {@code result} is null if none. With {@code variadic} the last parameter is a slice. */
    public static GoType func(List<GoType> parameters, boolean variadic, @Nullable GoType result) {
        return new GoType(GoKind.FUNC, "", result, null, List.of(), parameters, variadic);
    }

    /** A function type with a fixed number of parameters. */
    public static GoType function(GoType result, GoType... parameters) {
        return func(List.of(parameters), false, result);
    }

    /** A function type whose last parameter, given by its element, takes any number of arguments. */
    public static GoType variadic(GoType result, GoType... parameters) {
        List<GoType> all = new ArrayList<>(List.of(parameters));
        all.add(sliceOf(all.removeLast()));
        return func(all, true, result);
    }

    /** A named type with the structure of {@code underlying} and no methods yet. */
    public static GoType named(String name, GoType underlying) {
        return new GoType(
                underlying.kind,
                name,
                underlying.elemType,
                underlying.keyType,
                underlying.fields,
                underlying.parameters,
                underlying.variadic);
    }

    /** Adds a method while a named type is being defined. */
    public GoType addMethod(Method method) {
        methods.put(method.name(), method);
        return this;
    }

    public GoKind kind() {
        return kind;
    }

    /** Package and name, like {@code net.IP}; empty for an unnamed type and for the basic types. */
    public String name() {
        return name;
    }

    /** Element of a slice, map or pointer, or result of a function. */
    public GoType elem() {
        return Objects.requireNonNull(elemType, () -> this + " has no element type");
    }

    /** The function's result type; null if none. */
    public @Nullable GoType result() {
        return elemType;
    }

    public GoType key() {
        return Objects.requireNonNull(keyType, () -> this + " has no key type");
    }

    public List<Field> fields() {
        return fields;
    }

    public List<GoType> parameters() {
        return parameters;
    }

    public boolean variadic() {
        return variadic;
    }

    /** Position of a struct's field, -1 if unknown. */
    public int fieldIndex(String fieldName) {
        return fieldIndex.getOrDefault(fieldName, -1);
    }

    /** Position of the embedded struct that promotes the field, -1 if none. */
    public int embeddedIndex(String fieldName) {
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            if (field.embedded() && field.type().fieldIndex(fieldName) >= 0) {
                return i;
            }
        }
        return -1;
    }

    /** The methods of a named type, in the order of their definition. */
    public List<Method> methods() {
        return List.copyOf(methods.values());
    }

    /** The method in this type's own table; for a pointer type, in its element's. Null if unknown. */
    public @Nullable Method method(String methodName) {
        if (kind == GoKind.POINTER && name.isEmpty()) {
            return elem().methods.get(methodName);
        }
        Method method = methods.get(methodName);
        return method == null || method.onPointer() ? null : method;
    }

    public boolean isInterface() {
        return kind == GoKind.INTERFACE;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof GoType that) || kind != that.kind || !name.equals(that.name)) {
            return false;
        }
        return !name.isEmpty()
                || (Objects.equals(elemType, that.elemType)
                        && Objects.equals(keyType, that.keyType)
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
            case MAP -> "map[" + key() + "]" + elem();
            case POINTER -> "*" + elem();
            case INTERFACE -> "interface {}";
            case STRUCT -> structText();
            case FUNC -> functionText();
            default -> kind.goName();
        };
    }

    private String structText() {
        String text =
                fields.stream().map(field -> field.name() + " " + field.type()).collect(Collectors.joining("; "));
        return text.isEmpty() ? "struct {}" : "struct { " + text + " }";
    }

    private String functionText() {
        List<String> texts = new ArrayList<>();
        parameters.forEach(parameter -> texts.add(parameter.toString()));
        if (variadic) {
            texts.set(texts.size() - 1, "..." + parameters.getLast().elem());
        }
        return "func(" + String.join(", ", texts) + ")" + (elemType == null ? "" : " " + elemType);
    }

    /** Go's {@code reflect.Kind}, with the name that Go prints. */
    public enum GoKind {
        BOOL,
        INT,
        INT8,
        INT16,
        INT32,
        INT64,
        UINT,
        UINT8,
        UINT16,
        UINT32,
        UINT64,
        FLOAT32,
        FLOAT64,
        FUNC,
        INTERFACE,
        MAP,
        POINTER,
        SLICE,
        STRING,
        STRUCT;

        /** The text of Go's {@code Kind.String()}. */
        public String goName() {
            return this == POINTER ? "ptr" : name().toLowerCase(Locale.ROOT);
        }

        public boolean isSigned() {
            return switch (this) {
                case INT, INT8, INT16, INT32, INT64 -> true;
                default -> false;
            };
        }

        public boolean isUnsigned() {
            return switch (this) {
                case UINT, UINT8, UINT16, UINT32, UINT64 -> true;
                default -> false;
            };
        }

        public boolean isInteger() {
            return isSigned() || isUnsigned();
        }

        public boolean isFloat() {
            return this == FLOAT32 || this == FLOAT64;
        }

        /** Width in bits of a number of this kind; {@code int} and {@code uint} have 64. */
        public int bits() {
            return switch (this) {
                case INT8, UINT8 -> 8;
                case INT16, UINT16 -> 16;
                case INT32, UINT32, FLOAT32 -> 32;
                case INT, INT64, UINT, UINT64, FLOAT64 -> 64;
                case BOOL, FUNC, INTERFACE, MAP, POINTER, SLICE, STRING, STRUCT ->
                    throw new IllegalArgumentException(goName() + " is not a number");
            };
        }
    }
}

package io.osmhub.core.golang;

/** Go's {@code reflect.Kind}, with the name that Go prints. */
public enum GoKind {
    BOOL("bool"),
    INT("int"),
    INT8("int8"),
    INT16("int16"),
    INT32("int32"),
    INT64("int64"),
    UINT("uint"),
    UINT8("uint8"),
    UINT16("uint16"),
    UINT32("uint32"),
    UINT64("uint64"),
    UINTPTR("uintptr"),
    FLOAT32("float32"),
    FLOAT64("float64"),
    COMPLEX64("complex64"),
    COMPLEX128("complex128"),
    ARRAY("array"),
    CHAN("chan"),
    FUNC("func"),
    INTERFACE("interface"),
    MAP("map"),
    POINTER("ptr"),
    SLICE("slice"),
    STRING("string"),
    STRUCT("struct");

    private final String goName;

    GoKind(String goName) {
        this.goName = goName;
    }

    /** The text of Go's {@code Kind.String()}. */
    public String goName() {
        return goName;
    }

    public boolean isSigned() {
        return switch (this) {
            case INT, INT8, INT16, INT32, INT64 -> true;
            default -> false;
        };
    }

    public boolean isUnsigned() {
        return switch (this) {
            case UINT, UINT8, UINT16, UINT32, UINT64, UINTPTR -> true;
            default -> false;
        };
    }

    public boolean isInteger() {
        return isSigned() || isUnsigned();
    }

    public boolean isFloat() {
        return this == FLOAT32 || this == FLOAT64;
    }

    public boolean isComplex() {
        return this == COMPLEX64 || this == COMPLEX128;
    }

    /** Width in bits of a number of this kind; {@code int} and {@code uint} have 64. */
    public int bits() {
        return switch (this) {
            case INT8, UINT8 -> 8;
            case INT16, UINT16 -> 16;
            case INT32, UINT32, FLOAT32 -> 32;
            case INT, INT64, UINT, UINT64, UINTPTR, FLOAT64, COMPLEX64 -> 64;
            case COMPLEX128 -> 128;
            case BOOL, ARRAY, CHAN, FUNC, INTERFACE, MAP, POINTER, SLICE, STRING, STRUCT ->
                throw new IllegalArgumentException(goName + " is not a number");
        };
    }
}

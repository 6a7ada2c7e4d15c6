package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.ANY;
import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.BYTES;
import static io.osmhub.core.golang.GoType.INT;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.UINT64;
import static io.osmhub.core.golang.GoType.function;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;

/** {@code semver}, whose result is an object with methods, and {@code semverCompare}. */
final class Versions {
    private static final GoType VERSION = GoType.struct(
            "semver.Version",
            List.of(
                    new GoType.Field("major", UINT64),
                    new GoType.Field("minor", UINT64),
                    new GoType.Field("patch", UINT64),
                    new GoType.Field("pre", STRING),
                    new GoType.Field("metadata", STRING),
                    new GoType.Field("original", STRING)));
    private static final GoType POINTER = GoType.pointerTo(VERSION);

    @FunctionalInterface
    private interface Parser<T> {
        T parse(String text) throws InvalidVersionException;
    }

    static {
        define("String", STRING, version -> GoString.of(version.toString()));
        define("Major", UINT64, version -> number(version.major()));
        define("Minor", UINT64, version -> number(version.minor()));
        define("Patch", UINT64, version -> number(version.patch()));
        define("Prerelease", STRING, version -> GoString.of(version.prerelease()));
        define("Metadata", STRING, version -> GoString.of(version.metadata()));
        define("IncMajor", VERSION, version -> value(version.nextMajor()));
        define("IncMinor", VERSION, version -> value(version.nextMinor()));
        define("IncPatch", VERSION, version -> value(version.nextPatch()));
        define("Value", ANY, version -> GoString.of(version.toString()));
        define("MarshalText", BYTES, version -> byteList(version.toString()));
        define("MarshalJSON", BYTES, version -> byteList('"' + version.toString() + '"'));
        GoType setter = function(VERSION, STRING);
        define("SetPrerelease", setter, false, call -> {
            SemanticVersion version = version(call, 0);
            return value(parsed(call, 1, version::withPrerelease));
        });
        define("SetMetadata", setter, false, call -> {
            SemanticVersion version = version(call, 0);
            return value(parsed(call, 1, version::withMetadata));
        });
        define(
                "Original",
                function(STRING),
                true,
                call -> GoString.ofBytes(version(call, 0).original()));
        define("Compare", function(INT, POINTER), true, call -> GoInt.of(compare(call)));
        define(
                "Equal",
                function(BOOL, POINTER),
                true,
                call -> GoBool.of(!((GoPointer) call.value(1)).isNil() && compare(call) == 0));
        defineComparison("LessThan", order -> order < 0);
        defineComparison("LessThanEqual", order -> order <= 0);
        defineComparison("GreaterThan", order -> order > 0);
        defineComparison("GreaterThanEqual", order -> order >= 0);
    }

    private Versions() {}

    static void addTo(FunctionRegistry.Builder functions) {
        functions.add(
                "semver",
                function(POINTER, STRING),
                call -> GoPointer.to(value(parsed(call, 0, SemanticVersion::parse))));
        functions.add("semverCompare", function(BOOL, STRING, STRING), call -> {
            VersionConstraint constraint = parsed(call, 0, VersionConstraint::parse);
            return GoBool.of(constraint.allows(parsed(call, 1, SemanticVersion::parse)));
        });
    }

    private static <T> T parsed(FunctionCall call, int index, Parser<T> parser) throws GoCallException {
        // Constraints are searched for ranges, which takes long for long numbers.
        long length = call.text(index).length();
        call.charge(length * length / 64);
        try {
            return parser.parse(call.text(index));
        } catch (InvalidVersionException invalid) {
            throw new GoCallException(invalid.text());
        }
    }

    private static void define(String name, GoType result, Function<SemanticVersion, GoValue> body) {
        define(name, function(result), false, call -> body.apply(version(call, 0)));
    }

    private static void defineComparison(String name, IntPredicate check) {
        define(name, function(BOOL, POINTER), true, call -> GoBool.of(check.test(compare(call))));
    }

    /** Defines a method; the first argument of its calls is the version. */
    private static void define(String name, GoType type, boolean onPointer, FunctionCall.Body body) {
        VERSION.addMethod(new GoType.Method(name, type, onPointer, FunctionRegistry.Builder.charged(type, body)));
    }

    private static int compare(FunctionCall call) throws GoCallException {
        return version(call, 0).compareTo(version(call, 1));
    }

    private static SemanticVersion version(FunctionCall call, int index) throws GoCallException {
        GoValue target = call.value(index) instanceof GoPointer pointer ? pointer.target() : call.value(index);
        if (target instanceof GoStruct version && version.type().equals(VERSION)) {
            return new SemanticVersion(
                    integer(version.field(0)),
                    integer(version.field(1)),
                    integer(version.field(2)),
                    text(version.field(3)),
                    text(version.field(4)),
                    ((GoString) version.field(5)).bytes());
        }
        throw new GoCallException("runtime error: invalid memory address or nil pointer dereference");
    }

    private static GoStruct value(SemanticVersion version) {
        return GoStruct.of(
                VERSION,
                List.of(
                        number(version.major()),
                        number(version.minor()),
                        number(version.patch()),
                        GoString.of(version.prerelease()),
                        GoString.of(version.metadata()),
                        GoString.ofBytes(version.original())));
    }

    private static long integer(GoValue field) {
        return ((GoInt) field).value();
    }

    private static String text(GoValue field) {
        return ((GoString) field).text();
    }

    private static GoInt number(long value) {
        return new GoInt(UINT64, value);
    }

    private static GoSlice byteList(String text) {
        List<GoValue> items = new ArrayList<>(text.length());
        text.chars().forEach(c -> items.add(new GoInt(GoType.UINT8, c)));
        return new GoSlice(BYTES, items);
    }
}

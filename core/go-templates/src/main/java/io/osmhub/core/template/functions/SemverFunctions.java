package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.bytes;

import io.osmhub.core.emit.TextMarshaling;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoPrint.UnexportedFields;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** {@code semver}, whose result is an object with methods, and {@code semverCompare}. */
final class SemverFunctions {
    /** A method's result for its version. */
    @FunctionalInterface
    private interface Answer {
        GoValue of(SemanticVersion version, List<GoValue> arguments) throws GoCallException, InvalidVersionException;
    }

    private static final GoType VERSION = GoType.struct(
            "semver.Version",
            List.of(
                    new GoType.Field("major", GoType.UINT64),
                    new GoType.Field("minor", GoType.UINT64),
                    new GoType.Field("patch", GoType.UINT64),
                    new GoType.Field("pre", GoType.STRING),
                    new GoType.Field("metadata", GoType.STRING),
                    new GoType.Field("original", GoType.STRING)));

    /** The value of a {@code semver.Version}. */
    private record Payload(SemanticVersion version) implements UnexportedFields, TextMarshaling.TextMarshaler {
        @Override
        public List<GoValue> fields() {
            return List.of(
                    number(version.major()),
                    number(version.minor()),
                    number(version.patch()),
                    GoString.of(version.prerelease()),
                    GoString.of(version.metadata()),
                    GoString.ofBytes(version.original()));
        }

        @Override
        public String marshalText() {
            return version.toString();
        }
    }

    static {
        define("String", "func() string", false, (version, arguments) -> GoString.of(version.toString()));
        define("Major", "func() uint64", false, (version, arguments) -> number(version.major()));
        define("Minor", "func() uint64", false, (version, arguments) -> number(version.minor()));
        define("Patch", "func() uint64", false, (version, arguments) -> number(version.patch()));
        define("Prerelease", "func() string", false, (version, arguments) -> GoString.of(version.prerelease()));
        define("Metadata", "func() string", false, (version, arguments) -> GoString.of(version.metadata()));
        define("Original", "func() string", true, (version, arguments) -> GoString.ofBytes(version.original()));
        define("IncMajor", "func() semver.Version", false, (version, arguments) -> opaque(version.nextMajor()));
        define("IncMinor", "func() semver.Version", false, (version, arguments) -> opaque(version.nextMinor()));
        define("IncPatch", "func() semver.Version", false, (version, arguments) -> opaque(version.nextPatch()));
        define(
                "SetPrerelease",
                "func(string) (semver.Version, error)",
                false,
                (version, arguments) -> opaque(version.withPrerelease(bytes(arguments, 0))));
        define(
                "SetMetadata",
                "func(string) (semver.Version, error)",
                false,
                (version, arguments) -> opaque(version.withMetadata(bytes(arguments, 0))));
        define("Value", "func() (interface {}, error)", false, (version, arguments) -> GoString.of(version.toString()));
        define("MarshalText", "func() ([]uint8, error)", false, (version, arguments) -> byteList(version.toString()));
        define(
                "MarshalJSON",
                "func() ([]uint8, error)",
                false,
                (version, arguments) -> byteList('"' + version.toString() + '"'));
        define(
                "Compare",
                "func(*semver.Version) int",
                true,
                (version, arguments) -> GoInt.of(version.compareTo(other(arguments))));
        define(
                "Equal",
                "func(*semver.Version) bool",
                true,
                (version, arguments) -> GoBool.of(
                        !((GoPointer) arguments.getFirst()).isNil() && version.compareTo(other(arguments)) == 0));
        comparison("LessThan", order -> order < 0);
        comparison("LessThanEqual", order -> order <= 0);
        comparison("GreaterThan", order -> order > 0);
        comparison("GreaterThanEqual", order -> order >= 0);
    }

    private SemverFunctions() {}

    static void addTo(FunctionRegistry.Builder registry) {
        registry.addCode(
                "semver",
                GoTypeParser.parseFunction("func(string) (*semver.Version, error)", VERSION),
                (environment, arguments) ->
                        GoPointer.to(opaque(parsed(environment, bytes(arguments, 0), SemanticVersion::parse))));
        registry.addCode("semverCompare", "func(string, string) (bool, error)", (environment, arguments) -> {
            VersionConstraint constraint = parsed(environment, bytes(arguments, 0), VersionConstraint::parse);
            return GoBool.of(constraint.allows(parsed(environment, bytes(arguments, 1), SemanticVersion::parse)));
        });
    }

    /** A copy by reflection, as made by {@code deepCopy}, leaves hidden fields zero. */
    static GoOpaque withoutHiddenFields(GoOpaque opaque) {
        return opaque.payload() instanceof Payload ? opaque(new SemanticVersion(0, 0, 0, "", "", "")) : opaque;
    }

    @FunctionalInterface
    private interface Parser<T> {
        T parse(String text) throws InvalidVersionException;
    }

    private static <T> T parsed(ExecutionEnvironment environment, String text, Parser<T> parser)
            throws GoCallException {
        // Constraints are searched for ranges, which takes long for long numbers.
        long length = text.length();
        environment.charge(1 + length * length / 64, length);
        try {
            return parser.parse(text);
        } catch (InvalidVersionException invalid) {
            throw new GoCallException(invalid.text());
        }
    }

    private static void comparison(String name, IntPredicate check) {
        define(
                name,
                "func(*semver.Version) bool",
                true,
                (version, arguments) -> GoBool.of(check.test(version.compareTo(other(arguments)))));
    }

    private static void define(String name, String signature, boolean onPointer, Answer answer) {
        GoFunction.Code code = (environment, arguments) -> {
            SemanticVersion version = version(arguments.getFirst());
            environment.charge(1, version.original().length());
            try {
                return answer.of(version, arguments.subList(1, arguments.size()));
            } catch (InvalidVersionException invalid) {
                throw new GoCallException(invalid.text());
            }
        };
        VERSION.addMethod(new GoType.Method(name, GoTypeParser.parseFunction(signature, VERSION), onPointer, code));
    }

    private static SemanticVersion other(List<GoValue> arguments) throws GoCallException {
        return version(arguments.getFirst());
    }

    private static SemanticVersion version(GoValue value) throws GoCallException {
        GoValue target = value instanceof GoPointer pointer ? pointer.target() : value;
        if (target instanceof GoOpaque opaque && opaque.payload() instanceof Payload payload) {
            return payload.version();
        }
        throw new GoCallException("runtime error: invalid memory address or nil pointer dereference");
    }

    private static GoOpaque opaque(SemanticVersion version) {
        return new GoOpaque(VERSION, new Payload(version));
    }

    private static GoInt number(long value) {
        return new GoInt(GoType.UINT64, value);
    }

    private static GoSlice byteList(String text) {
        List<GoValue> items = new ArrayList<>(text.length());
        text.chars().forEach(c -> items.add(new GoInt(GoType.UINT8, c)));
        return new GoSlice(GoType.BYTES, items);
    }
}

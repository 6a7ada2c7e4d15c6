package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;

import io.osmhub.core.emit.TextForms;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.Innards;
import io.osmhub.core.version.InvalidVersion;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** {@code semver}, whose result is an object with methods, and {@code semverCompare}. */
final class Versions {
    /** What a method answers about the version it is called on. */
    @FunctionalInterface
    private interface Answer {
        Value of(SemanticVersion version, List<Value> arguments) throws CallFailure, InvalidVersion;
    }

    private static final Type VERSION = Type.struct(
            "semver.Version",
            List.of(
                    new Type.Field("major", Type.UINT64),
                    new Type.Field("minor", Type.UINT64),
                    new Type.Field("patch", Type.UINT64),
                    new Type.Field("pre", Type.STRING),
                    new Type.Field("metadata", Type.STRING),
                    new Type.Field("original", Type.STRING)));

    /** What a {@code semver.Version} holds. */
    private record Payload(SemanticVersion version) implements Innards, TextForms.OwnText {
        @Override
        public List<Value> fields() {
            return List.of(
                    number(version.major()),
                    number(version.minor()),
                    number(version.patch()),
                    Str.of(version.prerelease()),
                    Str.of(version.metadata()),
                    Str.ofBytes(version.original()));
        }

        @Override
        public String ownText() {
            return version.toString();
        }
    }

    static {
        define("String", "func() string", false, (version, arguments) -> Str.of(version.toString()));
        define("Major", "func() uint64", false, (version, arguments) -> number(version.major()));
        define("Minor", "func() uint64", false, (version, arguments) -> number(version.minor()));
        define("Patch", "func() uint64", false, (version, arguments) -> number(version.patch()));
        define("Prerelease", "func() string", false, (version, arguments) -> Str.of(version.prerelease()));
        define("Metadata", "func() string", false, (version, arguments) -> Str.of(version.metadata()));
        define("Original", "func() string", true, (version, arguments) -> Str.ofBytes(version.original()));
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
        define("Value", "func() (interface {}, error)", false, (version, arguments) -> Str.of(version.toString()));
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
                (version, arguments) -> Int.of(version.compareTo(other(arguments))));
        define(
                "Equal",
                "func(*semver.Version) bool",
                true,
                (version, arguments) ->
                        Bool.of(!((Pointer) arguments.getFirst()).isNil() && version.compareTo(other(arguments)) == 0));
        comparison("LessThan", order -> order < 0);
        comparison("LessThanEqual", order -> order <= 0);
        comparison("GreaterThan", order -> order > 0);
        comparison("GreaterThanEqual", order -> order >= 0);
    }

    private Versions() {}

    static void addTo(Registry registry) {
        registry.add(
                "semver",
                Signatures.func("func(string) (*semver.Version, error)", VERSION),
                (environment, arguments) ->
                        Pointer.to(opaque(parsed(environment, bytes(arguments, 0), SemanticVersion::parse))));
        registry.add("semverCompare", "func(string, string) (bool, error)", (environment, arguments) -> {
            VersionConstraint constraint = parsed(environment, bytes(arguments, 0), VersionConstraint::parse);
            return Bool.of(constraint.allows(parsed(environment, bytes(arguments, 1), SemanticVersion::parse)));
        });
    }

    /** A copy by reflection, which is what {@code deepCopy} makes, sees no hidden fields and leaves them zero. */
    static Opaque withoutHiddenFields(Opaque opaque) {
        return opaque.payload() instanceof Payload ? opaque(new SemanticVersion(0, 0, 0, "", "", "")) : opaque;
    }

    @FunctionalInterface
    private interface Parser<T> {
        T parse(String text) throws InvalidVersion;
    }

    private static <T> T parsed(Environment environment, String text, Parser<T> parser) throws CallFailure {
        // Constraints are searched for ranges, which takes long for long numbers.
        long length = text.length();
        environment.charge(1 + length * length / 64, length);
        try {
            return parser.parse(text);
        } catch (InvalidVersion invalid) {
            throw new CallFailure(invalid.text());
        }
    }

    private static void comparison(String name, IntPredicate check) {
        define(
                name,
                "func(*semver.Version) bool",
                true,
                (version, arguments) -> Bool.of(check.test(version.compareTo(other(arguments)))));
    }

    private static void define(String name, String signature, boolean onPointer, Answer answer) {
        Func.Code code = (environment, arguments) -> {
            SemanticVersion version = version(arguments.getFirst());
            environment.charge(1, version.original().length());
            try {
                return answer.of(version, arguments.subList(1, arguments.size()));
            } catch (InvalidVersion invalid) {
                throw new CallFailure(invalid.text());
            }
        };
        VERSION.with(new Type.Method(name, Signatures.func(signature, VERSION), onPointer, code));
    }

    private static SemanticVersion other(List<Value> arguments) throws CallFailure {
        return version(arguments.getFirst());
    }

    private static SemanticVersion version(Value value) throws CallFailure {
        Value target = value instanceof Pointer pointer ? pointer.target() : value;
        if (target instanceof Opaque opaque && opaque.payload() instanceof Payload payload) {
            return payload.version();
        }
        throw new CallFailure("runtime error: invalid memory address or nil pointer dereference");
    }

    private static Opaque opaque(SemanticVersion version) {
        return new Opaque(VERSION, new Payload(version));
    }

    private static Int number(long value) {
        return new Int(Type.UINT64, value);
    }

    private static Slice byteList(String text) {
        List<Value> items = new ArrayList<>(text.length());
        text.chars().forEach(c -> items.add(new Int(Type.UINT8, c)));
        return new Slice(Type.BYTES, items);
    }
}

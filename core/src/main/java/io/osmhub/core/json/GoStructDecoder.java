package io.osmhub.core.json;

import io.osmhub.core.document.FindingsCollector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one JSON object into one struct by the rules of Go's {@code encoding/json}: names match case-insensitively (exact matches
 * first), members are applied in order so that the last duplicate wins, null leaves a value unchanged, and decoding continues after
 * a wrong type.
 */
public final class GoStructDecoder {
    private final String struct;
    private final String path;
    private final List<String> names;
    private final List<JsonDecodeError> mistakes;

    /**
     * @param struct the Go struct's name for messages
     * @param path of the object below the decoded one, empty for itself
     * @param names JSON names of the struct's fields
     */
    public GoStructDecoder(String struct, String path, List<String> names, List<JsonDecodeError> mistakes) {
        this.struct = struct;
        this.path = path;
        this.names = names;
        this.mistakes = mistakes;
    }

    /** Passes each member of a known field to {@code apply}, with the field's name, and records the others as mistakes. */
    public void read(RawJson json, String goType, BiConsumer<String, RawJson> apply) {
        switch (json) {
            case RawJson.RawObject object -> {
                for (RawJson.Member member : object.members()) {
                    String name = match(member.name());
                    if (name == null) {
                        String at = path.isEmpty() ? member.name() : path + "." + member.name();
                        mistakes.add(new JsonDecodeError(
                                at,
                                "json: unknown field \"" + member.name() + "\"",
                                FindingsCollector.suggestClosest(member.name(), names),
                                true));
                    } else {
                        apply.accept(name, member.value());
                    }
                }
            }
            case RawJson.RawArray array -> mismatch(json, goType);
            case RawJson.RawString text -> mismatch(json, goType);
            case RawJson.RawLiteral literal -> {
                if (!literal.isNull()) {
                    mismatch(json, goType);
                }
            }
        }
    }

    private void mismatch(RawJson json, String goType) {
        mistakes.add(new JsonDecodeError(
                path, "json: cannot unmarshal " + json.kind() + " into Go value of type " + goType, "", false));
    }

    public String string(String field, RawJson json, String before) {
        if (json instanceof RawJson.RawString text) {
            return text.value();
        }
        wrongUnlessNull(field, json, "string");
        return before;
    }

    public boolean bool(String field, RawJson json, boolean before) {
        if (json instanceof RawJson.RawLiteral literal && literal.kind().equals("bool")) {
            return literal.raw().equals("true");
        }
        wrongUnlessNull(field, json, "bool");
        return before;
    }

    /** The list, null for null. */
    public @Nullable List<String> strings(String field, RawJson json, @Nullable List<String> before) {
        if (json.isNull()) {
            return null;
        }
        if (!(json instanceof RawJson.RawArray array)) {
            wrongUnlessNull(field, json, "[]string");
            return before;
        }
        List<String> values = new ArrayList<>(array.items().size());
        for (RawJson item : array.items()) {
            values.add(string(field, item, ""));
        }
        return values;
    }

    /** Whether the value is an object; records a mistake unless it is an object or null. */
    public boolean isObject(String field, RawJson json, String goType) {
        if (json instanceof RawJson.RawObject) {
            return true;
        }
        wrongUnlessNull(field, json, goType);
        return false;
    }

    private void wrongUnlessNull(String field, RawJson json, String goType) {
        if (json.isNull()) {
            return;
        }
        String at = path.isEmpty() ? field : path + "." + field;
        mistakes.add(new JsonDecodeError(
                at,
                "json: cannot unmarshal " + json.kind() + " into Go struct field " + struct + "." + at + " of type "
                        + goType,
                cure(goType),
                false));
    }

    private static String cure(String goType) {
        return switch (goType) {
            case "bool" -> "use true or false without quotes";
            case "string" -> "use a string";
            case "[]string" -> "use a list of strings";
            default -> "use an object";
        };
    }

    private @Nullable String match(String name) {
        if (names.contains(name)) {
            return name;
        }
        for (String candidate : names) {
            if (foldedEquals(name, candidate)) {
                return candidate;
            }
        }
        return null;
    }

    /** Equality under Go's case folding: ASCII letters, and the two other characters that fold to one. */
    public static boolean foldedEquals(String a, String b) {
        if (a.length() != b.length()) {
            return false;
        }
        for (int i = 0; i < a.length(); i++) {
            if (fold(a.charAt(i)) != fold(b.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static char fold(char c) {
        if (c >= 'A' && c <= 'Z') {
            return (char) (c + 'a' - 'A');
        }
        return c == 'K' ? 'k' : c == 'ſ' ? 's' : c;
    }

    /**
     * Why JSON cannot be decoded.
     *
     * @param field path below the decoded object; empty for the object
     * @param what the message of Go's decoder
     * @param cure how to fix it; empty if {@code what} implies it
     * @param unknownField whether the only mistake is an unknown field, which a lenient reader ignores
     */
    public record JsonDecodeError(String field, String what, String cure, boolean unknownField) {}
}

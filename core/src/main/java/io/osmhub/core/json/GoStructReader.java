package io.osmhub.core.json;

import io.osmhub.core.document.Mistakes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one JSON object into one struct by the rules of Go's {@code encoding/json}: names match without regard to case
 * (an exact match first), members are applied in order so that the last of two wins, null leaves a value as it is, and a
 * wrong type is noted while decoding goes on.
 */
public final class GoStructReader {
    private final String struct;
    private final String path;
    private final List<String> names;
    private final List<JsonMistake> mistakes;

    /**
     * @param struct the Go struct's name, which messages show
     * @param path where the object lies below the decoded one, empty for itself
     * @param names of the struct's fields in JSON
     */
    public GoStructReader(String struct, String path, List<String> names, List<JsonMistake> mistakes) {
        this.struct = struct;
        this.path = path;
        this.names = names;
        this.mistakes = mistakes;
    }

    /** Hands each member that the struct knows to {@code apply}, under the field's own name, and notes the others. */
    public void read(RawJson json, String goType, BiConsumer<String, RawJson> apply) {
        switch (json) {
            case RawJson.Obj object -> {
                for (RawJson.Member member : object.members()) {
                    String name = match(member.name());
                    if (name == null) {
                        String at = path.isEmpty() ? member.name() : path + "." + member.name();
                        mistakes.add(new JsonMistake(
                                at,
                                "json: unknown field \"" + member.name() + "\"",
                                Mistakes.didYouMean(member.name(), names),
                                true));
                    } else {
                        apply.accept(name, member.value());
                    }
                }
            }
            case RawJson.Arr array -> mismatch(json, goType);
            case RawJson.Text text -> mismatch(json, goType);
            case RawJson.Literal literal -> {
                if (!literal.isNull()) {
                    mismatch(json, goType);
                }
            }
        }
    }

    private void mismatch(RawJson json, String goType) {
        mistakes.add(new JsonMistake(
                path, "json: cannot unmarshal " + json.kind() + " into Go value of type " + goType, "", false));
    }

    public String string(String field, RawJson json, String before) {
        if (json instanceof RawJson.Text text) {
            return text.value();
        }
        wrongUnlessNull(field, json, "string");
        return before;
    }

    public boolean bool(String field, RawJson json, boolean before) {
        if (json instanceof RawJson.Literal literal && literal.kind().equals("bool")) {
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
        if (!(json instanceof RawJson.Arr array)) {
            wrongUnlessNull(field, json, "[]string");
            return before;
        }
        List<String> values = new ArrayList<>(array.items().size());
        for (RawJson item : array.items()) {
            values.add(string(field, item, ""));
        }
        return values;
    }

    /** Whether the value is an object; notes it when it is something else than that or null. */
    public boolean isObject(String field, RawJson json, String goType) {
        if (json instanceof RawJson.Obj) {
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
        mistakes.add(new JsonMistake(
                at,
                "json: cannot unmarshal " + json.kind() + " into Go struct field " + struct + "." + at + " of type "
                        + goType,
                cure(goType),
                false));
    }

    private static String cure(String goType) {
        return switch (goType) {
            case "bool" -> "write true or false without quotes";
            case "string" -> "write a string";
            case "[]string" -> "write a list of strings";
            default -> "write an object";
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

    /** Equality under Go's folding of names: ASCII letters, and the two characters outside ASCII that fold to one. */
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
}

package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.Nesting;
import io.osmhub.core.emit.TextForms;
import io.osmhub.core.emit.Utf8;
import io.osmhub.core.emit.yaml.Tree.Entry;
import io.osmhub.core.emit.yaml.Tree.Mapping;
import io.osmhub.core.emit.yaml.Tree.Scalar;
import io.osmhub.core.emit.yaml.Tree.Sequence;
import io.osmhub.core.emit.yaml.Tree.Style;
import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoNumbers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns a value into the tree that is written. */
final class TreeBuilder {
    private static final Scalar NULL = Scalar.plain("null");
    private static final Scalar TRUE = Scalar.plain("true");
    private static final Scalar FALSE = Scalar.plain("false");

    /** Lines of base64, as the Go library breaks them. */
    private static final int BASE64_LINE = 70;

    private final KeyOrder keyOrder;
    private final Nesting nesting;

    TreeBuilder(KeyOrder keyOrder, @Nullable Environment environment) {
        this.keyOrder = keyOrder;
        this.nesting = new Nesting(environment);
    }

    /** @throws CallFailure for functions and complex numbers */
    Tree tree(Value value) throws CallFailure {
        String text = TextForms.text(value);
        if (text != null) {
            return TextForms.isTime(value) ? plain(text) : string(text);
        }
        return switch (value) {
            case Absent a -> NULL;
            case Nil n -> NULL;
            case Bool bool -> bool.value() ? TRUE : FALSE;
            case Int integer -> plain(TextForms.decimal(integer));
            case Flt number -> plain(number(number));
            case Str string -> string(string.bytes());
            case Slice slice -> sequence(slice);
            case MapValue map -> mapping(map);
            case Struct struct -> mapping(struct);
            case Opaque opaque -> new Mapping(List.of());
            case Pointer pointer -> pointer(pointer);
            case Complex complex -> throw cannotMarshal(complex.type());
            case Func function -> throw cannotMarshal(function.type());
        };
    }

    private static CallFailure cannotMarshal(Type type) {
        return new CallFailure("cannot marshal type: " + type);
    }

    private Scalar plain(String text) {
        nesting.charge(text.length());
        return Scalar.plain(text);
    }

    private static String number(Flt number) {
        double value = number.value();
        if (Double.isNaN(value)) {
            return ".nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? ".inf" : "-.inf";
        }
        return GoNumbers.formatFloat(value, 'g', -1, number.kind().bits());
    }

    private Scalar string(String bytes) {
        nesting.charge(2 * bytes.length());
        boolean binary = !Utf8.isValid(bytes);
        String text = binary ? base64(bytes) : bytes;
        if (text.indexOf('\n') >= 0) {
            return new Scalar(text, Style.LITERAL, binary);
        }
        boolean quoted = !binary && Implicit.isOtherThanText(text);
        return new Scalar(text, quoted ? Style.DOUBLE_QUOTED : Style.PLAIN, binary);
    }

    private static String base64(String bytes) {
        String text = new String(
                Base64.getEncoder().encode(bytes.getBytes(StandardCharsets.ISO_8859_1)), StandardCharsets.ISO_8859_1);
        if (text.length() <= BASE64_LINE) {
            return text;
        }
        StringBuilder lines = new StringBuilder(text.length() + text.length() / BASE64_LINE + 1);
        for (int i = 0; i < text.length(); i += BASE64_LINE) {
            lines.append(text, i, Math.min(i + BASE64_LINE, text.length())).append('\n');
        }
        return lines.toString();
    }

    private Tree sequence(Slice slice) throws CallFailure {
        enter(slice.elements());
        List<Tree> items = new ArrayList<>(slice.length());
        for (Value item : slice.elements()) {
            items.add(tree(item));
        }
        nesting.leave();
        return new Sequence(items);
    }

    private Tree mapping(MapValue map) throws CallFailure {
        enter(map.elements());
        List<Map.Entry<Value, Value>> sorted = new ArrayList<>(map.elements().entrySet());
        sorted.sort(Map.Entry.comparingByKey(keyOrder));
        List<Entry> entries = new ArrayList<>(sorted.size());
        for (Map.Entry<Value, Value> entry : sorted) {
            entries.add(new Entry(tree(entry.getKey()), tree(entry.getValue())));
        }
        nesting.leave();
        return new Mapping(entries);
    }

    private Tree mapping(Struct struct) throws CallFailure {
        enter(struct);
        List<Type.Field> fields = struct.type().fields();
        List<Entry> entries = new ArrayList<>(fields.size());
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.get(i).name();
            if (fields.get(i).embedded()) {
                // yaml.v3 has no test for this and panics; templates see the panic as an error of toYaml.
                throw new CallFailure(
                        "reflect.Value.Interface: cannot return value obtained from unexported field or method");
            }
            if (!Character.isUpperCase(name.charAt(0))) {
                continue;
            }
            String key = Str.bytes(name.toLowerCase(Locale.ROOT));
            if (!keys.add(key)) {
                throw new CallFailure("duplicated key '" + key + "' in struct " + struct.type());
            }
            entries.add(new Entry(string(key), tree(struct.field(i))));
        }
        nesting.leave();
        return new Mapping(entries);
    }

    private Tree pointer(Pointer pointer) throws CallFailure {
        Value target = pointer.target();
        if (target == null) {
            return NULL;
        }
        enter(pointer);
        Tree tree = tree(target);
        nesting.leave();
        return tree;
    }

    private void enter(Object container) {
        if (!nesting.enter(container)) {
            throw nesting.tooDeep();
        }
    }
}

package io.osmhub.core.template.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.emit.TextMarshaling;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One text for each value that a reader can give, the same for a value and for its {@code $} form in JSON. */
final class TypedForm {
    private TypedForm() {}

    static String of(JsonNode node) {
        if (node.isObject()) {
            if (node.size() >= 1 && node.fieldNames().next().startsWith("$")) {
                String form = node.fieldNames().next();
                JsonNode value = node.get(form);
                return switch (form) {
                    case "$anykeys" -> {
                        Map<String, String> entries = new TreeMap<>();
                        value.forEach(pair -> entries.put(of(pair.get(0)), of(pair.get(1))));
                        yield "anykeys" + entries;
                    }
                    case "$maps" -> "maps" + items(value);
                    case "$float64" ->
                        "float64 " + value.asText().replace("Inf", "Infinity").replace("+", "");
                    default ->
                        form.substring(1) + " " + value.asText()
                                + node.path("zone").asText("");
                };
            }
            Map<String, String> entries = new TreeMap<>();
            node.properties().forEach(entry -> entries.put(entry.getKey(), of(entry.getValue())));
            return "map" + entries;
        }
        if (node.isArray()) {
            return items(node).toString();
        }
        if (node.isNumber()) {
            return "float64 " + (node.doubleValue() + 0.0);
        }
        return node.isTextual() ? "string " + node.textValue() : node.toString();
    }

    private static List<String> items(JsonNode node) {
        List<String> items = new ArrayList<>();
        node.forEach(item -> items.add(of(item)));
        return items;
    }

    static String of(GoValue value) {
        return switch (value) {
            case GoNil n -> "null";
            case GoBool bool -> String.valueOf(bool.value());
            case GoInt integer -> integer.type() + " " + TextMarshaling.formatDecimal(integer);
            case GoFloat number -> "float64 " + (number.value() + 0.0); // JSON keeps no sign of zero
            case GoString string ->
                string.bytes().equals(GoString.bytes(string.text()))
                        ? "string " + string.text()
                        : "string_b64 " + base64(string);
            case GoSlice slice -> {
                List<String> items = new ArrayList<>();
                slice.elements().forEach(item -> items.add(of(item)));
                yield (slice.type().equals(GoType.LIST) ? "" : "maps") + items;
            }
            case GoMap map -> {
                boolean any = map.type().key().isInterface();
                Map<String, String> entries = new TreeMap<>();
                map.elements().forEach((key, item) -> entries.put(any ? of(key) : ((GoString) key).text(), of(item)));
                yield (any ? "anykeys" : "map") + entries;
            }
            default -> throw new IllegalArgumentException("no reader gives a " + value.type());
        };
    }

    private static String base64(GoString string) {
        return Base64.getEncoder().encodeToString(string.bytes().getBytes(StandardCharsets.ISO_8859_1));
    }
}

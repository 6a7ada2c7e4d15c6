package io.osmhub.core.template.handlebars;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference.Language;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.jspecify.annotations.Nullable;

/** The helpers by name: those that compute values, and the names of those that control blocks. {@link FunctionCatalog} documents them. */
public final class HandlebarsHelpers {
    /** No maximum number of arguments. */
    static final int ANY = Integer.MAX_VALUE;

    private static final HandlebarsHelpers ALL = new HandlebarsHelpers();

    /**
     * A helper that computes a value from its arguments. As a block, it gets the block's text as its last argument.
     *
     * @param fewest minimum number of arguments
     * @param most maximum number of arguments, {@link #ANY} for any
     */
    record HelperDefinition(String name, int fewest, int most, Code code) {
        @FunctionalInterface
        interface Code {
            GoValue call(HelperArguments arguments) throws GoCallException;
        }
    }

    private final Map<String, HelperDefinition> definitions = new HashMap<>();
    private final Set<String> names = new TreeSet<>();

    private HandlebarsHelpers() {
        LogicHelpers.addTo(this);
        TextHelpers.addTo(this);
        EncodingHelpers.addTo(this);
        ListHelpers.addTo(this);
        names.addAll(definitions.keySet());
        for (BlockHelper block : BlockHelper.values()) {
            names.add(block.helperName());
        }
    }

    /** Adds a helper with a fixed number of arguments. */
    void add(String name, int count, HelperDefinition.Code code) {
        add(name, count, count, code);
    }

    void add(String name, int fewest, int most, HelperDefinition.Code code) {
        if (definitions.put(name, new HelperDefinition(name, fewest, most, code)) != null) {
            throw new IllegalArgumentException("two helpers named " + name);
        }
    }

    static @Nullable HelperDefinition find(String name) {
        return ALL.definitions.get(name);
    }

    /** All names, sorted. */
    public static Set<String> names() {
        return Collections.unmodifiableSet(ALL.names);
    }

    /** How a helper is called, for messages. */
    static String signature(String name) {
        return FunctionCatalog.find(Language.HANDLEBARS, name).orElseThrow().signature();
    }

    /** Values and texts in other forms. */
    private static final class EncodingHelpers {
        static void addTo(HandlebarsHelpers helpers) {
            helpers.add("base64", 1, EncodingHelpers::base64);
            helpers.add("base64Decode", 1, EncodingHelpers::base64Decode);
            helpers.add("sha256", 1, EncodingHelpers::sha256);
            helpers.add(
                    "toJson",
                    1,
                    arguments -> GoString.ofBytes(GoJson.encodeRaw(arguments.value(0), arguments.environment())
                            .stripTrailing()));
            helpers.add("toYaml", 1, arguments -> {
                String yaml = YamlEncoder.marshal(arguments.value(0), arguments.environment());
                return GoString.ofBytes(yaml.endsWith("\n") ? yaml.substring(0, yaml.length() - 1) : yaml);
            });
            helpers.add(
                    "toToml",
                    1,
                    arguments -> GoString.ofBytes(TomlEncoder.encode(arguments.value(0), 2, arguments.environment())));
        }

        private static GoValue base64(HelperArguments arguments) throws GoCallException {
            byte[] bytes = arguments.text(0).getBytes(ISO_8859_1);
            arguments.environment().charge(1, 3L * bytes.length);
            return GoString.ofBytes(Base64.getEncoder().encodeToString(bytes));
        }

        private static GoValue base64Decode(HelperArguments arguments) throws GoCallException {
            String text = arguments.text(0);
            arguments.environment().charge(1, 2L * text.length());
            try {
                return GoString.ofBytes(new String(Base64.getMimeDecoder().decode(text), ISO_8859_1));
            } catch (IllegalArgumentException invalid) {
                throw new GoCallException("the text is not base64");
            }
        }

        private static GoValue sha256(HelperArguments arguments) throws GoCallException {
            byte[] bytes = arguments.text(0).getBytes(ISO_8859_1);
            arguments.environment().charge(bytes.length / 64, bytes.length);
            SHA256Digest digest = new SHA256Digest();
            digest.update(bytes, 0, bytes.length);
            byte[] sum = new byte[digest.getDigestSize()];
            digest.doFinal(sum, 0);
            return GoString.ofBytes(HexFormat.of().formatHex(sum));
        }
    }

    /** Lists and maps. */
    private static final class ListHelpers {
        static void addTo(HandlebarsHelpers helpers) {
            helpers.add("list", 0, HandlebarsHelpers.ANY, arguments -> GoSlice.of(List.copyOf(arguments.values())));
            helpers.add("dict", 0, HandlebarsHelpers.ANY, ListHelpers::dict);
            helpers.add("get", 2, 3, ListHelpers::get);
            helpers.add(
                    "hasKey",
                    2,
                    arguments -> GoBool.of(arguments.map(0).containsKey(GoString.ofBytes(arguments.text(1)))));
            helpers.add("index", 2, arguments -> at(arguments.list(0), arguments.number(1)));
            helpers.add("first", 1, arguments -> at(arguments.list(0), 0));
            helpers.add(
                    "last",
                    1,
                    arguments -> at(arguments.list(0), arguments.list(0).size() - 1));
            helpers.add("len", 1, ListHelpers::length);
            helpers.add("has", 2, ListHelpers::has);
        }

        private static GoValue dict(HelperArguments arguments) throws GoCallException {
            if (arguments.count() % 2 != 0) {
                throw new GoCallException("the last key has no value");
            }
            Map<GoValue, GoValue> entries = new HashMap<>();
            for (int i = 0; i < arguments.count(); i += 2) {
                entries.put(GoString.ofBytes(arguments.text(i)), arguments.value(i + 1));
            }
            arguments.named().forEach((key, value) -> entries.put(GoString.of(key), value));
            return GoMap.of(entries);
        }

        private static GoValue get(HelperArguments arguments) throws GoCallException {
            String key = arguments.text(1);
            GoValue found = GoNil.ANY;
            if (arguments.value(0) instanceof GoStruct struct) {
                int index = struct.type().fieldIndex(key);
                found = index < 0 ? GoNil.ANY : HandlebarsValues.dereference(struct.field(index));
            } else {
                found = HandlebarsValues.dereference(arguments.map(0).getOrDefault(GoString.ofBytes(key), GoNil.ANY));
            }
            return found instanceof GoNil && arguments.count() == 3 ? arguments.value(2) : found;
        }

        private static GoValue at(List<GoValue> list, long index) {
            return index < 0 || index >= list.size() ? GoNil.ANY : list.get((int) index);
        }

        private static GoValue length(HelperArguments arguments) throws GoCallException {
            return switch (arguments.value(0)) {
                case GoSlice slice -> GoInt.of(slice.length());
                case GoMap map -> GoInt.of(map.length());
                case GoString text -> GoInt.of(text.bytes().length());
                case GoNil nil -> GoInt.of(0);
                case GoValue other -> throw arguments.typeMismatch(0, "a list, a map or a text", other);
            };
        }

        private static GoValue has(HelperArguments arguments) throws GoCallException {
            String wanted = arguments.text(0);
            for (GoValue element : arguments.list(1)) {
                if (HandlebarsValues.text(element, arguments.environment()).equals(wanted)) {
                    return GoBool.TRUE;
                }
            }
            return GoBool.FALSE;
        }
    }
}

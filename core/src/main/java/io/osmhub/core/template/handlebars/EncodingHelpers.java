package io.osmhub.core.template.handlebars;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoValue;
import java.util.Base64;
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.SHA256Digest;

/** Values and texts in other forms. */
final class EncodingHelpers {
    private EncodingHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(new HelperDefinition(
                "base64",
                "TEXT",
                1,
                1,
                "The text in base64, for encoded contents of cloud-init and Ignition.",
                "{{base64 \"hello\"}}",
                "aGVsbG8=",
                EncodingHelpers::base64));
        table.add(new HelperDefinition(
                "base64Decode",
                "TEXT",
                1,
                1,
                "The text decoded from base64.",
                "{{base64Decode \"aGVsbG8=\"}}",
                "hello",
                EncodingHelpers::base64Decode));
        table.add(new HelperDefinition(
                "sha256",
                "TEXT",
                1,
                1,
                "The SHA-256 of the text in hexadecimal digits.",
                "{{sha256 \"abc\"}}",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                EncodingHelpers::sha256));
        table.add(new HelperDefinition(
                "toJson",
                "VALUE",
                1,
                1,
                "Any value as compact JSON.",
                "{{toJson (dict \"a\" (list 1 2))}}",
                "{\"a\":[1,2]}",
                arguments -> GoString.ofBytes(GoJson.encodeRaw(arguments.value(0), arguments.environment())
                        .stripTrailing())));
        table.add(new HelperDefinition(
                "toYaml",
                "VALUE",
                1,
                1,
                "Any value as YAML, without a line break at the end.",
                "{{toYaml (dict \"a\" (list 1 2))}}",
                "a:\n    - 1\n    - 2",
                arguments -> {
                    String yaml = YamlEncoder.marshal(arguments.value(0), arguments.environment());
                    return GoString.ofBytes(yaml.endsWith("\n") ? yaml.substring(0, yaml.length() - 1) : yaml);
                }));
        table.add(new HelperDefinition(
                "toToml",
                "MAP",
                1,
                1,
                "A map as TOML.",
                "{{toToml (dict \"a\" 1)}}",
                "a = 1\n",
                arguments -> GoString.ofBytes(TomlEncoder.encode(arguments.value(0), 2, arguments.environment()))));
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

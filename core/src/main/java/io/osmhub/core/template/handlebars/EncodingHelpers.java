package io.osmhub.core.template.handlebars;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.Base64;
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.SHA256Digest;

/** Values and texts in other forms. */
final class EncodingHelpers {
    private EncodingHelpers() {}

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

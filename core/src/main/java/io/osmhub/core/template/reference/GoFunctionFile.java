package io.osmhub.core.template.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.template.FunctionReference;
import io.osmhub.core.template.FunctionReference.Language;
import io.osmhub.core.template.FunctionReference.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Reads {@code go-functions.txt}, whose header describes the format. */
final class GoFunctionFile {
    private static final String SECTION = "== ";
    private static final String CHANGING = " !changing";
    private static final String CLOSED = " !closed";
    private static final String PRINTS = " => ";

    private GoFunctionFile() {}

    static List<FunctionReference> read() {
        try (InputStream file = GoFunctionFile.class.getResourceAsStream("go-functions.txt")) {
            byte[] bytes = Objects.requireNonNull(file, "go-functions.txt").readAllBytes();
            return parse(new String(bytes, UTF_8).lines().toList());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("go-functions.txt is part of the program", unreadable);
        }
    }

    private static List<FunctionReference> parse(List<String> lines) {
        List<FunctionReference> functions = new ArrayList<>();
        Origin origin = Origin.GO;
        String family = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith(SECTION)) {
                int end = line.indexOf(' ', SECTION.length());
                origin = Origin.valueOf(line.substring(SECTION.length(), end).toUpperCase(Locale.ROOT));
                family = line.substring(end + 1);
                continue;
            }
            functions.add(entry(origin, family, line, indented(lines.get(i + 1)), indented(lines.get(i + 2))));
            i += 2;
        }
        return functions;
    }

    private static String indented(String line) {
        if (!line.startsWith("  ")) {
            throw new IllegalStateException("go-functions.txt: an entry's second and third line are indented: " + line);
        }
        return line.substring(2);
    }

    private static FunctionReference entry(
            Origin origin, String family, String head, String description, String example) {
        String signature = head.replace(CHANGING, "").replace(CLOSED, "");
        int nameEnd = (signature + " ").indexOf(' ');
        int prints = example.indexOf(PRINTS);
        return new FunctionReference(
                signature.substring(0, nameEnd),
                Language.GO,
                origin,
                family,
                signature,
                description,
                example.substring(0, prints),
                unescape(example.substring(prints + PRINTS.length())),
                !head.contains(CHANGING),
                head.contains(CLOSED));
    }

    private static String unescape(String result) {
        StringBuilder text = new StringBuilder(result.length());
        for (int i = 0; i < result.length(); i++) {
            char c = result.charAt(i);
            if (c == '\\' && i + 1 < result.length()) {
                i++;
                c = switch (result.charAt(i)) {
                    case 'n' -> '\n';
                    case 't' -> '\t';
                    default -> result.charAt(i);
                };
            }
            text.append(c);
        }
        return text.toString();
    }
}

package io.osmhub.core.emit.toml;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.toml.TomlFactory;
import com.fasterxml.jackson.dataformat.toml.TomlReadFeature;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.emit.toml.TomlEncoder.TomlStringWriter;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads TOML 1.0 into a {@code map[string]interface {}} as Go's {@code BurntSushi/toml} does; dates are not supported. */
public final class TomlDecoder {
    private static final String DATE = "a date or time";

    /** Each header of an array of tables is read a second time. */
    private static final int STEPS_PER_HEADER = 200;

    private static final GoType TABLES = GoType.sliceOf(GoType.DICT);
    private static final TomlFactory FACTORY = TomlFactory.builder()
            .enable(TomlReadFeature.PARSE_JAVA_TIME) // dates as dates, so that they differ from strings
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(NestingTracker.MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final String text;
    private final JsonParser parser;
    private final NestingTracker nesting;
    private final Set<List<String>> headers;
    private final List<String> path = new ArrayList<>();

    private TomlDecoder(String text, JsonParser parser, NestingTracker nesting) throws IOException {
        this.text = text;
        this.parser = parser;
        this.nesting = nesting;
        this.headers = headers(text, nesting);
    }

    /**
     * Checks a document within the limits of {@link NestingTracker#ofDocument}.
     *
     * @throws LimitExceededException for a document that is too large or too deep
     */
    public static void check(String text) throws TextSyntaxException {
        try {
            decode(text, NestingTracker.ofDocument());
        } catch (TextSyntaxException failure) {
            if (!failure.isUnsupported()) {
                throw failure;
            }
        }
    }

    /** Reads a document, bytes as chars; charged to {@code environment}. */
    public static GoMap decode(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        try {
            return decode(Utf8Bytes.decode(bytes), new NestingTracker(environment));
        } catch (TextSyntaxException malformed) {
            throw malformed.toCallException("toml");
        }
    }

    private static GoMap decode(String text, NestingTracker nesting) throws TextSyntaxException {
        nesting.chargeDecoding(text);
        if (!Utf8Bytes.isValid(text)) {
            throw new TextSyntaxException(0, 0, "the text is not valid UTF-8");
        }
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            return GoMap.of(new TomlDecoder(text, parser, nesting).table());
        } catch (StreamConstraintsException limit) {
            throw new LimitExceededException("values nested more than " + nesting.maxDepth() + " levels deep");
        } catch (JsonProcessingException malformed) {
            JsonLocation at = malformed.getLocation();
            throw new TextSyntaxException(at.getLineNr(), at.getColumnNr(), describe(malformed.getOriginalMessage()));
        } catch (DateTimeException date) {
            throw TextSyntaxException.unsupported(0, 0, DATE);
        } catch (IOException e) {
            throw new UncheckedIOException("the text is in memory", e);
        }
    }

    /** In our words, because the library's quote the text. */
    private static String describe(String message) {
        return switch (message) {
            case String duplicate when duplicate.startsWith("Duplicate key") -> "a key is defined twice";
            case "Table redefined" -> "a table is defined twice";
            default -> "invalid syntax";
        };
    }

    /**
     * The paths of the arrays of tables that have headers. Go gives these another type than lists of inline tables, which the
     * library does not tell apart.
     */
    private static Set<List<String>> headers(String text, NestingTracker nesting) throws IOException {
        Set<List<String>> paths = new HashSet<>();
        for (String line : text.lines().map(String::strip).distinct().toList()) {
            if (line.startsWith("[[")) {
                nesting.charge(STEPS_PER_HEADER, 0);
                List<String> path = headerPath(line);
                if (path != null) {
                    paths.add(path);
                }
            }
        }
        return paths;
    }

    /** Null for a line of a longer value that only looks like a header. */
    private static @Nullable List<String> headerPath(String line) throws IOException {
        List<String> path = new ArrayList<>();
        try (JsonParser header = FACTORY.createParser(line)) {
            for (JsonToken token = header.nextToken(); token != JsonToken.START_ARRAY; token = header.nextToken()) {
                if (token == JsonToken.FIELD_NAME) {
                    path.add(header.currentName());
                }
            }
            return path;
        } catch (JsonProcessingException noHeader) {
            return null;
        }
    }

    private GoValue value(JsonToken token) throws IOException, TextSyntaxException {
        return switch (token) {
            case START_OBJECT -> GoMap.of(table());
            case START_ARRAY -> array();
            case VALUE_STRING -> string(parser.getText());
            case VALUE_NUMBER_INT -> integer(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> number();
            case VALUE_TRUE -> GoBool.TRUE;
            case VALUE_FALSE -> GoBool.FALSE;
            default -> throw TextSyntaxException.unsupported(0, 0, DATE);
        };
    }

    private TextSyntaxException error(String problem) {
        List<String> key = path.stream().map(GoString::bytes).toList();
        return new TextSyntaxException(0, 0, "key " + TomlStringWriter.joinKey(key) + ": " + problem);
    }

    private Map<GoValue, GoValue> table() throws IOException, TextSyntaxException {
        Map<GoValue, GoValue> entries = new HashMap<>();
        nesting.enter(entries);
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            path.add(key);
            entries.put(string(key), value(parser.nextToken()));
            path.removeLast();
        }
        nesting.leave();
        return entries;
    }

    private GoValue array() throws IOException, TextSyntaxException {
        List<GoValue> items = new ArrayList<>();
        nesting.enter(items);
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(token));
        }
        nesting.leave();
        return headers.contains(path) ? new GoSlice(TABLES, items) : GoSlice.of(items);
    }

    private GoString string(String content) throws TextSyntaxException {
        if (!Utf8Bytes.isValid(content)) {
            throw error("an escape is half of a surrogate pair");
        }
        return GoString.of(content);
    }

    private GoValue integer(BigInteger number) throws TextSyntaxException {
        if (number.bitLength() > 63) {
            throw error("out of range for int64");
        }
        return GoInt.int64(number.longValue());
    }

    private GoValue number() throws IOException, TextSyntaxException {
        if (parser.isNaN()) {
            return GoFloat.of(parser.getDoubleValue());
        }
        BigDecimal exact = parser.getDecimalValue();
        double number = exact.doubleValue();
        if (Double.isInfinite(number)) {
            throw error("out of range for float64");
        }
        if (exact.signum() == 0 && (text.contains("-0.") || text.contains("-0e") || text.contains("-0E"))) {
            throw error("negative zero is not supported"); // The library drops the sign.
        }
        return GoFloat.of(number);
    }
}

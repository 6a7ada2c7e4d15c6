package io.osmhub.core.emit.json;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a JSON text. A syntax error ends it, as Go looks for them before it reads anything; a number that no float64
 * can hold does not: it becomes nil, and the first such error is reported beside the value.
 */
final class JsonDecoder {
    /** {@code numberError} is null when all went well. */
    record Result(GoValue value, @Nullable String numberError) {
        /** JSON's name for what the text is. */
        String topLevel() {
            return switch (value) {
                case GoMap map -> "object";
                case GoSlice slice -> "array";
                case GoString string -> "string";
                case GoBool bool -> "bool";
                default -> "number";
            };
        }
    }

    private static final int END = -1;

    private final String text;
    private final NestingTracker nesting;
    private int position;
    private @Nullable String numberError;

    private JsonDecoder(String text, @Nullable ExecutionEnvironment environment) {
        this.text = text;
        this.nesting = new NestingTracker(environment);
    }

    static Result decode(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        JsonDecoder decoder = new JsonDecoder(bytes, environment);
        GoValue value = decoder.value("looking for beginning of value");
        if (decoder.skipBlanks() != END) {
            throw decoder.unexpected("after top-level value");
        }
        return new Result(value, decoder.numberError);
    }

    private int peek() {
        return position < text.length() ? text.charAt(position) : END;
    }

    private int skipBlanks() {
        while (true) {
            int c = peek();
            if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
                return c;
            }
            position++;
        }
    }

    private GoCallException unexpected(String context) {
        if (peek() == END) {
            return new GoCallException("unexpected end of JSON input");
        }
        return invalid(text.charAt(position), context);
    }

    /** Within a word or a number Go takes the end for a blank, which it then complains of. */
    private GoCallException unexpectedInWord(String context) {
        return invalid(peek() == END ? ' ' : text.charAt(position), context);
    }

    private static GoCallException invalid(char c, String context) {
        return new GoCallException("invalid character " + quoted(c) + " " + context);
    }

    /** A byte as a Go character literal, taken as the code point of the same number. */
    private static String quoted(char c) {
        return switch (c) {
            case '\'' -> "'\\''";
            case '\\' -> "'\\\\'";
            case 0x07 -> "'\\a'";
            case '\b' -> "'\\b'";
            case '\f' -> "'\\f'";
            case '\n' -> "'\\n'";
            case '\r' -> "'\\r'";
            case '\t' -> "'\\t'";
            case 0x0B -> "'\\v'";
            default -> {
                if (c < 0x20 || c == 0x7F) {
                    yield "'\\x%02x'".formatted((int) c);
                }
                boolean printable = c < 0x7F || (c > 0xA0 && c != 0xAD);
                yield printable ? "'" + GoString.bytes(String.valueOf(c)) + "'" : "'\\u%04x'".formatted((int) c);
            }
        };
    }

    private GoValue value(String context) throws GoCallException {
        int c = skipBlanks();
        return switch (c) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> GoString.ofBytes(string());
            case 't' -> word("true", GoBool.TRUE);
            case 'f' -> word("false", GoBool.FALSE);
            case 'n' -> word("null", GoNil.ANY);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw unexpected(context);
        };
    }

    private void enter(Object container) throws GoCallException {
        if (!nesting.enter(container)) {
            throw new GoCallException("exceeded max depth");
        }
        position++;
    }

    private GoValue object() throws GoCallException {
        Map<GoValue, GoValue> entries = new HashMap<>();
        enter(entries);
        if (skipBlanks() != '}') {
            while (true) {
                if (skipBlanks() != '"') {
                    throw unexpected("looking for beginning of object key string");
                }
                GoString key = GoString.ofBytes(string());
                if (skipBlanks() != ':') {
                    throw unexpected("after object key");
                }
                position++;
                entries.put(key, value("looking for beginning of value"));
                if (skipBlanks() == '}') {
                    break;
                }
                if (peek() != ',') {
                    throw unexpected("after object key:value pair");
                }
                position++;
            }
        }
        position++;
        nesting.leave();
        return GoMap.of(entries);
    }

    private GoValue array() throws GoCallException {
        List<GoValue> items = new ArrayList<>();
        enter(items);
        if (skipBlanks() != ']') {
            while (true) {
                items.add(value("looking for beginning of value"));
                if (skipBlanks() == ']') {
                    break;
                }
                if (peek() != ',') {
                    throw unexpected("after array element");
                }
                position++;
            }
        }
        position++;
        nesting.leave();
        return GoSlice.of(items);
    }

    private GoValue word(String word, GoValue value) throws GoCallException {
        for (int i = 0; i < word.length(); i++, position++) {
            if (peek() != word.charAt(i)) {
                throw unexpectedInWord("in literal " + word + " (expecting " + quoted(word.charAt(i)) + ")");
            }
        }
        return value;
    }

    private GoValue number() throws GoCallException {
        int start = position;
        if (peek() == '-') {
            position++;
        }
        if (peek() == '0') {
            position++;
        } else {
            digits("in numeric literal");
        }
        if (peek() == '.') {
            position++;
            digits("after decimal point in numeric literal");
        }
        if (peek() == 'e' || peek() == 'E') {
            position++;
            if (peek() == '+' || peek() == '-') {
                position++;
            }
            digits("in exponent of numeric literal");
        }
        String literal = text.substring(start, position);
        nesting.charge(literal.length());
        double number = Double.parseDouble(literal);
        if (Double.isInfinite(number)) {
            if (numberError == null) {
                numberError = "json: cannot unmarshal number " + literal + " into Go value of type float64";
            }
            return GoNil.ANY;
        }
        return GoFloat.of(number);
    }

    private void digits(String context) throws GoCallException {
        if (peek() < '0' || peek() > '9') {
            throw unexpectedInWord(context);
        }
        while (peek() >= '0' && peek() <= '9') {
            position++;
        }
    }

    private String string() throws GoCallException {
        position++;
        int start = position;
        while (peek() != '"') {
            int c = peek();
            if (c == '\\' || c >= 0x80) {
                return stringWithEscapes(start);
            }
            if (c < 0x20) {
                throw unexpected("in string literal");
            }
            position++;
        }
        nesting.charge(position - start);
        return text.substring(start, position++);
    }

    private String stringWithEscapes(int start) throws GoCallException {
        StringBuilder out = new StringBuilder().append(text, start, position);
        while (peek() != '"') {
            int c = peek();
            if (c == '\\') {
                position++;
                escape(out);
            } else if (c < 0x20) {
                throw unexpected("in string literal");
            } else {
                int length = Utf8Bytes.length(text, position);
                if (length == 0) {
                    Utf8Bytes.append(out, 0xFFFD);
                    position++;
                } else {
                    out.append(text, position, position + length);
                    position += length;
                }
            }
        }
        position++;
        nesting.charge(out.length());
        return out.toString();
    }

    private void escape(StringBuilder out) throws GoCallException {
        switch (peek()) {
            case '"', '\\', '/' -> out.append((char) peek());
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'u' -> {
                position++;
                unicode(out);
                return;
            }
            default -> throw unexpectedInWord("in string escape code");
        }
        position++;
    }

    /** Half a surrogate pair stands for no character; what follows it is then read on its own. */
    private void unicode(StringBuilder out) throws GoCallException {
        int first = hexDigits();
        if (!Character.isSurrogate((char) first)) {
            Utf8Bytes.append(out, first);
            return;
        }
        if (Character.isHighSurrogate((char) first) && text.startsWith("\\u", position)) {
            int resume = position;
            position += 2;
            int second = hexDigits();
            if (Character.isLowSurrogate((char) second)) {
                Utf8Bytes.append(out, Character.toCodePoint((char) first, (char) second));
                return;
            }
            position = resume;
        }
        Utf8Bytes.append(out, 0xFFFD);
    }

    private int hexDigits() throws GoCallException {
        int number = 0;
        for (int i = 0; i < 4; i++, position++) {
            int digit = peek() == END ? -1 : Character.digit((char) peek(), 16);
            if (digit < 0) {
                throw unexpectedInWord("in \\u hexadecimal character escape");
            }
            number = number << 4 | digit;
        }
        return number;
    }
}

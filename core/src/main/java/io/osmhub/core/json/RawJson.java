package io.osmhub.core.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * JSON that still has its text: members in order and with duplicates, each value with the characters it was written with.
 * Both matter to the rules by which the fields of a MachineDeployment are decoded.
 */
public sealed interface RawJson {
    /** The value's own characters. */
    String raw();

    /** What messages call its type, in the words of Go's {@code encoding/json}. */
    String kind();

    default boolean isNull() {
        return raw().equals("null");
    }

    record Obj(String raw, List<Member> members) implements RawJson {
        @Override
        public String kind() {
            return "object";
        }
    }

    record Arr(String raw, List<RawJson> items) implements RawJson {
        @Override
        public String kind() {
            return "array";
        }
    }

    record Text(String raw, String value) implements RawJson {
        @Override
        public String kind() {
            return "string";
        }
    }

    /** A number, a boolean or null. */
    record Literal(String raw) implements RawJson {
        @Override
        public String kind() {
            char first = raw.charAt(0);
            return first == 't' || first == 'f' ? "bool" : first == 'n' ? "null" : "number";
        }
    }

    record Member(String name, RawJson value) {}

    /** No JSON; the message says why. */
    final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(String message) {
            super(message, null, false, false);
        }
    }

    /** Reads the first value of the text; what follows it is not looked at. */
    static RawJson parse(String text) throws Malformed {
        try (JsonParser parser = Reader.FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new Malformed("unexpected end of JSON input");
            }
            return new Reader(text, parser).value();
        } catch (JsonProcessingException e) {
            // Not the parser's text, which shows what it found: that may be part of a credential.
            throw new Malformed("no JSON at character " + (e.getLocation().getCharOffset() + 1));
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory", e);
        }
    }

    /** Builds the tree from Jackson's tokens. */
    final class Reader {
        // Buffers are kept for all threads, because a virtual thread lives for one rendering only.
        private static final JsonFactory FACTORY = JsonFactory.builder()
                .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                .build();

        private final String text;
        private final JsonParser parser;

        private Reader(String text, JsonParser parser) {
            this.text = text;
            this.parser = parser;
        }

        private RawJson value() throws IOException {
            int start = (int) parser.currentTokenLocation().getCharOffset();
            return switch (parser.currentToken()) {
                case START_OBJECT -> {
                    List<Member> members = new ArrayList<>();
                    while (parser.nextToken() != JsonToken.END_OBJECT) {
                        String name = parser.currentName();
                        parser.nextToken();
                        members.add(new Member(name, value()));
                    }
                    yield new Obj(rawFrom(start), members);
                }
                case START_ARRAY -> {
                    List<RawJson> items = new ArrayList<>();
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        items.add(value());
                    }
                    yield new Arr(rawFrom(start), items);
                }
                case VALUE_STRING -> {
                    String value = parser.getText();
                    yield new Text(rawFrom(start), value);
                }
                default -> new Literal(parser.getText());
            };
        }

        private String rawFrom(int start) {
            return text.substring(start, (int) parser.currentLocation().getCharOffset());
        }
    }
}

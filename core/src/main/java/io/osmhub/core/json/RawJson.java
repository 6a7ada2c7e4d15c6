package io.osmhub.core.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * JSON with its text: members in order and with duplicates, each value with its original characters. Decoding the fields of a
 * MachineDeployment depends on both.
 */
public sealed interface RawJson {
    /** The value's original characters. */
    String raw();

    /** The type's name in messages of Go's {@code encoding/json}. */
    String kind();

    default boolean isNull() {
        return raw().equals("null");
    }

    record RawObject(String raw, List<Member> members) implements RawJson {
        @Override
        public String kind() {
            return "object";
        }
    }

    record RawArray(String raw, List<RawJson> items) implements RawJson {
        @Override
        public String kind() {
            return "array";
        }
    }

    record RawString(String raw, String value) implements RawJson {
        @Override
        public String kind() {
            return "string";
        }
    }

    /** A number, a boolean or null. */
    record RawLiteral(String raw) implements RawJson {
        @Override
        public String kind() {
            char first = raw.charAt(0);
            return first == 't' || first == 'f' ? "bool" : first == 'n' ? "null" : "number";
        }
    }

    record Member(String name, RawJson value) {}

    /** Invalid JSON; the message states why. */
    final class MalformedJsonException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedJsonException(String message) {
            super(message, null, false, false);
        }
    }

    /** Parses the first value of the text; the rest is ignored. */
    static RawJson parse(String text) throws MalformedJsonException {
        try (JsonParser parser = Reader.FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new MalformedJsonException("unexpected end of JSON input");
            }
            return new Reader(text, parser).value();
        } catch (StreamConstraintsException e) {
            throw new MalformedJsonException(
                    "nested more than " + Reader.MAX_DEPTH + " levels deep, or a number is too long");
        } catch (JsonProcessingException e) {
            // Not the parser's message, which quotes the input: it may be part of a credential.
            throw new MalformedJsonException(
                    "not JSON at character " + (e.getLocation().getCharOffset() + 1));
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory", e);
        }
    }

    /** Builds the tree from Jackson's tokens. */
    final class Reader {
        /** Each level keeps the characters of all levels below it. */
        private static final int MAX_DEPTH = 32;

        // Buffers are shared between threads, because a virtual thread lives for one rendering only.
        private static final JsonFactory FACTORY = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .build())
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
                    yield new RawObject(rawFrom(start), members);
                }
                case START_ARRAY -> {
                    List<RawJson> items = new ArrayList<>();
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        items.add(value());
                    }
                    yield new RawArray(rawFrom(start), items);
                }
                case VALUE_STRING -> {
                    String value = parser.getText();
                    yield new RawString(rawFrom(start), value);
                }
                default -> new RawLiteral(parser.getText());
            };
        }

        private String rawFrom(int start) {
            return text.substring(start, (int) parser.currentLocation().getCharOffset());
        }
    }
}

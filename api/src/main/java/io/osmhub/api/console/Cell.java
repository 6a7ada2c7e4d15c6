package io.osmhub.api.console;

import io.osmhub.api.schema.WhyReport.Link.LinkState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A place on a page whose content changes while it is looked at. The page is rendered with it, and later only what differs is sent;
 * the script then moves text, a class, a shape or a time, never markup.
 */
sealed interface Cell {
    /** A text, or a figure. */
    record Text(String text) implements Cell {}

    /** A shape with its word. */
    record State(Look look) implements Cell {}

    /** A command to paste; empty for none. */
    record Command(String text) implements Cell {
        /** Its words, between which there is a blank each. */
        List<String> words() {
            return text.isEmpty() ? List.of() : List.of(text.split(" +", -1));
        }
    }

    /** How long ago or until when. */
    record Moment(String form, Instant at) implements Cell {}

    /** Class of a whole part of the page, for example of a link of the chain. Constants of this package only. */
    record Mood(String classes) implements Cell {}

    /** A drawing: numbers of its lines and bars, by the names of SVG's attributes. Constants and numbers only. */
    record Shape(Map<String, String> attributes) implements Cell {
        public Shape {
            attributes = Map.copyOf(attributes);
        }
    }

    /** The chain in one line. */
    record Chain(List<LinkState> links) implements Cell {
        public Chain {
            links = List.copyOf(links);
        }
    }

    /** As the script reads it. {@code now} is the moment of the page. */
    default Map<String, Object> sent(Instant now) {
        Map<String, Object> sent = new LinkedHashMap<>();
        switch (this) {
            case Text(String text) -> sent.put("t", shown(text));
            case State(Look look) -> {
                sent.put("t", shown(look.word()));
                sent.put("c", "st " + look.tone());
                sent.put("u", "#" + look.symbol());
            }
            case Command command -> sent.put("t", pieces(command));
            case Moment(String form, Instant at) -> {
                sent.put("t", Cell.words(form, at, now));
                sent.put("d", at.toString());
            }
            case Mood(String classes) -> sent.put("c", classes);
            case Shape(Map<String, String> attributes) -> sent.put("a", attributes);
            case Chain(List<LinkState> links) -> {
                sent.put("l", links.stream().map(Drawings::symbol).toList());
                sent.put("r", Drawings.reading(links));
            }
        }
        return sent;
    }

    /** A text as it is; one with marked characters in pieces, of which the script makes the same elements as the page had. */
    private static Object shown(String text) {
        List<HostileText.Piece> pieces = new ArrayList<>();
        HostileText.pieces(text, HostileText.MESSAGE, pieces);
        if (pieces.stream().noneMatch(HostileText.Piece::marked)) {
            return text;
        }
        return pieces.stream()
                .map(piece -> piece.marked() ? Map.of("m", piece.text()) : piece.text())
                .toList();
    }

    /** Each word in a piece of its own, because it goes to the next line as a whole. */
    private static List<Object> pieces(Command command) {
        List<Object> pieces = new ArrayList<>();
        for (String word : command.words()) {
            if (!pieces.isEmpty()) {
                pieces.add(" ");
            }
            pieces.add(Map.of("w", HostileText.flat(word, HostileText.MESSAGE)));
        }
        return pieces;
    }

    /** A time in one of the forms age, left and clock. */
    static String words(String form, Instant at, Instant now) {
        return switch (form) {
            case "age" -> Moments.age(at, now);
            case "left" -> Moments.left(at, now);
            case "clock" -> Moments.clock(at, now);
            default -> throw new IllegalArgumentException("no form of a time named " + form);
        };
    }
}

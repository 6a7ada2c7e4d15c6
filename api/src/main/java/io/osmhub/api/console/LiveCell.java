package io.osmhub.api.console;

import io.osmhub.core.status.Chain.LinkState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A live part of a page. The page is rendered with it; afterwards only differences are sent, and the script updates text, a class,
 * a shape or a time, never markup.
 */
sealed interface LiveCell {
    /** A text or number. */
    record LabelCell(String text) implements LiveCell {}

    /** A shape with its label. */
    record StateCell(StateBadge look) implements LiveCell {}

    /** A command to paste; empty if there is none. */
    record CommandCell(String text) implements LiveCell {
        /** Its words, separated by single spaces. */
        List<String> words() {
            return text.isEmpty() ? List.of() : List.of(text.split(" +", -1));
        }
    }

    /** Elapsed or remaining time. */
    record TimeCell(String form, Instant at) implements LiveCell {}

    /** Class of a page section, for example of a chain link. Constants of this package only. */
    record ClassCell(String classes) implements LiveCell {}

    /** A drawing: SVG attributes by name. Constants and numbers only. */
    record ShapeCell(Map<String, String> attributes) implements LiveCell {
        public ShapeCell {
            attributes = Map.copyOf(attributes);
        }
    }

    /** The one-line chain. */
    record ChainCell(List<LinkState> links) implements LiveCell {
        public ChainCell {
            links = List.copyOf(links);
        }
    }

    /** The form that the script reads. {@code now} is the time of the page. */
    default Map<String, Object> toJson(Instant now) {
        Map<String, Object> sent = new LinkedHashMap<>();
        switch (this) {
            case LabelCell(String text) -> sent.put("t", shown(text));
            case StateCell(StateBadge look) -> {
                sent.put("t", shown(look.word()));
                sent.put("c", "st " + look.tone());
                sent.put("u", "#" + look.symbol());
            }
            case CommandCell command -> sent.put("t", pieces(command));
            case TimeCell(String form, Instant at) -> {
                sent.put("t", LiveCell.words(form, at, now));
                sent.put("d", at.toString());
                sent.put("f", form);
            }
            case ClassCell(String classes) -> sent.put("c", classes);
            case ShapeCell(Map<String, String> attributes) -> sent.put("a", attributes);
            case ChainCell(List<LinkState> links) -> {
                sent.put("l", links.stream().map(DrawingHelpers::symbol).toList());
                sent.put("r", DrawingHelpers.describeChain(links));
            }
        }
        return sent;
    }

    /** Plain text, or pieces if characters are marked or lines break; the script builds the same elements from them. */
    private static Object shown(String text) {
        List<TextSanitizer.Piece> pieces = new ArrayList<>();
        TextSanitizer.pieces(text, TextSanitizer.MESSAGE, pieces);
        if (pieces.stream().noneMatch(piece -> piece.marked() || piece == TextSanitizer.Piece.LINE_BREAK)) {
            return text;
        }
        return pieces.stream()
                .map(piece -> piece.marked() ? Map.of("m", piece.text()) : piece.text())
                .toList();
    }

    /** Each word in a separate piece, because it wraps as a whole. */
    private static List<Object> pieces(CommandCell command) {
        List<Object> pieces = new ArrayList<>();
        for (String word : command.words()) {
            if (!pieces.isEmpty()) {
                pieces.add(" ");
            }
            pieces.add(Map.of("w", TextSanitizer.flat(word, TextSanitizer.MESSAGE)));
        }
        return pieces;
    }

    /** A time in one of the forms age, left, noAnswer, lasting and clock. */
    static String words(String form, Instant at, Instant now) {
        return switch (form) {
            case "age" -> TimeFormats.age(at, now);
            case "left" -> TimeFormats.left(at, now);
            case "noAnswer" -> TimeFormats.noAnswer(at, now);
            case "lasting" -> TimeFormats.lasting(at, now);
            case "clock" -> TimeFormats.clock(at, now);
            default -> throw new IllegalArgumentException("unknown time format " + form);
        };
    }
}

package io.osmhub.core.template.handlebars;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the tags of a template's text with their positions, for errors that the library reports late or without a position: unknown
 * helpers, invalid sections, missing partials. The library decides what is a tag.
 */
final class HandlebarsTagScanner {
    /**
     * One tag.
     *
     * @param sign its leading signs, of {@code #}, {@code ^}, {@code >}, {@code &}, {@code *}; empty for a plain one
     * @param name the first word
     * @param call whether more words follow
     * @param named whether the next word is the name of a named argument
     * @param line of the name, from 1
     * @param column of the name, from 1
     */
    record Tag(String sign, String name, boolean call, boolean named, int line, int column) {}

    private final String text;
    private final List<Tag> tags = new ArrayList<>();
    private int line = 1;
    private int lineStart;
    private int counted;

    private HandlebarsTagScanner(String text) {
        this.text = text;
    }

    static List<Tag> scan(String text) {
        HandlebarsTagScanner scan = new HandlebarsTagScanner(text);
        scan.run();
        return scan.tags;
    }

    private void run() {
        int at = 0;
        for (int open = text.indexOf("{{", at); open >= 0; open = text.indexOf("{{", at)) {
            int inside = open + 2;
            if (open > 0 && text.charAt(open - 1) == '\\') {
                at = inside;
                continue;
            }
            if (text.startsWith("!", inside) || text.startsWith("~!", inside)) {
                boolean dashes = text.startsWith("!--", inside) || text.startsWith("~!--", inside);
                int end = text.indexOf(dashes ? "--" : "}}", inside + (dashes ? 3 : 1));
                at = end < 0 ? text.length() : end + 2;
                continue;
            }
            at = tag(inside);
        }
    }

    /** Parses the tag whose content begins at {@code from}; returns the position after it. */
    private int tag(int from) {
        int at = from;
        StringBuilder sign = new StringBuilder();
        while (at < text.length() && " \t\r\n~{&#^>*".indexOf(text.charAt(at)) >= 0) {
            if ("&#^>*".indexOf(text.charAt(at)) >= 0) {
                sign.append(text.charAt(at));
            }
            at++;
        }
        int start = at;
        at = endOfWord(start);
        String name = text.substring(start, at);
        int next = at;
        while (next < text.length() && " \t\r\n".indexOf(text.charAt(next)) >= 0) {
            next++;
        }
        boolean call = next > at && next < text.length() && "}~|".indexOf(text.charAt(next)) < 0;
        if (!name.isEmpty()) {
            place(start);
            int end = endOfWord(next);
            boolean named = call && end < text.length() && text.charAt(end) == '=';
            tags.add(new Tag(sign.toString(), name, call, named, line, start - lineStart + 1));
        }
        return Math.max(at, from);
    }

    private int endOfWord(int start) {
        int end = start;
        while (end < text.length() && " \t\r\n~}()=\"'|".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private void place(int position) {
        for (; counted < position; counted++) {
            if (text.charAt(counted) == '\n') {
                line++;
                lineStart = counted + 1;
            }
        }
    }
}

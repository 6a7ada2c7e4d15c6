package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.yaml.YamlNode.Style;
import io.osmhub.core.emit.yaml.YamlNode.YamlMark;
import io.osmhub.core.emit.yaml.YamlScanner.YamlToken;
import io.osmhub.core.emit.yaml.YamlScanner.YamlToken.Kind;
import io.osmhub.core.golang.GoCallException;

/** Reads anchors, aliases, tags and directives. */
final class YamlTagScanner {
    private static final int LONGEST_VERSION_NUMBER = 2;
    /** In addition to letters and digits. Brackets and commas too, even within a flow collection. */
    private static final String URI_CHARACTERS = ";/?:@&=+$.%!~*'(),[]";

    private final YamlCharacterReader source;

    YamlTagScanner(YamlCharacterReader source) {
        this.source = source;
    }

    private static boolean isWordCharacter(char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
    }

    private GoCallException error(YamlMark start, String text) {
        return YamlMark.scannerError(start, source.mark(), text);
    }

    private void word(StringBuilder out) throws GoCallException {
        source.check(1);
        while (isWordCharacter(source.peek())) {
            source.read(out);
            source.check(1);
        }
    }

    YamlToken scanAnchor(Kind kind) throws GoCallException {
        YamlMark start = source.mark();
        source.skip();
        StringBuilder name = new StringBuilder();
        word(name);
        boolean ends = source.atBlankOrEnd(0) || "?:,]}%@`".indexOf(source.peek()) >= 0;
        if (name.isEmpty() || !ends) {
            throw error(start, "did not find expected alphabetic or numeric character");
        }
        return YamlToken.named(kind, start, source.mark(), name.toString());
    }

    YamlToken scanTag() throws GoCallException {
        YamlMark start = source.mark();
        String handle;
        String suffix;
        source.check(2);
        if (source.peek(1) == '<') {
            handle = "";
            source.skip(2);
            suffix = uri(start, "", false);
            if (source.peek() != '>') {
                throw error(start, "did not find the expected '>'");
            }
            source.skip();
        } else {
            String head = handle(start, false);
            if (head.length() > 1 && head.endsWith("!")) {
                handle = head;
                suffix = uri(start, "", false);
            } else {
                suffix = uri(start, head.substring(1), head.length() <= 1);
                handle = "!";
                if (suffix.isEmpty()) {
                    handle = "";
                    suffix = "!";
                }
            }
        }
        source.check(1);
        if (!source.atBlankOrEnd(0)) {
            throw error(start, "did not find expected whitespace or line break");
        }
        return new YamlToken(Kind.TAG, start, source.mark(), suffix, handle, Style.PLAIN);
    }

    private String handle(YamlMark start, boolean directive) throws GoCallException {
        if (source.peek() != '!') {
            throw error(start, "did not find expected '!'");
        }
        StringBuilder handle = new StringBuilder();
        source.read(handle);
        word(handle);
        if (source.peek() == '!') {
            source.read(handle);
        } else if (directive && !handle.toString().equals("!")) {
            throw error(start, "did not find expected '!'");
        }
        return handle.toString();
    }

    private String uri(YamlMark start, String head, boolean mayBeEmpty) throws GoCallException {
        StringBuilder text = new StringBuilder(head);
        source.check(1);
        while (isWordCharacter(source.peek()) || (!source.atEnd() && URI_CHARACTERS.indexOf(source.peek()) >= 0)) {
            if (source.peek() == '%') {
                escapes(start, text);
            } else {
                source.read(text);
            }
            source.check(1);
        }
        if (text.isEmpty() && !mayBeEmpty) {
            throw error(start, "did not find expected tag URI");
        }
        return text.toString();
    }

    /** One character, each of its bytes as a percent sign and two digits. */
    private void escapes(YamlMark start, StringBuilder text) throws GoCallException {
        int width = 1;
        for (int i = 0; i < width; i++) {
            source.check(3);
            int high = Character.digit(source.peek(1), 16);
            int low = Character.digit(source.peek(2), 16);
            if (source.peek() != '%' || high < 0 || low < 0) {
                throw error(start, "did not find URI escaped octet");
            }
            char octet = (char) (high << 4 | low);
            if (i == 0) {
                if ((octet >= 0x80 && octet < 0xC0) || octet >= 0xF8) {
                    throw error(start, "found an incorrect leading UTF-8 octet");
                }
                width = YamlCharacters.width(octet);
            } else if ((octet & 0xC0) != 0x80) {
                throw error(start, "found an incorrect trailing UTF-8 octet");
            }
            text.append(octet);
            source.skip(3);
        }
    }

    YamlToken scanDirective() throws GoCallException {
        YamlMark start = source.mark();
        source.skip();
        StringBuilder name = new StringBuilder();
        word(name);
        if (name.isEmpty()) {
            throw error(start, "could not find expected directive name");
        }
        if (!source.atBlankOrEnd(0)) {
            throw error(start, "found unexpected non-alphabetical character");
        }
        YamlToken token =
                switch (name.toString()) {
                    case "YAML" -> version(start);
                    case "TAG" -> tagDirective(start);
                    default -> throw error(start, "found unknown directive name");
                };
        blanks();
        if (source.peek() == '#') {
            while (!source.atBreakOrEnd()) {
                source.skip();
                source.check(1);
            }
        }
        if (!source.atBreakOrEnd()) {
            throw error(start, "did not find expected comment or line break");
        }
        if (source.atBreak()) {
            source.skipLine();
        }
        return token;
    }

    private void blanks() throws GoCallException {
        source.check(1);
        while (source.atBlank()) {
            source.skip();
            source.check(1);
        }
    }

    private YamlToken version(YamlMark start) throws GoCallException {
        blanks();
        StringBuilder version = new StringBuilder();
        versionNumber(start, version);
        if (source.peek() != '.') {
            throw error(start, "did not find expected digit or '.' character");
        }
        source.read(version);
        versionNumber(start, version);
        return YamlToken.named(Kind.VERSION_DIRECTIVE, start, source.mark(), version.toString());
    }

    private void versionNumber(YamlMark start, StringBuilder out) throws GoCallException {
        int length = 0;
        source.check(1);
        while (source.peek() >= '0' && source.peek() <= '9') {
            if (++length > LONGEST_VERSION_NUMBER) {
                throw error(start, "found extremely long version number");
            }
            source.read(out);
            source.check(1);
        }
        if (length == 0) {
            throw error(start, "did not find expected version number");
        }
    }

    private YamlToken tagDirective(YamlMark start) throws GoCallException {
        blanks();
        String handle = handle(start, true);
        source.check(1);
        if (!source.atBlank()) {
            throw error(start, "did not find expected whitespace");
        }
        blanks();
        String prefix = uri(start, "", false);
        source.check(1);
        if (!source.atBlankOrEnd(0)) {
            throw error(start, "did not find expected whitespace or line break");
        }
        return new YamlToken(Kind.TAG_DIRECTIVE, start, source.mark(), prefix, handle, Style.PLAIN);
    }
}

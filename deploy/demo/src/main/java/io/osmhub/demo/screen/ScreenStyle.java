package io.osmhub.demo.screen;

/** The colour of a cell; it repeats what the text states. */
public enum ScreenStyle {
    PLAIN(""),
    FAINT("2"),
    GOOD("32"),
    WAITING("33"),
    BAD("31;1");

    private final String code;

    ScreenStyle(String code) {
        this.code = code;
    }

    String colorize(String text) {
        return code.isEmpty() || text.isBlank() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}

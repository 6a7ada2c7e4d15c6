package io.osmhub.demo.screen;

/** How a cell looks where colours are shown. The text says the same without. */
public enum Tone {
    PLAIN(""),
    FAINT("2"),
    GOOD("32"),
    WAITING("33"),
    BAD("31;1");

    private final String code;

    Tone(String code) {
        this.code = code;
    }

    String on(String text) {
        return code.isEmpty() || text.isBlank() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}

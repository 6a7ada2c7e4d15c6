package io.osmhub.deploy.fleet;

/** How a cell feels; printed as a colour where there are colours. */
public enum Tone {
    PLAIN(""),
    GOOD("32"),
    WARNING("33"),
    BAD("31"),
    FAINT("2");

    private final String code;

    Tone(String code) {
        this.code = code;
    }

    /** The text in its colour. */
    public String paint(String text) {
        return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}

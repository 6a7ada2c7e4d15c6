package io.osmhub.deploy.fleet;

/** The style of a cell; printed as a colour if colours are enabled. */
public enum CellStyle {
    PLAIN(""),
    GOOD("32"),
    WARNING("33"),
    BAD("31"),
    FAINT("2");

    private final String code;

    CellStyle(String code) {
        this.code = code;
    }

    /** Adds the colour's escape codes. */
    public String colorize(String text) {
        return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}

package io.osmhub.core.resource;

/**
 * A column of {@code kubectl get}.
 *
 * @param type {@code string}, {@code integer}, {@code boolean} or {@code date}
 * @param description empty if the name implies it
 * @param wide whether it is shown only with {@code -o wide}
 */
public record PrinterColumn(String name, String type, String jsonPath, String description, boolean wide) {
    public static PrinterColumn text(String name, String jsonPath, String description) {
        return new PrinterColumn(name, "string", jsonPath, description, false);
    }

    public static PrinterColumn count(String name, String jsonPath, String description) {
        return new PrinterColumn(name, "integer", jsonPath, description, false);
    }

    public static PrinterColumn age() {
        return new PrinterColumn("Age", "date", ".metadata.creationTimestamp", "", false);
    }

    public PrinterColumn onlyWide() {
        return new PrinterColumn(name, type, jsonPath, description, true);
    }
}

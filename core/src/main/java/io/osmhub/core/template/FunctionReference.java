package io.osmhub.core.template;

/**
 * Reference of a template function, for {@code hub explain function} and the documentation.
 *
 * @param family its topic, for example {@code Texts}
 * @param signature for example {@code indent N TEXT}
 * @param description one sentence
 * @param example a template that calls it
 * @param result what the example prints
 * @param deterministic false if two runs may differ, so that a profile using it would be published again and again
 * @param closed whether it is restricted, because templates can access neither host nor network
 */
public record FunctionReference(
        String name,
        Language language,
        Origin origin,
        String family,
        String signature,
        String description,
        String example,
        String result,
        boolean deterministic,
        boolean closed) {
    public enum Language {
        GO("Go template"),
        HANDLEBARS("Handlebars");

        private final String title;

        Language(String title) {
            this.title = title;
        }

        /** For display. */
        public String title() {
            return title;
        }
    }

    /** Where a function's behaviour is defined. */
    public enum Origin {
        GO("Go text/template"),
        SPRIG("sprig 3.3"),
        OSM("operating-system-manager"),
        HANDLEBARS("Handlebars"),
        HUB("OSM Hub");

        private final String title;

        Origin(String title) {
            this.title = title;
        }

        /** For display. */
        public String title() {
            return title;
        }
    }
}

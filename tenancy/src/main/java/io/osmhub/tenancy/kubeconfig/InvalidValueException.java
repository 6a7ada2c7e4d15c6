package io.osmhub.tenancy.kubeconfig;

/** The value of a field cannot be used. Quotes nothing of it. */
final class InvalidValueException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String cure;

    /** @param what a clause that follows the field's name */
    InvalidValueException(String what, String cure) {
        super(what, null, false, false);
        this.cure = cure;
    }

    String what() {
        return String.valueOf(getMessage());
    }

    String cure() {
        return cure;
    }
}

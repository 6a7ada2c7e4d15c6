package io.osmhub.deploy.profiles.matrix;

/**
 * Something that no shipped profile may render to.
 *
 * @param where the combination and the document
 * @param file path on the machine; empty for the document itself
 * @param line from 1; 0 when it is about no line
 * @param check who found it
 */
record MatrixFinding(String where, String file, int line, String check, String message) {
    @Override
    public String toString() {
        return where + ": " + file + (line > 0 ? ":" + line : "") + (file.isEmpty() ? "" : ": ") + check + ": "
                + message;
    }
}

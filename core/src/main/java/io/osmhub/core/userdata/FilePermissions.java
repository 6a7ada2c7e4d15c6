package io.osmhub.core.userdata;

/** A file's permissions: a decimal number whose digits are meant as the octal mode. */
final class FilePermissions {
    private static final int HIGHEST_MODE = 07777;

    private FilePermissions() {}

    /** The text in both documents. As in OSM, a zero precedes exactly three characters, even if they are not digits. */
    static String text(int permissions) {
        String text = Integer.toString(permissions);
        return text.length() == 3 ? "0" + text : text;
    }

    /** Whether the Ignition conversion parses the text as a number; not {@code 0-44}. */
    static boolean isNumber(int permissions) {
        return permissions >= 0 || permissions > -10 || permissions < -99;
    }

    /** The mode in an Ignition document, which reads a number as octal only with a leading zero and only octal digits. */
    static int ignitionMode(int permissions) {
        boolean octal = permissions >= 100 && permissions <= 777 && permissions / 10 % 10 <= 7 && permissions % 10 <= 7;
        return octal ? permissions / 100 * 64 + permissions / 10 % 10 * 8 + permissions % 10 : permissions;
    }

    static boolean isValid(int mode) {
        return mode >= 0 && mode <= HIGHEST_MODE;
    }
}

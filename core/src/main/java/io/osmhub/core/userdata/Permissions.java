package io.osmhub.core.userdata;

/** A file's permissions: a decimal number whose digits are meant as the octal mode. */
final class Permissions {
    private static final int HIGHEST_MODE = 07777;

    private Permissions() {}

    /** The text in both documents. The peer puts a zero before three characters only, be they digits or not. */
    static String text(int permissions) {
        String text = Integer.toString(permissions);
        return text.length() == 3 ? "0" + text : text;
    }

    /** Whether the text is a number to the Ignition conversion; {@code 0-44} is none. */
    static boolean isNumber(int permissions) {
        return permissions >= 0 || permissions > -10 || permissions < -99;
    }

    /** The mode in an Ignition document, which reads a number as octal only behind a zero and if all its digits are octal. */
    static int ignitionMode(int permissions) {
        boolean octal = permissions >= 100 && permissions <= 777 && permissions / 10 % 10 <= 7 && permissions % 10 <= 7;
        return octal ? permissions / 100 * 64 + permissions / 10 % 10 * 8 + permissions % 10 : permissions;
    }

    static boolean isLegal(int mode) {
        return mode >= 0 && mode <= HIGHEST_MODE;
    }
}

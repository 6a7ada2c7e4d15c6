package io.osmhub.core.userdata;

/**
 * A bootstrap document as machine-controller hands it to the machine: with the machine's name for the placeholder, and lines of
 * blanks emptied. The provisioning document reaches the node as it is.
 */
public final class MachineView {
    private static final String ENCODED_MACHINE_NAME = "%3CMACHINE_NAME%3E";

    private MachineView() {}

    public static String of(String document, String machineName) {
        StringBuilder encodedName = new StringBuilder();
        PercentEncoding.QUERY.append(encodedName, machineName);
        return emptyBlankLines(document.replace(UserData.MACHINE_NAME, machineName)
                .replace(ENCODED_MACHINE_NAME, encodedName.toString().replace("%20", "+")));
    }

    private static String emptyBlankLines(String document) {
        StringBuilder out = new StringBuilder(document.length());
        for (int start = 0; start < document.length(); ) {
            int end = document.indexOf('\n', start);
            end = end < 0 ? document.length() : end;
            int first = start;
            while (first < end && (document.charAt(first) == ' ' || document.charAt(first) == '\t')) {
                first++;
            }
            out.append(document, first == end ? end : start, Math.min(end + 1, document.length()));
            start = end + 1;
        }
        return out.toString();
    }
}

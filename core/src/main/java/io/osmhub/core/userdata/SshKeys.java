package io.osmhub.core.userdata;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The SSH keys as both documents carry them: trimmed, none empty, none twice, in the given order. */
final class SshKeys {
    private SshKeys() {}

    static List<String> cleaned(List<String> keys) {
        Set<String> cleaned = new LinkedHashSet<>();
        for (String key : keys) {
            String trimmed = WhiteSpace.trim(key);
            if (!trimmed.isEmpty()) {
                cleaned.add(trimmed);
            }
        }
        return new ArrayList<>(cleaned);
    }
}

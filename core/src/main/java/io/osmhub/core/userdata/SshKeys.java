package io.osmhub.core.userdata;

import io.osmhub.core.userdata.SystemdUnitParser.UnicodeWhitespace;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The SSH keys for both documents: trimmed, without empty ones and duplicates, in the given order. */
final class SshKeys {
    private SshKeys() {}

    static List<String> normalizeKeys(List<String> keys) {
        Set<String> cleaned = new LinkedHashSet<>();
        for (String key : keys) {
            String trimmed = UnicodeWhitespace.trim(key);
            if (!trimmed.isEmpty()) {
                cleaned.add(trimmed);
            }
        }
        return new ArrayList<>(cleaned);
    }
}

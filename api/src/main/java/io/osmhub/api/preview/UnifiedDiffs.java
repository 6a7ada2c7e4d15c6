package io.osmhub.api.preview;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Unified diffs of redacted texts. */
final class UnifiedDiffs {
    private static final int LONGEST = 262_144;
    private static final int CONTEXT = 3;
    /** Longer texts take too long to compare. */
    private static final int MOST_LINES = 20_000;

    private UnifiedDiffs() {}

    /** Null if they are too long to compare. */
    static @Nullable String of(String name, String before, String after) {
        List<String> old = before.lines().toList();
        List<String> now = after.lines().toList();
        if (old.size() + now.size() > MOST_LINES) {
            return null;
        }
        List<String> lines =
                UnifiedDiffUtils.generateUnifiedDiff("a/" + name, "b/" + name, old, DiffUtils.diff(old, now), CONTEXT);
        String patch = String.join("\n", lines) + "\n";
        return patch.length() <= LONGEST ? patch : cut(patch);
    }

    private static String cut(String patch) {
        String said = "\n... truncated\n";
        return patch.substring(0, patch.lastIndexOf('\n', LONGEST - said.length())) + said;
    }
}

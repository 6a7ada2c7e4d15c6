package io.osmhub.core.lint;

import java.nio.file.*;

public class DevMain {
    public static void main(String[] a) throws Exception {
        Linter l = new Linter(Bash.orSkip(), System::nanoTime);
        for (String f : a) {
            long t = System.nanoTime();
            for (LintReport r : l.lint(f, Files.readString(Path.of(f)))) {
                System.out.println("== " + f + " " + r.matrix() + " " + (System.nanoTime() - t) / 1000000 + " ms");
                for (LintFinding x : r.findings())
                    System.out.println(
                            "  " + x.position().line() + ":" + x.position().column() + ": "
                                    + x.severity().word() + ": " + x.message() + " (" + x.rule() + ")"
                                    + (x.evidence() == null
                                            ? ""
                                            : " [" + x.evidence().example() + " +"
                                                    + x.evidence().combinations() + "]"));
            }
        }
    }
}

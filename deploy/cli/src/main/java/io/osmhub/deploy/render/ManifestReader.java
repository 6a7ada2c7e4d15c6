package io.osmhub.deploy.render;

import io.osmhub.core.document.SourceText;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.deploy.config.InputError;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads files with Kubernetes objects and selects those of one kind. */
final class ManifestReader {
    private final InputFiles files;
    private final InputErrors mistakes;

    ManifestReader(InputFiles files, InputErrors mistakes) {
        this.files = files;
        this.mistakes = mistakes;
    }

    /** The text of a file, null after an error. */
    @Nullable String text(String file) {
        try {
            return files.read(file);
        } catch (InputFiles.UnreadableInputException e) {
            mistakes.add(new InputError(InputFiles.nameOf(file), "", e.what(), e.cure()));
            return null;
        }
    }

    /** All objects of a file, null after an error. */
    @Nullable List<SourceText> all(String file) {
        String text = text(file);
        if (text == null) {
            return null;
        }
        String name = InputFiles.nameOf(file);
        try {
            return SourceText.read(name, text, "InputInvalid");
        } catch (TenantMistake e) {
            e.findings().forEach(finding -> mistakes.add(InputError.of(name, finding)));
            return null;
        }
    }

    /** The objects of one kind; none is an error. */
    List<SourceText> readKind(String file, String kind) {
        List<SourceText> all = all(file);
        if (all == null) {
            return List.of();
        }
        List<SourceText> wanted =
                all.stream().filter(source -> kind(source).equals(kind)).toList();
        if (wanted.isEmpty()) {
            String found = all.stream()
                    .map(source -> kind(source).isEmpty() ? "an object without a kind" : kind(source))
                    .collect(Collectors.toCollection(TreeSet::new))
                    .stream()
                    .collect(Collectors.joining(", "));
            mistakes.add(new InputError(
                    InputFiles.nameOf(file),
                    "",
                    "contains no " + kind + (found.isEmpty() ? ", it is empty" : ", but " + found),
                    "use a file that contains one"));
        }
        return wanted;
    }

    static String kind(SourceText source) {
        return source.text("kind");
    }
}

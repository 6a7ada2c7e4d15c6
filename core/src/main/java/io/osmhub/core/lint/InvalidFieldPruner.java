package io.osmhub.core.lint;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a profile without its invalid fields, so that they do not keep the rest from being checked. */
final class InvalidFieldPruner {
    /** With more mistakes, checking the rest is of little use. */
    private static final int MOST = 20;

    private InvalidFieldPruner() {}

    /** The profile; null if the remaining fields are not a valid profile. */
    static @Nullable OperatingSystemProfile readValidFields(SourceDocument document) {
        DocumentNode root = document.root();
        for (int i = 0; i < MOST; i++) {
            try {
                return ProfileReader.stored().read(new SourceDocument(document.source(), root));
            } catch (TenantMistake e) {
                DocumentNode pruned = root;
                for (ProblemFinding mistake : e.findings()) {
                    pruned = without(pruned, mistake.field(), "");
                }
                if (pruned.equals(root)) {
                    return null;
                }
                root = pruned;
            }
        }
        return null;
    }

    /** The node without the field at a path; unchanged if it has no such field. Items stay, because paths count them. */
    private static DocumentNode without(DocumentNode node, String field, String path) {
        return switch (node) {
            case DocumentNode.Fields fields -> {
                List<DocumentNode.Field> kept = new ArrayList<>();
                for (DocumentNode.Field child : fields.fields()) {
                    String below = below(path, child.name());
                    if (!below.equals(field)) {
                        DocumentNode value =
                                field.startsWith(below) ? without(child.value(), field, below) : child.value();
                        kept.add(new DocumentNode.Field(child.name(), value, child.position()));
                    }
                }
                yield new DocumentNode.Fields(kept, fields.position());
            }
            case DocumentNode.Items items -> {
                List<DocumentNode> kept = new ArrayList<>();
                for (int i = 0; i < items.nodes().size(); i++) {
                    kept.add(without(items.nodes().get(i), field, path + "[" + i + "]"));
                }
                yield new DocumentNode.Items(kept, items.position());
            }
            case DocumentNode.Scalar scalar -> scalar;
        };
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}

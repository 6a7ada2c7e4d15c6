package io.osmhub.core.lint;

import io.osmhub.core.document.Document;
import io.osmhub.core.document.Node;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a profile without the fields of which nothing can be made, so that one of them does not keep the rest from being checked. */
final class Pruning {
    /** More mistakes than this, and the rest says little. */
    private static final int MOST = 20;

    private Pruning() {}

    /** The profile; null when what is left is none. */
    static @Nullable OperatingSystemProfile read(Document document) {
        Node root = document.root();
        for (int i = 0; i < MOST; i++) {
            try {
                return ProfileReader.stored().read(new Document(document.source(), root));
            } catch (TenantMistake e) {
                Node pruned = root;
                for (Finding mistake : e.findings()) {
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

    /** The node without the field at a path; the same when it has none there. Items stay, as others are counted by them. */
    private static Node without(Node node, String field, String path) {
        return switch (node) {
            case Node.Fields fields -> {
                List<Node.Field> kept = new ArrayList<>();
                for (Node.Field child : fields.fields()) {
                    String below = below(path, child.name());
                    if (!below.equals(field)) {
                        Node value = field.startsWith(below) ? without(child.value(), field, below) : child.value();
                        kept.add(new Node.Field(child.name(), value, child.position()));
                    }
                }
                yield new Node.Fields(kept, fields.position());
            }
            case Node.Items items -> {
                List<Node> kept = new ArrayList<>();
                for (int i = 0; i < items.nodes().size(); i++) {
                    kept.add(without(items.nodes().get(i), field, path + "[" + i + "]"));
                }
                yield new Node.Items(kept, items.position());
            }
            case Node.Scalar scalar -> scalar;
        };
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}

package io.osmhub.core.template.go;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.template.FunctionUse;
import io.osmhub.core.template.TemplateFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A parsed template with those that were defined in it. Immutable; safe for use by many threads. Its text and its output are
 * byte strings.
 */
public final class GoTemplate {
    private final String name;
    private final Map<String, Tree> trees;
    private final Map<String, Tree> added;

    private GoTemplate(String name, Map<String, Tree> trees, Map<String, Tree> added) {
        this.name = name;
        this.trees = trees;
        this.added = added;
    }

    /** Parses a source; {@code name}, a byte string too, stands in messages and can be called like a defined template. */
    public static GoTemplate parse(String name, String source, FunctionTable functions) throws TemplateFailure {
        return new GoTemplate(name, Parser.parse(name, source, functions), Map.of());
    }

    public String name() {
        return name;
    }

    /** Runs the template. {@link io.osmhub.core.golang.Nil} as data is Go's nil: dot has no value then. */
    public String execute(Value data, Environment environment) throws TemplateFailure {
        StringBuilder output = new StringBuilder();
        execute(data, environment, output, false);
        return output.toString();
    }

    /** @param marksBraces whether the output shows which braces are data's, as {@link DataBraces} does */
    void execute(Value data, Environment environment, StringBuilder output, boolean marksBraces)
            throws TemplateFailure {
        Tree main = tree(name);
        if (main == null) {
            throw new IllegalStateException("a source has a main template: " + name);
        }
        Execution execution = new Execution(this, main, environment);
        new Executor(execution, output, marksBraces).run(main, Reflection.withoutInterface(data));
    }

    /** The output, when it is the same whatever the data is; null when it is not. */
    @Nullable String constantOutput() {
        Tree main = tree(name);
        return main != null && main.body().size() == 1 && main.body().getFirst() instanceof Node.Text text
                ? text.text()
                : null;
    }

    /** This template with definitions beside its own, which replace those of the same name unless they are blank. */
    GoTemplate with(Map<String, Tree> definitions) {
        return new GoTemplate(name, trees, definitions);
    }

    Collection<Tree> trees() {
        return trees.values();
    }

    /** Where one of these functions is named, in the order of the templates defined here. */
    List<FunctionUse> uses(Set<String> functions) {
        List<FunctionUse> uses = new ArrayList<>();
        for (Tree tree : trees.values()) {
            FunctionFinder.find(Str.text(name), tree, functions, uses);
        }
        return uses;
    }

    @Nullable Tree tree(String treeName) {
        Tree other = added.get(treeName);
        if (other != null && !other.isEmpty()) {
            return other;
        }
        return trees.getOrDefault(treeName, other);
    }
}

package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.template.FunctionUse;
import io.osmhub.core.template.TemplateException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A parsed template with those defined in it. Immutable and thread-safe. Source and output are byte strings. */
public final class GoTemplate {
    private final String name;
    private final Map<String, TemplateTree> trees;
    private final Map<String, TemplateTree> added;

    private GoTemplate(String name, Map<String, TemplateTree> trees, Map<String, TemplateTree> added) {
        this.name = name;
        this.trees = trees;
        this.added = added;
    }

    /** Parses a source; {@code name}, also a byte string, appears in messages and can be called like a defined template. */
    public static GoTemplate parse(String name, String source, FunctionTable functions) throws TemplateException {
        return new GoTemplate(name, TemplateParser.parse(name, source, functions), Map.of());
    }

    public String name() {
        return name;
    }

    /** Runs the template. With {@link io.osmhub.core.golang.GoNil} as data, Go's nil, dot has no value. */
    public String execute(GoValue data, ExecutionEnvironment environment) throws TemplateException {
        StringBuilder output = new StringBuilder();
        execute(data, environment, output, false);
        return output.toString();
    }

    /** @param marksBraces whether the output marks braces of data, see {@link LiteralBraceMarker} */
    void execute(GoValue data, ExecutionEnvironment environment, StringBuilder output, boolean marksBraces)
            throws TemplateException {
        TemplateTree main = tree(name);
        if (main == null) {
            throw new IllegalStateException("a source has a main template: " + name);
        }
        ExecutionState execution = new ExecutionState(this, main, environment);
        new TemplateExecutor(execution, output, marksBraces).run(main, GoReflection.unwrapInterface(data));
    }

    /** The output if it does not depend on the data, else null. */
    @Nullable String constantOutput() {
        TemplateTree main = tree(name);
        return main != null && main.body().size() == 1 && main.body().getFirst() instanceof TemplateNode.Text text
                ? text.text()
                : null;
    }

    /** This template with additional definitions, which replace those of the same name unless they are blank. */
    GoTemplate withDefinitions(Map<String, TemplateTree> definitions) {
        return new GoTemplate(name, trees, definitions);
    }

    Collection<TemplateTree> trees() {
        return trees.values();
    }

    /** Uses of these functions, in the order of the templates defined here. */
    List<FunctionUse> findFunctionUses(Set<String> functions) {
        List<FunctionUse> uses = new ArrayList<>();
        for (TemplateTree tree : trees.values()) {
            FunctionFinder.find(GoString.text(name), tree, functions, uses);
        }
        return uses;
    }

    @Nullable TemplateTree tree(String treeName) {
        TemplateTree other = added.get(treeName);
        if (other != null && !other.isEmpty()) {
            return other;
        }
        return trees.getOrDefault(treeName, other);
    }
}

package io.osmhub.core.render;

import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.go.FunctionTable;
import io.osmhub.core.template.go.GoTemplateEngine;
import io.osmhub.core.template.handlebars.HandlebarsEngine;
import io.osmhub.core.template.sprig.OsmFunctions;
import io.osmhub.core.template.sprig.Sprig;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The engines of the template languages, each with all the functions that profiles may call. */
public final class TemplateLanguages implements Function<TemplateLanguage, TemplateEngine> {
    private final TemplateEngine go;
    private final TemplateEngine handlebars = new HandlebarsEngine();

    /** The engines as tenants get them: templates see nothing of the process. */
    public TemplateLanguages() {
        this(goFunctions());
    }

    /** The engines with other functions for Go templates. */
    public TemplateLanguages(FunctionTable functions) {
        this.go = new GoTemplateEngine(functions);
    }

    @Override
    public TemplateEngine apply(TemplateLanguage language) {
        return switch (language) {
            case GO -> go;
            case HANDLEBARS -> handlebars;
        };
    }

    /** Functions of Go templates: the language's own, sprig's over them, and the peer's over both. */
    public static FunctionTable goFunctions() {
        return goFunctions(name -> "");
    }

    /**
     * The same functions in a process that has environment variables; {@code variables} gives "" for one that is not set. Only
     * to compare with a renderer that lets templates see them.
     */
    public static FunctionTable goFunctions(UnaryOperator<String> variables) {
        FunctionTable.Builder functions = FunctionTable.withBuiltins();
        Sprig.addTo(functions::add, variables);
        OsmFunctions.addTo(functions::add);
        return functions.build();
    }
}

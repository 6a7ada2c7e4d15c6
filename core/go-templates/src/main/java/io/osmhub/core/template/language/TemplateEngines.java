package io.osmhub.core.template.language;

import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.go.FunctionTable;
import io.osmhub.core.template.go.GoTemplateEngine;
import io.osmhub.core.template.handlebars.HandlebarsEngine;
import io.osmhub.core.template.sprig.OsmFunctions;
import io.osmhub.core.template.sprig.SprigFunctions;
import java.util.function.Function;

/** The engines of the template languages, with all functions for profiles. */
public final class TemplateEngines implements Function<TemplateLanguage, TemplateEngine> {
    private final TemplateEngine go;
    private final TemplateEngine handlebars = new HandlebarsEngine();

    public TemplateEngines() {
        this(goFunctions());
    }

    /** The engines with other functions for Go templates. */
    public TemplateEngines(FunctionTable functions) {
        this.go = new GoTemplateEngine(functions);
    }

    @Override
    public TemplateEngine apply(TemplateLanguage language) {
        return switch (language) {
            case GO -> go;
            case HANDLEBARS -> handlebars;
        };
    }

    /** Functions of Go templates: the language's own, overridden by sprig's, overridden by OSM's. */
    public static FunctionTable goFunctions() {
        FunctionTable.Builder functions = FunctionTable.withBuiltins();
        SprigFunctions.addTo(functions::add);
        OsmFunctions.addTo(functions::add);
        return functions.build();
    }
}

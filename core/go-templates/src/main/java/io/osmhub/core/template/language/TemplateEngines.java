package io.osmhub.core.template.language;

import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.functions.FunctionRegistry;
import io.osmhub.core.template.go.BuiltinFunctions;
import io.osmhub.core.template.go.GoTemplateEngine;
import io.osmhub.core.template.handlebars.HandlebarsEngine;
import java.util.function.Function;

/** The engines of the template languages, with all functions for profiles. */
public final class TemplateEngines implements Function<TemplateLanguage, TemplateEngine> {
    private final TemplateEngine goEngine;
    private final TemplateEngine handlebarsEngine = new HandlebarsEngine();

    public TemplateEngines() {
        this(goFunctions());
    }

    /** The engines with other functions for Go templates. */
    public TemplateEngines(FunctionRegistry functions) {
        this.goEngine = new GoTemplateEngine(functions);
    }

    @Override
    public TemplateEngine apply(TemplateLanguage language) {
        return switch (language) {
            case GO -> goEngine;
            case HANDLEBARS -> handlebarsEngine;
        };
    }

    /** Functions of Go templates: the language's own, overridden by sprig's, overridden by OSM's. */
    public static FunctionRegistry goFunctions() {
        FunctionRegistry.Builder functions = FunctionRegistry.builder();
        BuiltinFunctions.addTo(functions);
        return functions.addAll().build();
    }
}

package io.osmhub.core.render;

import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.go.FunctionTable;
import io.osmhub.core.template.go.GoTemplateEngine;
import io.osmhub.core.template.handlebars.HandlebarsEngine;
import io.osmhub.core.template.sprig.Sprig;
import java.util.function.Function;

/** The engines of the template languages, each with all the functions that profiles may call. */
public final class TemplateLanguages implements Function<TemplateLanguage, TemplateEngine> {
    private final TemplateEngine go = new GoTemplateEngine(goFunctions());
    private final TemplateEngine handlebars = new HandlebarsEngine();

    @Override
    public TemplateEngine apply(TemplateLanguage language) {
        return switch (language) {
            case GO -> go;
            case HANDLEBARS -> handlebars;
        };
    }

    /** Functions of Go templates: the language's own, sprig's over them, and the peer's over both. */
    public static FunctionTable goFunctions() {
        FunctionTable.Builder functions = FunctionTable.withBuiltins();
        Sprig.addTo(functions::add);
        return functions.build();
    }
}

package io.osmhub.core.template.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.go.GoTemplate;
import io.osmhub.core.template.language.TemplateEngines;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RefusedFunctionTest {
    private static final FunctionRegistry FUNCTIONS = TemplateEngines.goFunctions();

    static List<RefusedFunction> all() {
        return RefusedFunction.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aTemplateThatCallsOneIsRefusedByName(RefusedFunction function) {
        assertThat(FUNCTIONS.get(function.name())).isNull();
        assertThat(FUNCTIONS.refused(function.name())).isEqualTo(function);
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() ->
                        GoTemplate.parse("t", "\n{{ if false }}{{ " + function.name() + " 1 }}{{ end }}", FUNCTIONS))
                .satisfies(failure -> {
                    assertThat(failure.stage()).isEqualTo(Stage.PARSE);
                    assertThat(failure.line()).isEqualTo(2);
                    assertThat(failure.refused()).isEqualTo(function.name());
                    assertThat(failure.suggestion()).isEqualTo(function.alternative());
                })
                .withMessage("template: t:2: function \"" + function.name() + "\" is not supported: "
                        + function.reason() + "; " + function.alternative());
    }

    @Test
    void aNameThatIsUnknownElsewhereTooIsNotRefused() {
        assertThat(FUNCTIONS.refused("nowhere")).isNull();
        assertThat(FUNCTIONS.refused("upper")).isNull();
    }
}

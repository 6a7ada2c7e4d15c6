package io.osmhub.deploy.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Accepts any value after {@code --sort}: {@code -name} means descending order and is not an option. */
final class SortOptionPreprocessor implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // required by picocli
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        if (words.isEmpty()) {
            return false;
        }
        option.setValue(words.pop());
        return true;
    }
}

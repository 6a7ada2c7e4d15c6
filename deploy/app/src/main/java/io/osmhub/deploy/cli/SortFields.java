package io.osmhub.deploy.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Takes the word after {@code --sort} as it is: {@code -name} there is a field in the other direction, and no option. */
final class SortFields implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // so picocli hands it over
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        if (words.isEmpty()) {
            return false;
        }
        option.setValue(words.pop());
        return true;
    }
}

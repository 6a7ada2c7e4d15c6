package io.osmhub.deploy.cli;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes the verbs: one that wants the terminal gets it by its constructor. */
final class Commands implements IFactory {
    private final Terminal terminal;

    Commands(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        for (var constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Terminal.class) {
                return type.cast(constructor.newInstance(terminal));
            }
        }
        return CommandLine.defaultFactory().create(type);
    }
}

package io.osmhub.deploy.cli;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Creates the commands; passes the terminal to constructors that have a parameter for it. */
final class CommandFactory implements IFactory {
    private final Terminal terminal;

    CommandFactory(Terminal terminal) {
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

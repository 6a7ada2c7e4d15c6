package io.osmhub.deploy.config;

import io.osmhub.core.document.Node;
import io.osmhub.core.document.Position;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of the command line: options that stand for a key, and {@code --set KEY=VALUE} for any. */
final class CommandLineLayer {
    static final String SET = "--set";

    private final Values values;
    private final ConfigurationMistakes mistakes;

    private CommandLineLayer(Values values, ConfigurationMistakes mistakes) {
        this.values = values;
        this.mistakes = mistakes;
    }

    static void read(List<ConfigurationSources.Option> options, Values values, ConfigurationMistakes mistakes) {
        CommandLineLayer layer = new CommandLineLayer(values, mistakes);
        options.forEach(layer::read);
    }

    private void read(ConfigurationSources.Option option) {
        if (!option.name().equals(SET)) {
            Key<?> key = Keys.ALL.stream()
                    .filter(each -> each.flag().equals(option.name()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no key has the option " + option.name()));
            take(key, option.name(), option.text());
            return;
        }
        int equals = option.text().indexOf('=');
        if (equals <= 0) {
            mistakes.add(SET, Position.NONE, option.text(), "is not KEY=VALUE", "write for example log.level=debug");
            return;
        }
        set(option.text().substring(0, equals).strip(), option.text().substring(equals + 1));
    }

    private void set(String path, String text) {
        Key<?> key = FileLayer.key(path);
        if (key != null && key.form().inText()) {
            take(key, SET, text);
        } else if (key != null) {
            setStructure(key, path, text);
        } else if (path.startsWith(Keys.DEFAULTS.path() + ".")) {
            setStructure(Keys.DEFAULTS, path, text);
        } else {
            mistakes.add(SET, Position.NONE, path, "unknown key", cure(path));
        }
    }

    private static String cure(String path) {
        List<String> known = Keys.ALL.stream().map(Key::path).toList();
        return Suggestion.closest(path, known)
                .or(() ->
                        known.stream().filter(each -> each.endsWith("." + path)).findFirst())
                .map(near -> "did you mean " + near + "?")
                .orElse("hub explain config lists all");
    }

    private <T> void take(Key<T> key, String option, String text) {
        Origin origin = new Origin.CommandLine(option, text);
        T value = key.form().read(text, key.path(), mistakes.of(origin));
        if (value != null) {
            values.set(key, value, origin);
        }
    }

    /** A key with a structure takes YAML; below {@code defaults} a single setting can be given. */
    private <T> void setStructure(Key<T> key, String path, String text) {
        Origin origin = new Origin.CommandLine(SET, text);
        Form.Reporter reporter =
                (at, field, what, cure) -> mistakes.add(origin, field.isEmpty() ? path : field, what, cure);
        Node node = ConfigurationText.read(text, reporter);
        if (node == null) {
            return;
        }
        String[] names = path.substring(key.path().length()).split("\\.");
        for (int i = names.length - 1; i > 0; i--) {
            node = new Node.Fields(List.of(new Node.Field(names[i], node, Position.NONE)), Position.NONE);
        }
        T value = key.form().read(node, key.path(), reporter);
        if (value instanceof Defaults defaults) {
            values.set(Keys.DEFAULTS, over(values.get(Keys.DEFAULTS), defaults), origin);
        } else if (value != null) {
            values.set(key, value, origin);
        }
    }

    private static Defaults over(Defaults below, Defaults above) {
        SettingsLayer.Builder layer = new SettingsLayer.Builder();
        for (Setting<?> setting : Setting.ALL) {
            copy(setting, above.layer().sets(setting) ? above.layer() : below.layer(), layer);
        }
        return new Defaults(layer.build(), merged(below.written(), above.written()));
    }

    private static <T> void copy(Setting<T> setting, SettingsLayer from, SettingsLayer.Builder to) {
        to.set(setting, from.get(setting));
    }

    private static Node merged(@Nullable Node below, Node above) {
        if (!(below instanceof Node.Fields old && above instanceof Node.Fields fresh)) {
            return above;
        }
        List<Node.Field> fields = new ArrayList<>();
        for (Node.Field field : old.fields()) {
            Node over = fresh.get(field.name());
            fields.add(
                    over == null ? field : new Node.Field(field.name(), merged(field.value(), over), field.position()));
        }
        for (Node.Field field : fresh.fields()) {
            if (old.get(field.name()) == null) {
                fields.add(field);
            }
        }
        return new Node.Fields(fields, old.position());
    }
}

package io.osmhub.deploy.explain;

import java.util.List;
import java.util.Optional;

/** A part of the reference: things with names. */
public interface Topic {
    List<Topic> ALL = List.of(new SettingsTopic(), new ConfigTopic(), new ReasonTopic(), new FunctionTopic());

    /** What people ask for, for example {@code settings}. */
    String word();

    /** What there is to read, one clause. */
    String summary();

    /** Lines with everything that has a name. */
    List<String> overview();

    /** Lines about what has this name, or a part of a name that is not mistakable; empty when nothing has. */
    List<String> explain(String name);

    /** The name that somebody probably meant by an unknown one. */
    Optional<String> suggestion(String unknown);
}

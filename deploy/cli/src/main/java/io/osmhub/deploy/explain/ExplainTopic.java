package io.osmhub.deploy.explain;

import java.util.List;
import java.util.Optional;

/** A topic of the reference. */
public interface ExplainTopic {
    List<ExplainTopic> ALL = List.of(new SettingsTopic(), new ConfigTopic(), new ReasonTopic(), new FunctionTopic());

    /** The topic's name, for example {@code settings}. */
    String name();

    /** Its content, one clause. */
    String summary();

    /** Lists all entries. */
    List<String> listEntries();

    /** Explains the entry of this name or unique part of a name; empty if there is none. */
    List<String> explain(String name);

    /** The closest name to an unknown one. */
    Optional<String> suggestion(String unknown);
}

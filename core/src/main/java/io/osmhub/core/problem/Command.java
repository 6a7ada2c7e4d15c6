package io.osmhub.core.problem;

import io.osmhub.core.problem.ProblemObject.Cluster;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A command for people to copy.
 *
 * @param cluster that it is for
 * @param text empty if there is no command
 */
public record Command(Cluster cluster, String text) {
    public static final Command NONE = new Command(Cluster.MANAGEMENT, "");

    /** Names in a command may be those that a worker cluster's API server reports: they must not act as shell code. */
    private static final Pattern SAFE_VALUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/=-]{0,317}");

    /** The forms that the hub writes; a binding to another role can only be replaced. */
    private static final Pattern STORED =
            Pattern.compile("(?:kubectl delete rolebinding [a-z0-9.-]{1,253} -n [a-z0-9.-]{1,63} && )?"
                    + "(?:hub|kubectl) [A-Za-z0-9 ._:/=@-]{1,1500}(?: \\| kubectl apply -f -)?");

    /**
     * Fills a command's text.
     *
     * @param template with variables in braces, each of which is a name
     * @return {@link #NONE} if a value is missing, cut, or not a name, because a wrong command is worse than none
     */
    static Command fill(Cluster cluster, String template, Function<String, @Nullable String> values) {
        String text = MessageFormatter.fill(template, name -> {
            String value = values.apply(name);
            boolean safe = value != null && SAFE_VALUE.matcher(value).matches() && !value.contains("..");
            return safe ? value : null;
        });
        return text == null ? NONE : new Command(cluster, text);
    }

    /** A command for the management cluster. {@code template} has {@code {}} for each name. */
    public static Command management(String template, String... names) {
        return of(Cluster.MANAGEMENT, template, names);
    }

    /** A command for the worker cluster. {@code template} has {@code {}} for each name. */
    public static Command worker(String template, String... names) {
        return of(Cluster.WORKER, template, names);
    }

    /** A command for one of the clusters. {@code template} has {@code {}} for each name. */
    public static Command of(Cluster cluster, String template, String... names) {
        Iterator<String> next = List.of(names).iterator();
        return fill(cluster, template, _ -> next.next());
    }

    /**
     * A command that was stored, or made of a text that another program reports.
     *
     * @return {@link #NONE} unless it only calls {@code hub} or {@code kubectl} with plain arguments, because people copy it
     */
    public static Command checked(Cluster cluster, String text) {
        return STORED.matcher(text).matches() ? new Command(cluster, text) : NONE;
    }

    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** For people, with the cluster that it is for unless that is the management cluster. */
    public String describe(String workerCluster) {
        return cluster == Cluster.MANAGEMENT
                ? text
                : "in " + (workerCluster.isEmpty() ? "the worker cluster: " : "worker cluster " + workerCluster + ": ")
                        + text;
    }
}

package io.osmhub.core.problem;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a message: {@code scope: Kind name, field line 12:7: cause; fix}. Conditions and Events store messages as text, so that
 * {@link MessageFormatter} keeps the two separators out of the values before them, and every replica reads back the same parts.
 *
 * @param kind of the object that is wrong; empty if the message names none
 * @param name with its namespace if it has one
 * @param field with its position; empty for the whole object
 * @param cause what is wrong, one clause without object and field
 * @param fix empty if the message has none
 */
public record ProblemMessage(String kind, String name, String field, String cause, String fix) {
    static final String FIX = "; ";
    static final String PLACE = ": ";

    /** Such objects are named with their cluster. */
    private static final String WORKER = "worker cluster, ";

    private static final Pattern PROFILE = Pattern.compile("OperatingSystemProfile \"?([a-z0-9][-a-z0-9./]*[a-z0-9])");
    /** Clauses after the cause that headlines omit. */
    private static final Pattern DETAIL = Pattern.compile(
            " since [^ ,]+$|( since [^ ,]+)?, (largest: |expected CA|written by"
                    + "|older content stays|the previous one stays|the hub (sends|retries|works)|nothing is (over)?written"
                    + "|a namespace is one tenant|this registration stays|its secrets stay|machine-controller has not|try [0-9])");

    private static final Set<Reason> TEMPLATE_ERRORS =
            Set.of(Reason.TemplateSyntaxError, Reason.TemplateExecutionFailed);
    /** Fixed in the profile that the fix names. */
    private static final Set<Reason> OF_CONTENT =
            Set.of(Reason.UserDataTooLarge, Reason.ObjectTooLarge, Reason.UserDataUnreadable, Reason.UserDataSuspect);

    private static final Set<Reason> WITH_A_NEW_KUBECONFIG = Set.of(
            Reason.KubeconfigKeyNotFound,
            Reason.KubeconfigInvalid,
            Reason.KubeconfigFieldRefused,
            Reason.TLSVerificationFailed);
    private static final Pattern BEGINS_WITH_WORD = Pattern.compile("user-data|[a-z]+(?![\\w./:-])");
    private static final Pattern COMMAND = Pattern.compile(": (?=(?:hub|kubectl) )");
    /** Names in a command may be those that a worker cluster's API server reports, invalid or cut. */
    private static final Pattern NOT_A_COMMAND = Pattern.compile("[;&`$\\n\\\\]|\\.\\.\\.|\\|(?! kubectl apply -f -$)");

    /** A binding to another role can only be replaced. */
    private static final Pattern REPLACED_BINDING =
            Pattern.compile("^kubectl delete rolebinding [a-z0-9.-]+ -n [a-z0-9.-]+ && (?=kubectl )");

    private static final String NO_COMMAND = " (no command: a name in it is too long or not valid)";

    private static final Pattern POSITION = Pattern.compile(" line ([0-9]{1,9})(?::([0-9]{1,9}))?$");

    /** A fix within a length: its command is complete, or the fix states why there is none. */
    static String withWholeCommand(String fix, int longest) {
        Matcher start = COMMAND.matcher(fix);
        if (!start.find()) {
            return MessageFormatter.cutInTheMiddle(fix, longest);
        }
        String advice = fix.substring(0, start.start());
        String command = fix.substring(start.start());
        int left = longest - command.length();
        return !isCommand(fix.substring(start.end())) || left < Math.min(advice.length(), longest / 4)
                ? MessageFormatter.cutInTheMiddle(advice, longest / 2) + NO_COMMAND
                : MessageFormatter.cutInTheMiddle(advice, left) + command;
    }

    public static ProblemMessage parse(String message) {
        int separator = message.indexOf(FIX);
        String fix = separator < 0 ? "" : message.substring(separator + FIX.length());
        String cause = separator < 0 ? message : message.substring(0, separator);
        int scope = cause.indexOf(PLACE);
        if (scope >= 0 && cause.indexOf(' ') > scope) {
            cause = cause.substring(scope + PLACE.length());
        }
        int end = cause.indexOf(PLACE);
        String place = end < 0 ? "" : cause.substring(0, end);
        cause = end < 0 ? cause : cause.substring(end + PLACE.length());
        place = place.startsWith(WORKER) ? place.substring(WORKER.length()) : place;
        int comma = place.indexOf(", ");
        String object = comma < 0 ? place : place.substring(0, comma);
        int blank = object.lastIndexOf(' ');
        // "worker cluster" is not an object, but the location of a missing one.
        boolean named = blank > 0 && Character.isUpperCase(object.charAt(0));
        return new ProblemMessage(
                named ? object.substring(0, blank) : "",
                named ? object.substring(blank + 1) : "",
                comma < 0 ? "" : place.substring(comma + 2),
                cause,
                fix);
    }

    /** The OperatingSystemProfile that a message names first, with its namespace if any mention has it; empty if none. */
    public static String profile(String message) {
        List<String> names =
                PROFILE.matcher(message).results().map(found -> found.group(1)).toList();
        return names.stream()
                .filter(name -> name.endsWith("/" + names.getFirst()))
                .findFirst()
                .orElse(names.isEmpty() ? "" : names.getFirst());
    }

    /** The cause in one short clause that is clear without the rest of the message. */
    public String headline() {
        Matcher detail = DETAIL.matcher(cause);
        String what = detail.find() ? cause.substring(0, detail.start()) : cause;
        // "not set" alone, or only a value, is unclear without its field.
        if (what.split(" ").length < 3 || what.startsWith("\"")) {
            String place = field.isEmpty() ? (kind + " " + name).strip() : path();
            what = place.isEmpty() ? what : place + ": " + what;
        }
        return BEGINS_WITH_WORD.matcher(what).lookingAt()
                ? what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1)
                : what;
    }

    /** The same with a fix that states what to change, where, and with which command. */
    public ProblemMessage withCompleteFix(Reason reason, String tenant, String workerCluster) {
        String step = fix;
        if (TEMPLATE_ERRORS.contains(reason)) {
            step = (fix.isEmpty() ? "correct " : fix + (fix.endsWith("?") ? " Correct " : "; correct ")) + path()
                    + (line() > 0 ? " in line " + line() : "") + " and raise spec.version";
        } else if (fix.isEmpty()) {
            step = switch (reason.actor()) {
                case TENANT -> "correct " + (field.isEmpty() ? "it" : path());
                case OPERATOR -> "fix the cause; the hub retries automatically";
                case HUB -> "no action is needed while the hub retries";
            };
        }
        String command = COMMAND.matcher(step).find() ? "" : edit(reason, tenant, workerCluster);
        return new ProblemMessage(
                kind,
                name,
                field,
                cause,
                withWholeCommand(command.isEmpty() ? step : step + PLACE + command, MessageFormatter.LONGEST_MESSAGE));
    }

    /** The command that opens what has to be changed; empty if the fix changes no object or another one. */
    private String edit(Reason reason, String tenant, String workerCluster) {
        if (WITH_A_NEW_KUBECONFIG.contains(reason) && !workerCluster.isEmpty()) {
            return "hub cluster rotate " + workerCluster + " -n " + tenant + " --kubeconfig FILE";
        }
        String profile = profile(fix);
        if (OF_CONTENT.contains(reason)) {
            return profile.isEmpty() ? "" : edit("operatingsystemprofile", tenant, profile);
        }
        return switch (kind) {
            case "OperatingSystemProfile" ->
                reason.category() == Category.PROFILE && reason.severity() == Severity.ERROR
                        ? edit("operatingsystemprofile", tenant, name)
                        : "";
            case "MachineDeployment" ->
                reason == Reason.NameTooLong
                        ? ""
                        : field.isEmpty() || reason.actor() != Actor.TENANT
                                ? ofWorkerCluster(tenant, workerCluster)
                                : edit("machinedeployment", tenant, name);
            case "WorkerCluster" ->
                field.startsWith("spec.") && reason.category() == Category.SETTINGS
                        ? edit("workercluster", tenant, name)
                        : ofWorkerCluster(tenant, workerCluster);
            default -> ofWorkerCluster(tenant, workerCluster);
        };
    }

    private String ofWorkerCluster(String tenant, String workerCluster) {
        return !workerCluster.isEmpty() && fix.contains("spec.") && !fix.contains("spec.version")
                ? edit("workercluster", tenant, workerCluster)
                : "";
    }

    private static String edit(String resource, String tenant, String object) {
        int slash = object.indexOf('/');
        return "kubectl -n " + (slash < 0 ? tenant : object.substring(0, slash)) + " edit " + resource + " "
                + object.substring(slash + 1);
    }

    /** The command of the fix, to be copied; empty if it has none, or a name in it is not a valid one but shell code. */
    public String command() {
        Matcher start = COMMAND.matcher(fix);
        String command = start.find() ? fix.substring(start.end()) : "";
        return isCommand(command) ? command : "";
    }

    private static boolean isCommand(String text) {
        return !NOT_A_COMMAND
                .matcher(REPLACED_BINDING.matcher(text).replaceFirst(""))
                .find();
    }

    /** The fix without its command. */
    public String advice() {
        Matcher command = COMMAND.matcher(fix);
        return command.find() ? fix.substring(0, command.start()) : fix;
    }

    /** The field without its position. */
    public String path() {
        return POSITION.matcher(field).replaceFirst("");
    }

    /** Line in the field's text, from 1; 0 without a position. */
    public int line() {
        Matcher position = POSITION.matcher(field);
        return position.find() ? Integer.parseInt(position.group(1)) : 0;
    }

    /** Column in the line, from 1; 0 if unknown. */
    public int column() {
        Matcher position = POSITION.matcher(field);
        return position.find() && position.group(2) != null ? Integer.parseInt(position.group(2)) : 0;
    }
}

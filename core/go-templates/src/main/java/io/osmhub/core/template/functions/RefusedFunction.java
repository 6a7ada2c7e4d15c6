package io.osmhub.core.template.functions;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A function of sprig that templates may not call: a template that does is refused when it is parsed.
 *
 * @param reason why, as a clause that follows "is not supported:"
 * @param alternative what to do instead, in the imperative
 */
public record RefusedFunction(String name, String reason, String alternative) {
    private static final String ROTATES =
            "its result is different in every rendering, so secrets would rotate for ever";
    private static final String CREATE_ONCE = "create the value once and put it into the profile or a secret";
    private static final String CLOCK =
            "it reads the clock or calculates with times, so machines of one MachineDeployment would differ";
    private static final String HOST = "it reads the environment or the network of the hub, which is not the tenant's";
    private static final String NO_USER = "no known profile uses it";

    private static final Map<String, RefusedFunction> ALL = new TreeMap<>();

    static {
        refuse(ROTATES, CREATE_ONCE, "randAlphaNum", "randAlpha", "randNumeric", "randAscii", "randBytes", "randInt");
        refuse(ROTATES, CREATE_ONCE, "uuidv4", "shuffle", "bcrypt", "htpasswd", "encryptAES");
        refuse(ROTATES, CREATE_ONCE, "genPrivateKey", "genCA", "genCAWithKey", "genSignedCert", "genSignedCertWithKey");
        refuse(ROTATES, CREATE_ONCE, "genSelfSignedCert", "genSelfSignedCertWithKey");
        refuse(
                "it works on a password or key, which a profile must not contain",
                CREATE_ONCE,
                "derivePassword",
                "decryptAES");
        refuse("it works on a password or key, which a profile must not contain", CREATE_ONCE, "buildCustomCert");
        String writeDate = "write the date or duration as text";
        refuse(CLOCK, writeDate, "now", "ago", "date", "dateInZone", "date_in_zone", "htmlDate", "htmlDateInZone");
        refuse(CLOCK, writeDate, "dateModify", "date_modify", "mustDateModify", "must_date_modify");
        refuse(CLOCK, writeDate, "toDate", "mustToDate", "unixEpoch", "duration", "durationRound");
        refuse(
                HOST,
                "use a setting of the tenant, or write the value into the profile",
                "env",
                "expandenv",
                "getHostByName");
        refuse(NO_USER, "use regexReplaceAll", "urlParse");
        refuse(NO_USER, "use printf", "urlJoin");
        refuse(NO_USER, "write the name as it is to be used", "camelcase", "snakecase", "kebabcase");
    }

    private static void refuse(String reason, String alternative, String... names) {
        for (String name : names) {
            ALL.put(name, new RefusedFunction(name, reason, alternative));
        }
    }

    /** All refused functions, sorted by name. */
    public static List<RefusedFunction> all() {
        return Collections.unmodifiableList(new ArrayList<>(ALL.values()));
    }

    /** The refused function of that name; null if there is none. */
    public static @Nullable RefusedFunction find(String name) {
        return ALL.get(name);
    }
}

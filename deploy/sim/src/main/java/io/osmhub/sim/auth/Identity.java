package io.osmhub.sim.auth;

import java.util.ArrayList;
import java.util.List;

/** Who is asking. */
public record Identity(String name, String uid, List<String> groups) {
    /** Nobody in particular. */
    public static final Identity ANONYMOUS = new Identity("system:anonymous", "", List.of("system:unauthenticated"));

    /** Copies the groups. */
    public Identity {
        groups = List.copyOf(groups);
    }

    /** Somebody whose credential was accepted: also a member of {@code system:authenticated}. */
    public static Identity authenticated(String name, String uid, List<String> groups) {
        List<String> all = new ArrayList<>(groups);
        if (!all.contains("system:authenticated")) {
            all.add("system:authenticated");
        }
        return new Identity(name, uid, all);
    }

    /** The identity of a service account. */
    public static Identity serviceAccount(String namespace, String name, String uid) {
        return authenticated(
                "system:serviceaccount:%s:%s".formatted(namespace, name),
                uid,
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace));
    }
}

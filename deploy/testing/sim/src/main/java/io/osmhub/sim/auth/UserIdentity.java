package io.osmhub.sim.auth;

import java.util.ArrayList;
import java.util.List;

/** The identity of a caller. */
public record UserIdentity(String name, String uid, List<String> groups) {
    public static final UserIdentity ANONYMOUS =
            new UserIdentity("system:anonymous", "", List.of("system:unauthenticated"));

    public UserIdentity {
        groups = List.copyOf(groups);
    }

    /** An authenticated user: also a member of {@code system:authenticated}. */
    public static UserIdentity authenticated(String name, String uid, List<String> groups) {
        List<String> all = new ArrayList<>(groups);
        if (!all.contains("system:authenticated")) {
            all.add("system:authenticated");
        }
        return new UserIdentity(name, uid, all);
    }

    public static UserIdentity serviceAccount(String namespace, String name, String uid) {
        return authenticated(
                "system:serviceaccount:%s:%s".formatted(namespace, name),
                uid,
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace));
    }
}

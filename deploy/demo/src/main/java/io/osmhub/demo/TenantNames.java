package io.osmhub.demo;

import java.util.List;

/** Tenant names that are easier to distinguish than numbers. */
final class TenantNames {
    private static final List<String> WORDS = List.of(
            "amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heron", "iris", "jade", "kelp", "larch",
            "maple", "north", "olive", "pearl", "quartz", "reed", "slate", "tulip", "umber", "violet", "willow",
            "yarrow", "zephyr");

    private TenantNames() {}

    /** The name of a tenant by index from 0: {@code amber}, {@code birch} ... {@code zephyr}, {@code amber-2}. */
    static String of(int index) {
        String word = WORDS.get(index % WORDS.size());
        int round = index / WORDS.size() + 1;
        return round == 1 ? word : word + "-" + round;
    }
}

package io.osmhub.tenancy.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;

/**
 * Rendezvous hashing: assigns each key to the member with the highest combined hash, so that all observers of the same members
 * agree, and a joining or leaving member moves only its own keys.
 */
final class RendezvousHashing {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private RendezvousHashing() {}

    /** Empty if there are no members. */
    static String owner(String key, Collection<String> members) {
        String best = "";
        long most = 0;
        for (String member : members) {
            long weight = weight(member, key);
            int order = best.isEmpty() ? 1 : Long.compareUnsigned(weight, most);
            if (order > 0 || order == 0 && member.compareTo(best) > 0) {
                best = member;
                most = weight;
            }
        }
        return best;
    }

    /** FNV-1a with the MurmurHash3 finalizer, since FNV alone gives similar names similar hashes. */
    private static long weight(String member, String key) {
        long hash = OFFSET;
        for (byte b : (member + "\n" + key).getBytes(UTF_8)) {
            hash = (hash ^ (b & 0xff)) * PRIME;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}

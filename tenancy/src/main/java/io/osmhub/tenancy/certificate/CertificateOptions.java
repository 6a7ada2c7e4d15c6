package io.osmhub.tenancy.certificate;

import io.osmhub.core.model.IpAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The operator's certificate settings.
 *
 * @param names hosts and addresses that callers use
 * @param validity of a server certificate
 * @param renewAt fraction of its validity after which it is renewed
 */
public record CertificateOptions(SortedSet<String> names, Duration validity, double renewAt) {
    /** Validity of an authority, as a multiple of that of its certificates. */
    private static final int LIVES = 8;

    private static final int OVERLAP = 10;

    public CertificateOptions {
        SortedSet<String> canonical = new TreeSet<>();
        names.forEach(name -> canonical.add(canonical(name)));
        names = Collections.unmodifiableSortedSet(canonical);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("certificate has no names");
        }
    }

    /** The form that parsed certificates use, because an IPv6 address has several. */
    private static String canonical(String name) {
        IpAddress address = name.indexOf(':') < 0 ? null : IpAddress.parse(name);
        try {
            return address == null ? name : InetAddress.getByName(name).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    Duration authorityValidity() {
        return validity.multipliedBy(LIVES);
    }

    /** Lead time of an authority's successor, so that issued certificates never outlive their authority. */
    Duration authorityRenewal() {
        return validity.multipliedBy(2);
    }

    /** Minimum time for which two authorities are trusted, so that every API server receives the change. */
    Duration overlap() {
        return validity.dividedBy(OVERLAP);
    }
}

package io.osmhub.api.certificate;

import io.osmhub.core.model.IpAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What certificates the operator wants.
 *
 * @param names hosts and addresses that callers use
 * @param validity of a server's certificate
 * @param renewAt part of its life after which it is renewed
 */
public record CertificateTerms(SortedSet<String> names, Duration validity, double renewAt) {
    /** An authority lives for so many of the certificates that it signs. */
    private static final int LIVES = 8;

    private static final int OVERLAP = 10;

    public CertificateTerms {
        SortedSet<String> canonical = new TreeSet<>();
        names.forEach(name -> canonical.add(canonical(name)));
        names = Collections.unmodifiableSortedSet(canonical);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a certificate for nobody");
        }
    }

    /** As a certificate that was read says it: an IPv6 address has many forms. */
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

    /** How long before its end an authority gets a successor: whatever it signs until it is replaced ends before itself. */
    Duration authorityRenewal() {
        return validity.multipliedBy(2);
    }

    /** How long two authorities are trusted at least, so that every API server hears of the change. */
    Duration overlap() {
        return validity.dividedBy(OVERLAP);
    }
}

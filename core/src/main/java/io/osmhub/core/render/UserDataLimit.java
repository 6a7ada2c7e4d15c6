package io.osmhub.core.render;

import java.util.Arrays;
import java.util.OptionalInt;

/** Largest bootstrap document that a cloud provider accepts, in bytes before any encoding. Other providers document no limit. */
public enum UserDataLimit {
    // Amazon EC2 User Guide, "Work with instance user data": 16 KB in raw form, before base64.
    AWS("aws", 16_384),
    // Microsoft Azure, REST reference of virtual machines, osProfile.customData: 65,535 bytes of the decoded value.
    AZURE("azure", 65_535),
    // DigitalOcean API reference, droplets, user_data: 64 KiB of plain text.
    DIGITALOCEAN("digitalocean", 65_536),
    // Google Compute Engine, "VM metadata": 256 KB for each value.
    GCE("gce", 262_144),
    // Hetzner Cloud API reference, servers, user_data: 32 KiB.
    HETZNER("hetzner", 32_768),
    // OpenStack Nova, "Provide user data to instances": 65,535 bytes of base64, which is the text of 49,149 bytes.
    OPENSTACK("openstack", 49_149),
    // Alibaba Cloud ECS, "Manage the user data of Linux instances": 32 KB before base64.
    ALIBABA("alibaba", 32_768);

    /** Limit of a Secret's data in total. */
    public static final int SECRET_BYTES = 1 << 20;
    /** Largest object within etcd's default request limit of 1.5 MiB. */
    public static final int OBJECT_BYTES = 3 << 19;

    private final String provider;
    private final int bytes;

    UserDataLimit(String provider, int bytes) {
        this.provider = provider;
        this.bytes = bytes;
    }

    public int bytes() {
        return bytes;
    }

    /** The provider's limit; empty if unlimited. */
    public static OptionalInt of(String provider) {
        return Arrays.stream(values())
                .filter(limit -> limit.provider.equals(provider))
                .mapToInt(UserDataLimit::bytes)
                .findFirst();
    }
}

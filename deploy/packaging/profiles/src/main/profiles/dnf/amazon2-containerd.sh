# From the system's own repository, in which it is one of the extras.
containerd='containerd-1.7*'
{{#unless Downloads.OSPackages}}
amazon-linux-extras enable docker >/dev/null
{{/unless}}

"""The names under which the server may be reached."""

from __future__ import annotations

import ipaddress
import platform
import re

from adhominem.bench.web.settings import LOOPBACK, Settings

_HOST = re.compile(r"(?:\[([0-9a-fA-F:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::[0-9]{1,5})?")


def is_ours(host: str, settings: Settings) -> bool:
    """On this machine alone only the loopback has a name; elsewhere any address will do, for an
    address, unlike a name, cannot be made to point to another machine."""
    match = _HOST.fullmatch(host)
    if match is None:
        return False
    name = (match[1] or match[2]).lower()
    if name in LOOPBACK or name in {known.lower() for known in settings.names}:
        return True
    if settings.is_local:
        return False
    return name in (settings.host.lower(), platform.node().lower()) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

"""Why believe it? Certificates, the walk through the script, and contradictions in the store.

``proof.checker`` reads and judges certificates, and imports nothing of ours but itself.
"""

import sys

# `python -m` looks for modules in the current directory first, where anybody's solver.py may be. Not from here on.
_IS_FIRST = sys.argv[:1] == ["-m"] and not getattr(sys.flags, "safe_path", sys.flags.isolated)
if _IS_FIRST and __path__[0] != f"{sys.path[0]}/{__name__}":
    del sys.path[0]

from typing import TYPE_CHECKING

from runtime.lazy import lazy_names

#: The module of each public name; the imports below are the same for type checkers.
_HOMES = {
    "BadCertificate": "proof.checker.certificate",
    "Certificate": "proof.checker.certificate",
    "read_certificate": "proof.checker.certificate",
    "Outcome": "proof.pool",
    "check": "proof.pool",
    "FalseClaim": "proof.strategist",
    "Strategist": "proof.strategist",
    "Broken": "proof.verify",
    "Script": "proof.verify",
    "ScriptError": "proof.verify",
    "Claim": "proof.writing",
    "write_certificate": "proof.writing",
}

if TYPE_CHECKING:
    from proof.checker.certificate import BadCertificate as BadCertificate
    from proof.checker.certificate import Certificate as Certificate
    from proof.checker.certificate import read_certificate as read_certificate
    from proof.pool import Outcome as Outcome
    from proof.pool import check as check
    from proof.strategist import FalseClaim as FalseClaim
    from proof.strategist import Strategist as Strategist
    from proof.verify import Broken as Broken
    from proof.verify import Script as Script
    from proof.verify import ScriptError as ScriptError
    from proof.writing import Claim as Claim
    from proof.writing import write_certificate as write_certificate
else:
    __getattr__ = lazy_names(__name__, _HOMES)

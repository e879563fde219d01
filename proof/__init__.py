"""Why believe it? Certificates, the walk through the script, and contradictions in the store.

``proof.checker`` reads and judges certificates, and imports nothing of ours but itself.
"""

from typing import TYPE_CHECKING

from runtime.lazy import lazy_names

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
    __getattr__ = lazy_names(__name__, __file__)

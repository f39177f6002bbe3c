"""Names that every XML parser takes for one."""

from __future__ import annotations

import re
from xml.parsers import expat

from rdfinc.terms.grammar import NAME_FURTHER, NAME_START

NAME = re.compile(f"[{NAME_START}][{NAME_FURTHER}]*")
"""A name without colon (NCName), by the fifth edition of XML 1.0."""


def is_xml_name(text: str) -> bool:
    """Whether an element or prefix may be called so, also where the fourth edition counts, as it
    does for expat, with which rdfinc and rdflib read XML."""
    if NAME.fullmatch(text) is None:
        return False
    try:
        expat.ParserCreate().Parse(f"<{text}/>", True)
    except expat.ExpatError:
        return False
    return True

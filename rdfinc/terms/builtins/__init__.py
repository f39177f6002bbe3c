"""The built-ins of SWRL (W3C member submission, section 8) as functions of terms.

`catalogue` names all of them. `comparison`, `numeric`, `strings`, `times` and `uris` are the
sections of the submission, `inverses` reads them backwards. `values` are what literals denote,
over `integers`, `calendar` and `markup`, in columns `value_arrays` and in the order of
`value_order`; `datatypes` and `memberships` say which literals are of which datatype.

Two literals are equal in two ways: as data values in OWL (`data_values`; 0 and -0 differ), and as
the operators of XPath compare them in SWRL, FILTER and SPARQL (`comparison`; 0 equals -0).
"""

from rdfinc.terms.builtins.catalogue import (
    ALIKE,
    ANY,
    BUILTINS,
    FUNCTIONS,
    IN_DATATYPE,
    MAY_EQUAL,
    NAME_AMONG,
    OF_LITERALS,
    OUTSIDE_DATATYPE,
    OUTSIDE_FACET,
    SOLUTION,
    SWRLB,
    Builtin,
)  # fmt: skip
from rdfinc.terms.builtins.data_values import FACETS, is_ill_typed, is_its_own, value_spelling
from rdfinc.terms.builtins.datatypes import DATATYPES
from rdfinc.terms.builtins.inverses import UNKNOWN, WANTED, solvable

__all__ = [
    "ALIKE", "ANY", "BUILTINS", "DATATYPES", "FACETS", "FUNCTIONS", "IN_DATATYPE", "MAY_EQUAL",
    "NAME_AMONG", "OF_LITERALS", "OUTSIDE_DATATYPE", "OUTSIDE_FACET", "SOLUTION", "SWRLB",
    "UNKNOWN", "WANTED", "Builtin", "is_ill_typed", "is_its_own", "solvable", "value_spelling",
]  # fmt: skip

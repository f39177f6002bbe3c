"""The built-ins of SWRL (W3C member submission, section 8) as functions of terms."""

from rdfinc.terms.builtins.catalogue import ANY, BUILTINS, FUNCTIONS, IN_DATATYPE, SWRLB, Builtin
from rdfinc.terms.builtins.datatypes import DATATYPES

__all__ = ["ANY", "BUILTINS", "DATATYPES", "FUNCTIONS", "IN_DATATYPE", "SWRLB", "Builtin"]

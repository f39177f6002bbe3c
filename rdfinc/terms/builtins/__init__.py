"""The built-ins of SWRL (W3C member submission, section 8) as functions of terms."""

from rdfinc.terms.builtins.catalogue import ANY, BUILTINS, SWRLB, Builtin

__all__ = ["ANY", "BUILTINS", "SWRLB", "Builtin"]

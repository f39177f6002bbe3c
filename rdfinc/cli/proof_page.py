"""A proof as a page."""

from __future__ import annotations

from html import escape

from rdfinc.knowledge_base.explanations.proofs import Proof


def proof_html(proof: Proof) -> str:
    """A page with the proof as a picture and as text."""
    title = escape(proof.text)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8">'
        f'<meta name="color-scheme" content="light dark"><title>{title}</title>\n'
        f"<h1>{title}</h1>\n{proof.to_svg()}\n<pre>{escape(str(proof))}</pre>\n</html>"
    )

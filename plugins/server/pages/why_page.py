"""Why a fact is there, as a proof that opens step by step; or what it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from rdfinc.datalog.model import Var
from rdfinc.knowledge_base.explanations.proofs import Proof
from rdfinc.knowledge_base.explanations.why_not import NearInstance, WhyNot
from rdfinc.plugins.server.pages.elements import (
    Prefixes,
    fact,
    item,
    keys_of,
    paragraph,
    why_link,
)

DEEPEST, MOST = 60, 1000
"""Steps within each other, and steps of a proof, that one page shows; others have their own."""


def form(values: Mapping[str, str]) -> str:
    """The form in which a fact is named."""
    fields = "".join(
        f'<div><label for="{name}">{words}</label><input type="text" id="{name}" name="{name}" '
        f'required value="{escape(values.get(name, ""))}"></div>'
        for name, words in (("s", "subject"), ("p", "property"), ("o", "object"))
    )
    return (
        f'<form class="fact" action="/why">{fields}<div><button type="submit">Why, or why not'
        '</button></div></form><p class="soft">prefix:name, an IRI, _:label, a for rdf:type, or a '
        "literal in quotes</p>"
    )


def told(why: WhyNot, prefixes: Prefixes) -> str:
    """Why a fact is there or not."""
    if why.proof is not None:
        return f"<p>It is there.</p>{proof(why.proof, prefixes)}"
    if not why.instances:
        return paragraph("It is not stated and does not follow: no rule comes near to it.")
    near = "".join(_near(instance, prefixes) for instance in why.instances)
    return f"<p>It is not stated and does not follow. What comes nearest:</p>{near}"


def proof(whole: Proof, prefixes: Prefixes) -> str:
    """A proof as parts that open; a step that was shown, or lies too deep, is a link."""
    html: list[str] = []
    shown: set[int] = set()
    stack: list[tuple[Proof | str, int]] = [(whole, 0)]
    while stack:
        step, depth = stack.pop()
        if isinstance(step, str):
            html.append(step)
            continue
        told = fact(keys_of(step.fact), prefixes)
        if step.explicit:
            html.append(f'<div class="leaf">{told} <span class="soft">stated</span></div>')
        elif id(step) in shown or depth == DEEPEST or len(shown) == MOST:
            link = why_link(keys_of(step.fact), f"by {step.rule}, as shown elsewhere")
            html.append(f'<div class="leaf">{told} {link}</div>')
        else:
            shown.add(id(step))
            state = "" if depth else " open"
            html.append(f"<details{state}><summary>{told} {_by(step.rule)}</summary>")
            html += [f'<div class="leaf">{escape(text)} is not there</div>' for text in step.absent]
            stack.append(("</details>", depth))
            stack += [(premise, depth + 1) for premise in reversed(step.premises)]
    return "\n".join(html)


def _by(rule: str) -> str:
    name = escape(rule)
    return f'<span class="soft">by <a href="/rules#{name}">{name}</a></span>'


def _near(instance: NearInstance, prefixes: Prefixes) -> str:
    lines = [_fact(triple, prefixes, "is there", "came") for triple in instance.present]
    lines += [_fact(triple, prefixes, "is missing", "went") for triple in instance.missing]
    lines += [_fact(triple, prefixes, "must not be there", "came") for triple in instance.denied]
    lines += [f'<div class="leaf">{escape(text)}</div>' for text in instance.failing]
    return f"<details open><summary>{_by(instance.rule)}</summary>{''.join(lines)}</details>"


def _fact(triple: tuple[object, ...], prefixes: Prefixes, state: str, kind: str) -> str:
    shown = " ".join(item(each, prefixes) for each in triple)
    known = not any(isinstance(each, Var) for each in triple)
    words = "why" if kind == "came" else "why not"
    link = why_link(keys_of(triple), words) if known else ""
    return f'<div class="leaf">{shown} <span class="{kind}">{state}</span> {link}</div>'

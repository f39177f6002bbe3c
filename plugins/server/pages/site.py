"""The pages and where they are."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.explanations.short_names import term
from rdfinc.plugins.server.bodies import base_of, body_of, only, parameters
from rdfinc.plugins.server.pages import (
    changes_page,
    names,
    query_page,
    resource_page,
    rules_page,
    statistics_page,
    violations_page,
    why_page,
    yasgui_page,
)
from rdfinc.plugins.server.pages.assets import SCRIPT, STYLE
from rdfinc.plugins.server.pages.elements import Prefixes
from rdfinc.plugins.server.pages.frame import page, refused_page
from rdfinc.plugins.server.recording import KIND
from rdfinc.plugins.server.refusals import RefusalError, refusal, require_update
from rdfinc.plugins.server.responses import AS_TOLD, answer
from rdfinc.plugins.server.served import Served, SparqlRequest
from rdfinc.plugins.server.workers import Workers
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.terms.canonical_terms import canonical

Endpoint = Callable[[Request], Awaitable[Response]]
Tell = Callable[[KnowledgeBase, Prefixes], str]


class Site:
    """The pages of a knowledge base."""

    def __init__(self, served: Served, workers: Workers) -> None:
        self._served, self._workers = served, workers

    def endpoints(self) -> dict[str, Endpoint]:
        """The endpoint at each path, all of them for GET."""
        told: dict[str, tuple[str, Tell]] = {
            "/violations": ("Contradictions", violations_page.told),
            "/rules": ("Rules", rules_page.told),
            "/statistics": ("Statistics", statistics_page.told),
        }
        made = {
            path: self._page(path, partial(self._told, path, *how)) for path, how in told.items()
        }
        return {
            "/": self.query,
            "/resource": self._page("/resource", self._resource),
            "/why": self._page("/why", self._why),
            "/changes": self._page("/changes", self._changes),
            "/names": self._names,
            "/style.css": partial(_asset, STYLE, "text/css"),
            "/script.js": partial(_asset, SCRIPT, "text/javascript"),
            "/yasgui": self._yasgui,
            **{f"/yasgui/{name}": yasgui_page.part for name in yasgui_page.PARTS},
            **made,
        }

    def _page(self, path: str, endpoint: Endpoint) -> Endpoint:
        """An endpoint whose refusals are pages, too."""

        async def answer(request: Request) -> Response:
            try:
                return await endpoint(request)
            except Exception as error:
                why = refusal(error)
                if why is None:
                    raise
                return refused_page(path, why.status, why.sentence)

        return answer

    async def _seen(self, request: Request, tell: Callable[[Budget], str]) -> str:
        budget = self._served.budget()
        return await self._workers.read(request, budget, partial(tell, budget))

    # -- queries

    async def query(self, request: Request) -> Response:
        """The editor, with the answer to what stands in it."""
        text = only(parameters(request.scope["query_string"]), "query")
        asked = SparqlRequest(text or "", base_of(request))
        if not text or not text.strip():
            return self._editor(next(iter(query_page.EXAMPLES.values())), "")
        try:
            shown = await self._seen(
                request, lambda budget: query_page.answered(self._served, asked, budget)
            )
        except Exception as error:
            return self._refused(text, error)
        return self._editor(text, shown)

    async def change(self, request: Request) -> Response:
        """POST: carries out what stands in the editor."""
        request.scope[KIND] = "update"
        require_update(self._served.settings)
        sent = parameters(await body_of(request, self._served.settings))
        text, budget = only(sent, "query") or "", self._served.budget()
        asked = SparqlRequest(text, base_of(request))
        try:
            await self._workers.write(request, lambda: self._served.update(asked, budget))
        except Exception as error:
            return self._refused(text, error)
        return self._editor(text, '<p role="status">Done.</p>')

    def _editor(self, text: str, below: str, refused: RefusalError | None = None) -> Response:
        may_update = self._served.settings.update
        form = query_page.editor(text, may_update=may_update, refused=refused)
        status = 200 if refused is None else refused.status
        return page("/", "Query", form + below, status)

    def _refused(self, text: str, error: Exception) -> Response:
        why = refusal(error)
        if why is None:
            raise error
        return self._editor(text, "", why)

    # -- facts

    async def _resource(self, request: Request) -> Response:
        name = only(parameters(request.scope["query_string"]), "term")
        if not name:
            return page("/resource", "Browse", resource_page.START)
        key = self._key(name)
        shown = await self._seen(
            request, lambda budget: resource_page.Resource(self._served, key, budget).html()
        )
        return page("/resource", name.strip(), shown)

    async def _why(self, request: Request) -> Response:
        given = parameters(request.scope["query_string"])
        values = {name: only(given, name) or "" for name in "spo"}
        form = why_page.form(values)
        if not all(values.values()):
            return page("/why", "Why, or why not", form)
        fact = tuple(self._key(value).decode() for value in values.values())

        def found(budget: Budget) -> str:
            with self._served.turn(budget):
                why = self._served.kb.why_not(fact)
            return why_page.told(why, self._served.prefixes)

        return page("/why", "Why, or why not", form + await self._seen(request, found))

    def _key(self, name: str) -> bytes:
        """The key of a term as people write it. Raises TermError."""
        return canonical(term(name.strip(), self._served.prefixes))

    # -- all of it

    async def _told(self, path: str, title: str, tell: Tell, request: Request) -> Response:
        def found(budget: Budget) -> str:
            self._served.snapshot(budget)  # waits for an update, but not too long
            return tell(self._served.kb, self._served.prefixes)

        shown = await self._seen(request, found)
        return page(
            path, title, f'{changes_page.FOLLOWED}<div id="live" tabindex="-1">{shown}</div>'
        )

    async def _names(self, request: Request) -> Response:
        """The names that the editor completes, as JSON."""

        def found(budget: Budget) -> str:
            reader = self._served.snapshot(budget).reader()
            return json.dumps(
                names.known(reader, self._served.kb.dictionary, self._served.prefixes)
            )

        return answer((await self._seen(request, found)).encode(), "application/json")

    async def _yasgui(self, request: Request) -> Response:
        return yasgui_page.shown(self._served.prefixes)

    async def _changes(self, request: Request) -> Response:
        return page("/changes", "Changes", changes_page.CONTENT)


async def _asset(content: str, media_type: str, request: Request) -> Response:
    headers = {**AS_TOLD, "Cache-Control": "max-age=300"}
    return Response(content, media_type=media_type, headers=headers)

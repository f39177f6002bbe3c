"""rdflib-endpoint serves a rdfinc graph, and SPARQLWrapper asks it.

python examples/peers/endpoint.py        (pip install "rdfinc[peers]")
"""

from __future__ import annotations

import socket
import threading
import time

import uvicorn
from rdflib import Dataset
from rdflib_endpoint import SparqlEndpoint
from SPARQLWrapper import JSON, SPARQLWrapper

from rdfinc import KnowledgeBase

kb = KnowledgeBase()
kb.load(
    b"""
    @prefix : <http://example.org/> .
    @prefix owl: <http://www.w3.org/2002/07/owl#> .
    :feeds a owl:TransitiveProperty .
    :boiler :feeds :pump .
    :pump :feeds :radiator .
    """,
    format="turtle",
)
data: Dataset = kb.dataset()

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = uvicorn.Server(
    uvicorn.Config(SparqlEndpoint(graph=data), port=port, log_level="error", access_log=False)
)
threading.Thread(target=server.run, daemon=True).start()
while not server.started:
    time.sleep(0.05)

asked = SPARQLWrapper(f"http://127.0.0.1:{port}/")
asked.setReturnFormat(JSON)
asked.setQuery(
    "SELECT ?x { <http://example.org/boiler> <http://example.org/feeds> ?x } ORDER BY ?x"
)
for row in asked.queryAndConvert()["results"]["bindings"]:
    print(row["x"]["value"])
server.should_exit = True

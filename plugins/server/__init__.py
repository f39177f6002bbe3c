"""A knowledge base over HTTP: the SPARQL 1.1 protocol and the graph store protocol.

Entry: `application`, or with sockets `running`, whose `connections` are bounded. `served` is what
requests ask of a knowledge base within the bounds of `settings`; `workers` are the threads that do
it, unless it is `brief_work`. `guard` looks at who asks, `bodies` and `content_types` at what comes
and what is wanted, `sparql_protocol` answers it with `answer_formats` or the `service_description`,
and `graph_store` reads and writes graphs, of forms by `form_parts`. `health` tells how the server
fares, by `metrics`, which `recording` keeps together with a line for each request. `refusals` are
statuses and sentences for all that cannot be answered, `responses` sends them. `pages` show all of
it to people, and `changes` as they come.
"""

from rdfinc.plugins.server.application import app
from rdfinc.plugins.server.settings import Settings

__all__ = ["Settings", "app"]

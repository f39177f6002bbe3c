from __future__ import annotations

import pytest
from golden.closures import by_definition, by_knowledge_base


@pytest.fixture(params=[by_definition, by_knowledge_base], ids=["definition", "knowledge base"])
def closure_of(request):
    """Each of the two ways to a closure."""
    return request.param

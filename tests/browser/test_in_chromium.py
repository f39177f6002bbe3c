"""The pages in a real Chromium, without a window; skipped where there is none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest

from over_http.places import places
from over_http.serving import serving

webdriver = pytest.importorskip("selenium.webdriver")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    pytest.skip("there is no chromium with its chromedriver", allow_module_level=True)

FLAGS = (
    "headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run",
    "disable-background-networking", "disable-component-update", "disable-sync",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    folder: Path = tmp_path_factory.mktemp("chromium")
    for flag in (*FLAGS, f"user-data-dir={folder}"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        yield made
    finally:
        made.quit()


@pytest.fixture
def address() -> Iterator[str]:
    kb = places()
    kb.load(b"""@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        :City owl:disjointWith :Sight .
        :paris :says "</script><img src=x onerror=document.title='hit'>" ,
        <http://example.org/%22onmouseover=alert(1)%22> .""", format="turtle")  # fmt: skip
    with serving(kb, update=True) as found:
        yield found


def change(address: str, text: str) -> None:
    """What another client does."""
    urlopen(f"{address}/update", urlencode({"update": text}).encode(), timeout=20).close()


def wait_for(browser: Any, text: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 20).until(
        lambda b: text in b.execute_script("return document.querySelector('main').innerText")
    )


def hosts(browser: Any) -> set[str]:
    """The hosts that requests were sent to."""
    events = [json.loads(each["message"])["message"] for each in browser.get_log("performance")]
    urls = [e["params"]["request"]["url"] for e in events
            if e["method"] == "Network.requestWillBeSent"]  # fmt: skip
    return {urlsplit(url).netloc for url in urls if url.startswith("http")}


def test_from_a_query_to_an_answer_and_its_proof(browser: Any, address: str) -> None:
    browser.get(f"{address}/?{urlencode({'query': 'SELECT ?x { ?x :locatedIn :europe }'})}")
    browser.find_element("link text", ":louvre").click()
    wait_for(browser, "Derived of it")
    why = f"{address}/why?{urlencode({'s': ':louvre', 'p': ':locatedIn', 'o': ':europe'})}"
    browser.get(why)
    for step in browser.find_elements("css selector", "details:not([open]) > summary"):
        step.click()
    assert not browser.find_elements("css selector", "details:not([open])")
    wait_for(browser, ":paris :capitalOf :france stated")
    browser.get(why.replace("europe", "asia"))
    wait_for(browser, "does not follow")
    assert hosts(browser) == {urlsplit(address).netloc}


def test_a_contradiction_comes_and_goes(browser: Any, address: str) -> None:
    browser.get(f"{address}/violations")
    wait_for(browser, "listening")
    change(address, "INSERT DATA { :paris a :Sight }")
    wait_for(browser, "now: 1 in all")
    change(address, "DELETE DATA { :paris a :Sight }")
    wait_for(browser, "now: There is none.")


def test_by_keyboard_only(browser: Any, address: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.get(f"{address}/")
    editor = browser.switch_to.active_element
    assert editor.get_attribute("id") == "query"
    editor.send_keys(Keys.CONTROL, "a")
    editor.send_keys(Keys.NULL, "ASK { :louvre :locatedIn :europe }")
    ActionChains(browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(
        Keys.CONTROL
    ).perform()
    wait_for(browser, "yes")


def test_hostile_terms_are_shown(browser: Any, address: str) -> None:
    browser.get(f"{address}/resource?{urlencode({'term': ':paris'})}")
    wait_for(browser, "<img src=x onerror=document.title='hit'>")
    assert "hit" not in browser.title and not browser.find_elements("tag name", "img")

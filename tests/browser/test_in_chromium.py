"""The pages in a real Chromium, without a window; skipped where there is none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest

from over_http.places import places
from over_http.serving import serving

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    pytest.skip("there is no chromium with its chromedriver", allow_module_level=True)

# where there is a browser, these are tests that have to run
from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import WebDriverException  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.expected_conditions import staleness_of  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

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


def waiting(browser: Any) -> WebDriverWait[Any]:
    """Asks again for 20 seconds, also where a page goes away meanwhile, which the driver tells in
    several ways."""
    return WebDriverWait(browser, 20, ignored_exceptions=[WebDriverException])


def wait_for(browser: Any, text: str) -> None:
    waiting(browser).until(
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


def press(browser: Any, *keys: str) -> None:
    """Presses keys at once, where the focus is."""
    from selenium.webdriver.common.action_chains import ActionChains

    held = ActionChains(browser)
    for key in keys[:-1]:
        held.key_down(key)
    held.send_keys(keys[-1])
    for key in reversed(keys[:-1]):
        held.key_up(key)
    held.perform()


def tab_to(browser: Any, is_meant: Callable[[Any], bool]) -> Any:
    """Presses Tab until the focus is on an element that is meant."""
    for _ in range(100):
        press(browser, Keys.TAB)
        focused = browser.switch_to.active_element
        if is_meant(focused):
            return focused
    raise AssertionError("no key leads there")


def link(text: str, part: str) -> Callable[[Any], bool]:
    """Whether an element is a link with a text, to an address that has some part."""
    return lambda each: each.text == text and part in (each.get_attribute("href") or "")


def write(browser: Any, text: str) -> None:
    """Replaces what stands in the field in which the focus is."""
    press(browser, Keys.CONTROL, "a")
    press(browser, text)


def ask(browser: Any, query: str) -> None:
    assert browser.switch_to.active_element.get_attribute("id") == "query"
    write(browser, query)
    before = browser.find_element("tag name", "main")
    press(browser, Keys.CONTROL, Keys.ENTER)
    waiting(browser).until(staleness_of(before))


def test_all_of_it_by_keyboard_only(browser: Any, address: str) -> None:
    browser.get(f"{address}/")
    ask(browser, "SELECT ?x { ?x :locatedIn :europe }")
    wait_for(browser, "3 rows")
    tab_to(browser, link(":louvre", "/resource"))
    press(browser, Keys.ENTER)
    wait_for(browser, "Derived of it")
    tab_to(browser, link("why", "europe"))
    press(browser, Keys.ENTER)
    wait_for(browser, "It is there.")
    closed = "details:not([open])"
    while steps := len(browser.find_elements("css selector", closed)):
        tab_to(browser, lambda each: each.tag_name == "summary" and not is_open(each))
        press(browser, Keys.ENTER)
        assert len(browser.find_elements("css selector", closed)) < steps
    wait_for(browser, ":paris :capitalOf :france stated")
    tab_to(browser, lambda each: each.get_attribute("id") == "o")
    write(browser, ":asia")
    press(browser, Keys.ENTER)
    wait_for(browser, "does not follow")
    tab_to(browser, link("Contradictions", "/violations"))
    press(browser, Keys.ENTER)
    wait_for(browser, "There is none.")
    change(address, "INSERT DATA { :paris a :Sight }")
    wait_for(browser, "1 in all")
    summary = tab_to(browser, lambda each: each.tag_name == "summary")
    if not is_open(summary):
        press(browser, Keys.ENTER)
    wait_for(browser, "from what is stated")
    change(address, "DELETE DATA { :paris a :Sight }")
    wait_for(browser, "There is none.")


def is_open(summary: Any) -> bool:
    return summary.find_element("xpath", "..").get_attribute("open") is not None


def test_names_are_completed_by_keyboard(browser: Any, address: str) -> None:
    browser.get(f"{address}/")
    editor = browser.switch_to.active_element
    write(browser, "ASK { :louvre :loc")
    press(browser, Keys.CONTROL, Keys.SPACE)
    waiting(browser).until(lambda b: editor.get_attribute("value") == "ASK { :louvre :locatedIn")
    press(browser, " ?c . ?c :cap")
    press(browser, Keys.CONTROL, Keys.SPACE)
    waiting(browser).until(lambda b: editor.get_attribute("value").endswith(":capitalOf"))
    press(browser, " ?d }")
    press(browser, Keys.CONTROL, Keys.ENTER)
    wait_for(browser, "yes")


def test_queries_of_before_are_found_again(browser: Any, address: str) -> None:
    browser.get(f"{address}/")
    browser.execute_script("localStorage.clear()")
    browser.get(f"{address}/")
    for query in ("ASK { }", "SELECT ?x { ?x :locatedIn :france }", "ASK { }"):
        ask(browser, query)
    tab_to(browser, lambda each: each.text == "Asked before")
    press(browser, Keys.ENTER)
    found = browser.find_elements("css selector", "#history a")
    assert [each.text for each in found] == ["ASK { }", "SELECT ?x { ?x :locatedIn :france }"]
    tab_to(browser, lambda each: each.text == found[1].text)
    press(browser, Keys.ENTER)
    wait_for(browser, ":louvre")


def test_hostile_terms_are_shown(browser: Any, address: str) -> None:
    browser.get(f"{address}/resource?{urlencode({'term': ':paris'})}")
    wait_for(browser, "<img src=x onerror=document.title='hit'>")
    assert "hit" not in browser.title and not browser.find_elements("tag name", "img")


def test_yasgui_asks_this_server_only_and_leads_to_its_pages(browser: Any, address: str) -> None:
    hosts(browser)  # those of the tests before
    browser.get(f"{address}/yasgui")
    run = "return document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0])"
    for query, shown in (
        ("SELECT ?x { ?x :says ?y }", "2 results"),
        ("SELECT ?x ?y { ?x :says ?y FILTER(isLiteral(?y)) }", "<img src=x onerror"),
        ("SELECT ?x { ?x :locatedIn :europe } ORDER BY ?x", ":louvre"),
    ):
        browser.execute_script(run, query)
        browser.find_element("css selector", ".yasqe_queryButton").click()
        wait_for(browser, shown)
    assert "hit" not in browser.title and not browser.find_elements("tag name", "img")
    assert hosts(browser) == {urlsplit(address).netloc}
    browser.find_element("link text", ":louvre").click()
    wait_for(browser, "Derived of it")

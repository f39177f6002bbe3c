"""The style and the script of all pages; they come from the server itself, as all does."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1a; --paper: #fdfdfb; --line: #d5d5cc;
  --link: #0b57a4; --soft: #62625a; --good: #1d6b34; --bad: #a3231b; --box: #f3f3ee }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e3; --paper: #191a1b; --line: #44453f;
  --link: #8ab8f0; --soft: #a9a9a0; --good: #7fce95; --bad: #ff9d94; --box: #242526 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper) }
a { color: var(--link) } a:focus-visible, summary:focus-visible, button:focus-visible,
textarea:focus-visible, input:focus-visible, [tabindex]:focus-visible
{ outline: 3px solid var(--link); outline-offset: 2px }
header { border-bottom: 1px solid var(--line); padding: .5rem 1rem }
header nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0;
  padding: 0 } header a[aria-current] { color: var(--ink); font-weight: 600 }
.skip { position: absolute; left: -99rem } .skip:focus { left: 1rem }
main { padding: 0 1rem 3rem; max-width: 75rem; margin: auto } h1 { font-size: 1.5rem;
  overflow-wrap: anywhere } h2 { font-size: 1.15rem; margin-top: 2rem }
textarea, input[type=text] { width: 100%; font: 14px/1.5 ui-monospace, monospace; color: inherit;
  background: var(--box); border: 1px solid var(--soft); border-radius: 4px; padding: .5rem }
button { font: inherit; padding: .35rem 1rem; border: 1px solid var(--soft); border-radius: 4px;
  background: var(--box); color: inherit; cursor: pointer }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .93rem }
caption { text-align: left; color: var(--soft); padding: .35rem 0 }
th, td { text-align: left; vertical-align: top; padding: .2rem .9rem .2rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; min-width: 4rem }
.soft, .why { color: var(--soft) } .refused { color: var(--bad); font-weight: 600 }
.came { color: var(--good) } .went { color: var(--bad) }
pre { background: var(--box); padding: .6rem; overflow-x: auto; border-radius: 4px }
details { border-left: 2px solid var(--line); padding-left: .8rem; margin: .25rem 0 }
summary { cursor: pointer } .leaf { margin: .25rem 0; padding-left: .95rem }
form.fact { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: .75rem;
  align-items: end } dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem }
dd { margin: 0 }
"""

SCRIPT = """
"use strict";
document.addEventListener("keydown", (event) => {
  const form = event.target.form;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form) form.requestSubmit();
});
const list = document.getElementById("changes");
if (list) {
  const state = document.getElementById("state");
  const source = new EventSource("/changes/stream");
  source.onopen = () => { state.textContent = "listening"; };
  source.onerror = () => { state.textContent = "not connected: trying again"; };
  source.onmessage = (event) => {
    const change = JSON.parse(event.data), entry = document.createElement("li");
    const head = document.createElement("div");
    head.textContent = `${new Date().toLocaleTimeString()}: ${change.told}`;
    entry.append(head);
    for (const fact of change.facts) {
      const line = document.createElement("div"), link = document.createElement("a");
      line.className = fact.sign === "+" ? "came" : "went";
      const text = document.createElement("bdi");
      text.textContent = fact.text;
      link.textContent = "why";
      link.href = fact.why;
      line.append(`${fact.sign} `, text, " ", link);
      entry.append(line);
    }
    list.prepend(entry);
    while (list.children.length > 100) list.lastChild.remove();
  };
}
"""

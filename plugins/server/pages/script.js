"use strict";

/* Forms: Ctrl-Enter sends them. */
document.addEventListener("keydown", (event) => {
  const form = event.target.form;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form) form.requestSubmit();
});

/* The editor: where a mistake is, queries of before, names that are completed. */
const editor = document.getElementById("query");
if (editor) {
  goToMistake();
  rememberQueries();
  completeNames();
}

function goToMistake() {
  const place = document.querySelector("pre[data-line]");
  if (!place) return;
  const before = editor.value.split("\n").slice(0, place.dataset.line - 1);
  const start = before.reduce((sum, line) => sum + line.length + 1, 0);
  const at = start + Number(place.dataset.column) - 1;
  editor.focus();
  editor.setSelectionRange(at, Math.min(at + 1, editor.value.length));
}

function rememberQueries() {
  const history = document.getElementById("history"), key = "rdfinc.queries", most = 20;
  let asked = [];
  try {
    asked = JSON.parse(localStorage.getItem(key)) || [];
  } catch { /* none that can be read */ }
  if (!Array.isArray(asked)) asked = [];
  for (const text of asked) {
    const item = document.createElement("li"), link = document.createElement("a");
    link.textContent = String(text);
    link.href = `/?${new URLSearchParams({ query: text })}`;
    item.append(link);
    history.querySelector("ul").append(item);
  }
  history.hidden = asked.length === 0;
  editor.form.addEventListener("submit", (event) => {
    if (event.submitter && event.submitter.formAction.endsWith("/change")) return;
    const others = asked.filter((text) => text !== editor.value);
    try {
      localStorage.setItem(key, JSON.stringify([editor.value, ...others].slice(0, most)));
    } catch { /* not kept */ }
  });
}

function completeNames() {
  const list = document.getElementById("names"), most = 8;
  let known = null, chosen = 0;

  const written = () => /[\w.-]*:?[\w.-]*$/.exec(editor.value.slice(0, editor.selectionStart))[0];

  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    editor.removeAttribute("aria-activedescendant");
  };

  const choose = (number) => {
    const items = [...list.children];
    chosen = (number + items.length) % items.length;
    items.forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
    editor.setAttribute("aria-activedescendant", items[chosen].id);
  };

  const take = () => {
    const name = list.children[chosen].textContent, end = editor.selectionStart;
    editor.setRangeText(name, end - written().length, end, "end");
    close();
  };

  const offer = async () => {
    if (known === null) known = await fetch("/names").then((got) => (got.ok ? got.json() : []));
    const word = written().toLowerCase();
    const local = (name) => name.slice(name.indexOf(":") + 1).toLowerCase();
    const fits = (name) => name.toLowerCase().startsWith(word) || local(name).startsWith(word);
    const found = known.filter(fits).slice(0, most);
    list.replaceChildren(...found.map((name, i) => {
      const item = document.createElement("li");
      item.id = `name-${i}`;
      item.setAttribute("role", "option");
      item.textContent = name;
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        choose(i);
        take();
      });
      return item;
    }));
    list.hidden = found.length === 0;
    if (found.length === 1) {
      chosen = 0;
      take();
    } else if (found.length) {
      choose(0);
    }
  };

  editor.setAttribute("aria-controls", "names");
  editor.addEventListener("blur", close);
  editor.addEventListener("input", () => { if (!list.hidden) offer(); });
  editor.addEventListener("keydown", (event) => {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      offer();
    }
    if (list.hidden || event.ctrlKey) return;
    const keys = {
      ArrowDown: () => choose(chosen + 1),
      ArrowUp: () => choose(chosen - 1),
      Enter: take,
      Escape: close,
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
}

/* Changes: as a list of them, and of what a page shows anew after each. */
const changes = document.getElementById("changes");
const live = document.getElementById("live");
if (changes || live) {
  const state = document.getElementById("state");
  const source = new EventSource("/changes/stream");
  source.onopen = () => {
    state.textContent = "listening";
    if (live) showAnew(state);
  };
  source.onerror = () => { state.textContent = "not connected: trying again"; };
  source.onmessage = (event) => {
    if (changes) enterChange(JSON.parse(event.data), state);
    else showAnew(state);
  };
}

function enterChange(change, state) {
  const entry = document.createElement("li"), head = document.createElement("div");
  head.textContent = `${new Date().toLocaleTimeString()}: ${change.told}`;
  state.textContent = change.told;
  entry.append(head);
  for (const fact of change.facts) {
    const came = fact.sign === "+";
    const line = document.createElement("div"), link = document.createElement("a");
    line.className = came ? "came" : "went";
    const text = document.createElement("bdi");
    text.textContent = fact.text;
    link.textContent = came ? "why" : "why not";
    link.href = fact.why;
    line.append(came ? "+ " : "− ", text, " ", link);
    entry.append(line);
  }
  changes.prepend(entry);
  while (changes.children.length > 100) changes.lastChild.remove();
}

let showing = false, again = false;

async function showAnew(state) {
  again = true;
  if (showing) return;
  showing = true;
  while (again) {
    again = false;
    try {
      const got = await fetch(location.href);
      const page = new DOMParser().parseFromString(await got.text(), "text/html");
      replaceLive(page.getElementById("live"), state);
    } catch {
      state.textContent = "not connected: trying again";
    }
    await new Promise((done) => setTimeout(done, 300));
  }
  showing = false;
}

function replaceLive(fresh, state) {
  if (!fresh || fresh.innerHTML === live.innerHTML) return;
  const had = live.contains(document.activeElement);
  live.replaceChildren(...fresh.childNodes);
  if (had) live.focus();
  const told = live.querySelector("p");
  if (told) state.textContent = `now: ${told.textContent}`;
}

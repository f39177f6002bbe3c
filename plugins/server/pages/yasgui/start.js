"use strict";

/* YASGUI asks this server and nobody else, completes its names, and links to its pages. */
const place = document.getElementById("yasgui"), { Yasqe, Yasr } = Yasgui;

Yasqe.registerAutocompleter({
  name: "names",
  bulk: true,
  persistenceId: null,
  autoShow: false,
  isValidCompletionPosition: () => true,
  get: () => fetch("/names").then((got) => (got.ok ? got.json() : [])),
});

new Yasgui(place, {
  persistenceId: "rdfinc.yasgui",
  requestConfig: { endpoint: new URL("/sparql", location).href, method: "POST" },
  endpointCatalogueOptions: { ...Yasgui.defaults.endpointCatalogueOptions, getData: () => [] },
  yasqe: {
    ...Yasqe.defaults,
    autocompleters: ["variables", "names"],
    createShareableLink: null,
    value: "SELECT * WHERE { ?s ?p ?o } LIMIT 100",
  },
  yasr: { ...Yasr.defaults, prefixes: JSON.parse(place.dataset.prefixes) },
});

place.addEventListener("click", (event) => {
  const link = event.target.closest("a.iri");
  if (!link) return;
  event.preventDefault();
  location.assign(`/resource?${new URLSearchParams({ term: `<${link.getAttribute("href")}>` })}`);
});

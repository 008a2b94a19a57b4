// The reference at /docs: Swagger UI of /openapi.json, with each tried request in four languages.

const parts = (request) => ({
  method: request.get("method"),
  url: request.get("url"),
  headers: (request.get("headers")?.entrySeq().toArray() ?? []).filter(([name]) => name.toLowerCase() !== "accept"),
  body: text(request.get("body")),
});

const text = (body) => (body === undefined || body === null || typeof body === "string" ? body : JSON.stringify(body));
const quoted = (value) => JSON.stringify(value);
const shell = (value) => `'${value.replaceAll("'", "'\\''")}'`;
const indent = (lines) => lines.map((line) => `    ${line}`).join("\n");

function curl(request) {
  const { method, url, headers, body } = parts(request);
  const lines = [`curl -X ${method} ${shell(url)}`, ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`)];
  if (body) lines.push(`-d ${shell(body)}`);
  return lines.join(" \\\n  ");
}

function python(request) {
  const { method, url, headers, body } = parts(request);
  const named = headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(", ");
  const data = body ? `, data=${quoted(body)}.encode()` : "";
  return `import json
import urllib.request

request = urllib.request.Request(
    ${quoted(url)},
    method=${quoted(method)}, headers={${named}}${data})
with urllib.request.urlopen(request) as answer:
    print(json.load(answer))`;
}

function javascript(request) {
  const { method, url, headers, body } = parts(request);
  const options = [`method: ${quoted(method)},`];
  if (headers.length) options.push(`headers: ${quoted(Object.fromEntries(headers))},`);
  if (body) options.push(`body: ${quoted(body)},`);
  return `const answer = await fetch(${quoted(url)}, {\n${indent(options)}\n});\nconsole.log(await answer.json());`;
}

function swift(request) {
  const { method, url, headers, body } = parts(request);
  const lines = headers.map(([name, value]) => `request.setValue(${quoted(value)}, forHTTPHeaderField: ${quoted(name)})`);
  if (body) lines.push(`request.httpBody = Data(#"${body}"#.utf8)`);
  return `import Foundation

var request = URLRequest(url: URL(string: ${quoted(url)})!)
${[`request.httpMethod = ${quoted(method)}`, ...lines].join("\n")}
let (answer, _) = try await URLSession.shared.data(for: request)
print(String(decoding: answer, as: UTF8.self))`;
}

const snippets = {
  fn: {
    requestSnippetGenerator_curl: curl,
    requestSnippetGenerator_python: python,
    requestSnippetGenerator_javascript: javascript,
    requestSnippetGenerator_swift: swift,
  },
};

/** Adds what Swagger UI lacks for screen readers and keyboards: labels and focusable elements. */
function complete() {
  for (const select of document.querySelectorAll("select:not([aria-label])")) {
    select.setAttribute("aria-label", select.closest("[data-param-name]")?.dataset.paramName ?? (select.id || "type"));
  }
  for (const example of document.querySelectorAll("pre.microlight:not([tabindex])")) example.tabIndex = 0;
  // The surrounding button does the same.
  for (const link of document.querySelectorAll(".opblock-summary-control a[href]")) link.removeAttribute("href");
}

new MutationObserver(complete).observe(document.getElementById("docs"), { childList: true, subtree: true });

window.SwaggerUIBundle({
  url: "/openapi.json",
  domNode: document.getElementById("docs"),
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl: { title: "curl", syntax: "bash" },
      python: { title: "Python", syntax: "python" },
      javascript: { title: "JavaScript", syntax: "javascript" },
      swift: { title: "Swift", syntax: "swift" },
    },
    // Otherwise Swagger UI adds its own curl commands for three shells.
    languages: ["curl", "python", "javascript", "swift"],
    defaultExpanded: true,
  },
  plugins: [snippets],
  onComplete: () => { document.body.dataset.ready = "yes"; },
});

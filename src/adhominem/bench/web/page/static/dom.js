// Elements of the page, and the HTML fragments of the server.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

export function on(id, event, act) {
  find(id).addEventListener(event, act);
}

export function make(tag, properties = {}, ...children) {
  return furnish(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), properties, children);
}

export function button(words, act, properties = {}) {
  return make("button", { type: "button", on: { click: act }, ...properties }, words);
}

export function fill(node, ...children) {
  node.replaceChildren(...present(children));
}

/** The nodes of a fragment of the server, which has escaped every text in it. */
export function parse(html) {
  const nodes = document.createDocumentFragment();
  nodes.append(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  for (const node of nodes.querySelectorAll("[data-style]")) {
    node.style.cssText = node.dataset.style; // the page allows no style attribute
    delete node.dataset.style;
  }
  return nodes;
}

function furnish(node, { on: acts = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  }
  for (const [name, act] of Object.entries(acts)) node.addEventListener(name, act);
  node.append(...present(children));
  return node;
}

function present(children) {
  return children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== null);
}

// Elements made of words: whatever comes from a text becomes a text node, never markup.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  return furnish(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), properties, children);
}

export function fill(node, ...children) {
  node.replaceChildren(...present(children));
  return node;
}

export function button(words, act, properties = {}) {
  return make("button", { type: "button", on: { click: act }, ...properties }, words);
}

export function note(...words) {
  return make("p", { class: "note" }, ...words);
}

/** `style` holds custom properties and the like, set one by one: the page allows no style attribute. */
function furnish(node, { on = {}, style = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  for (const [name, value] of Object.entries(style)) node.style.setProperty(name, value);
  for (const [name, act] of Object.entries(on)) node.addEventListener(name, act);
  node.append(...present(children));
  return node;
}

function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

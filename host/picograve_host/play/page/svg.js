// Makes elements. Texts go in as text only, whoever wrote them.
const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

export function html(tag, attributes = {}, text) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

export function button(text, act, attributes = {}) {
  const node = html("button", { type: "button", ...attributes }, text);
  node.addEventListener("click", act);
  return node;
}

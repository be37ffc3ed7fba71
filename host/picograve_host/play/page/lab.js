// The page of `picograve lab watch`: draws the blocks of a report (lab/report/page.py) each time that
// games were added. Nothing is ever read as HTML.
import { html } from "./svg.js";

const AGAIN = 1500; // milliseconds until a lost connection is tried again
const byId = (id) => document.getElementById(id);

function connect() {
  const socket = new WebSocket(new URL("ws", location.href).href.replace(/^http/, "ws"));
  socket.onmessage = (event) => {
    const { report, note } = JSON.parse(event.data);
    if (report) show(report);
    if (note) byId("status").textContent = note;
  };
  socket.onclose = () => {
    byId("status").textContent = "The connection is lost; trying again …";
    setTimeout(connect, AGAIN);
  };
}

function show({ title, played, wanted, blocks }) {
  document.title = title;
  byId("played").max = wanted;
  byId("played").value = played;
  byId("status").textContent = `${played} of ${wanted} games`;
  byId("report").replaceChildren(...blocks.map(([kind, ...parts]) => draw[kind](...parts, played)));
}

const draw = {
  Heading: (text, level) => html(`h${level}`, {}, text),
  Text: (text) => html("p", {}, text),
  Code: (text) => html("pre", {}, text),
  Items: (texts) => filled("ul", texts.map((text) => html("li", {}, text))),
  Table(head, lines) {
    const row = (tag, cells) => filled("tr", cells.map((cell) => html(tag, {}, cell)));
    return filled("div", [filled("table", [row("th", head), ...lines.map((line) => row("td", line))])]);
  },
  // The number makes the browser load it anew.
  Plot: (name, played) => html("img", { src: `${name}.svg?${played}`, alt: "Plot of the table below" }),
};

function filled(tag, children) {
  const node = html(tag);
  node.append(...children);
  return node;
}

connect();

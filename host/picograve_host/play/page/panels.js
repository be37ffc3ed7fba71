// What there is to see beside the board: figures, candidates, chances, the pool, memory.
import { html, svg } from "./svg.js";

const number = new Intl.NumberFormat("en");
const percent = (value) => `${(100 * value).toFixed(1)} %`;
const HUES = 12; // colours of the ledger's rows
const FREE = 0, SECOND = 2, NEW = 4; // as in pool.py
const FLASH = 400; // milliseconds

export function showThought(thought, state) {
  const parts = [];
  if (thought.playouts !== undefined) parts.push(`${number.format(thought.playouts)} ${state.steps}`);
  const rate = thought.rate || (thought.seconds ? Math.round(thought.playouts / thought.seconds) : 0);
  if (rate) parts.push(`${number.format(rate)} a second by its own clock`);
  if (thought.nodes_used !== undefined) parts.push(`${number.format(thought.nodes_used)} nodes used, ${number.format(thought.nodes_recycled)} recycled`);
  if (thought.depth) parts.push(`${thought.depth} plies deep`);
  byId("figures").textContent = parts.join(", ");
  byId("progress").value = state.thinking && thought.of ? thought.playouts / thought.of : 0;
  const line = thought.variation || [];
  byId("variation").textContent = line.length ? `expects ${line.join(" ")}` : "";
  const candidates = (thought.candidates || []).slice(0, 8).map(candidateRow);
  byId("candidates").replaceChildren(...(candidates.length ? [headings(), ...candidates] : []));
}

function headings() {
  const row = html("tr", { class: "quiet" });
  row.append(...["move", "visits", "value"].map((text) => html("th", { scope: "col" }, text)));
  return row;
}

function candidateRow([move, visits, value]) {
  const row = html("tr");
  row.append(html("td", {}, move), html("td", {}, number.format(visits)), html("td", {}, percent(value)));
  return row;
}

// The first player's chances, as the search saw them at each of its moves.
export function showCurve(state) {
  const curve = byId("curve");
  const seen = state.moves.flatMap(({ thought, turn }, ply) => (thought ? [[ply + 1, turn ? 1 - thought.value : thought.value]] : []));
  const last = Math.max(state.moves.length, 10);
  const at = ([ply, value]) => [(296 * ply) / last + 2, 97 - 94 * value];
  curve.replaceChildren(svg("line", { x1: 0, x2: 300, y1: 50, y2: 50, class: "half" }));
  byId("chances-of").textContent = `of ${state.players[0]}`;
  curve.setAttribute("aria-label", seen.length ? `${state.players[0]} wins with ${percent(seen.at(-1)[1])}` : "nothing thought yet");
  if (!seen.length) return;
  curve.append(svg("polyline", { points: seen.map((point) => at(point).join(",")).join(" "), class: "chance" }));
  const [cx, cy] = at(seen.at(-1));
  curve.append(svg("circle", { cx, cy, r: 3, class: "chance-dot" }));
}

// The ledger's rows, and beside them what the board's heap has free; in a match, of who is to move.
export function showLedger(state) {
  const thought = state.moves.filter(({ thought, turn }) => thought && (!state.rivals || turn === state.turn)).at(-1)?.thought;
  const free = thought?.heap_free || 0;
  const rest = thought?.heap_used ? Math.max(thought.heap_used - state.bytes, 0) : 0;
  const rows = [...state.ledger].sort((a, b) => b[1] - a[1]);
  const all = state.bytes + free + rest;
  const bar = byId("ledger");
  bar.replaceChildren();
  let x = 0;
  const add = (name, bytes, attributes) => {
    const width = (300 * bytes) / all;
    const part = svg("rect", { x, y: 0, width, height: 26, ...attributes });
    part.append(svg("title", {}, `${name}: ${number.format(bytes)} bytes`));
    bar.append(part);
    x += width;
  };
  rows.forEach(([name, bytes], i) => add(name, bytes, { fill: `hsl(${(360 / HUES) * (i % HUES) + 205} 55% ${i < HUES ? 48 : 62}%)` }));
  if (rest) add("code and the rest", rest, { fill: "#888" });
  if (free) add("free heap", free, { class: "heap-free" });
  const words = free ? `, ${number.format(free)} of the heap free` : "";
  const whose = state.rivals ? `of ${state.players[state.turn]}: ` : "";
  byId("bytes").textContent = `${whose}${number.format(state.bytes)} bytes, ${number.format(state.nodes)} nodes${words}`;
  bar.setAttribute("aria-label", `${number.format(state.bytes)} bytes${words}`);
  byId("rows").replaceChildren(...rows.slice(0, 8).map(([name, bytes], i) => ledgerRow(name, bytes, i)));
}

function ledgerRow(name, bytes, i) {
  const row = html("li", {}, `${name} ${number.format(bytes)}`);
  const swatch = svg("svg", { width: 10, height: 10, "aria-hidden": true });
  swatch.append(svg("rect", { width: 10, height: 10, fill: `hsl(${(360 / HUES) * (i % HUES) + 205} 55% 48%)` }));
  row.prepend(swatch, " ");
  return row;
}

// Every node a cell; the colours are the page's own, so it is painted again when they change.
let shownPool = null;
const paintAgain = () => shownPool && showPool(shownPool, false);
new MutationObserver(paintAgain).observe(document.documentElement, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paintAgain);

export function showPool(pool, flashes = true) {
  shownPool = pool;
  byId("pool-panel").hidden = !pool;
  if (!pool) return;
  const canvas = byId("pool");
  const bytes = Uint8Array.from(atob(pool.cells), (letter) => letter.charCodeAt(0));
  const across = Math.ceil(Math.sqrt(pool.shown * 2.5));
  const size = Math.max(2, Math.floor(800 / across));
  canvas.width = across * size;
  canvas.height = Math.ceil(pool.shown / across) * size;
  const pen = canvas.getContext("2d");
  const colours = getComputedStyle(document.documentElement);
  const [free, top, deep, flash] = ["--free", "--top", "--deep", "--flash"].map((name) => colours.getPropertyValue(name));
  const paint = (node, flashing) => {
    const [kind, age, visits] = bytes.subarray(3 * node, 3 * node + 3);
    const x = (node % across) * size, y = Math.floor(node / across) * size;
    const gap = size > 4 ? 1 : 0;
    const cell = (colour, alpha) => {
      pen.globalAlpha = alpha;
      pen.fillStyle = colour;
      pen.fillRect(x, y, size - gap, size - gap);
    };
    cell(free, 1);
    if ((kind & ~NEW) === FREE) return;
    if (flashing && kind & NEW) cell(flash, 1);
    else cell((kind & ~NEW) === SECOND ? deep : top, (0.25 + 0.75 * Math.min(visits / 160, 1)) * (1 - 0.6 * (age / 255)));
  };
  const paintAll = (flashing) => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (let node = 0; node < pool.shown; node++) paint(node, flashing);
  };
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  paintAll(flashes && !still);
  clearTimeout(showPool.timer);
  showPool.timer = setTimeout(() => paintAll(false), FLASH);
  let used = 0;
  for (let node = 0; node < pool.shown; node++) used += (bytes[3 * node] & ~NEW) !== FREE;
  const more = pool.nodes > pool.shown ? `the first ${number.format(pool.shown)} of ` : "";
  const whose = pool.owner ? `of ${pool.owner}: ` : "";
  byId("pool-of").textContent = `${whose}${more}${number.format(pool.nodes)} nodes, ${number.format(used)} in use`;
  canvas.setAttribute("aria-label", byId("pool-of").textContent);
}

export function byId(id) {
  return document.getElementById(id);
}

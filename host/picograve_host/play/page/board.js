// The board: draws a position in its shape, and says which place was clicked or chosen by key.
// Works for every game whose moves are called by places: E5 is one click, e2e4 two.
import { pieceName } from "./pieces.js";
import { shapeOf } from "./shapes.js";
import { html, svg } from "./svg.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LEAST_SHARE = 0.02; // of the visits, for a candidate to be shown

export class Board {
  // play(moves): called with the legal moves that the person's clicks may mean
  constructor(box, play) {
    this.box = box;
    this.play = play;
    this.chosen = null; // the first place of a move from place to place
    this.at = [0, 0]; // where the keyboard is
    this.drawing = null; // what is drawn, so that it is drawn anew only if it changed
  }

  draw(state, picture, mine, last) {
    const what = JSON.stringify([picture, state.legal, mine, last, this.chosen]);
    if (what === this.drawing) return;
    this.drawing = what;
    this.state = state;
    this.picture = picture;
    this.legal = mine ? state.legal : [];
    if (!picture.columns) {
      this.box.replaceChildren(html("pre", { tabindex: 0, "aria-label": "The position" }, picture.text));
      this.over = null;
      return;
    }
    const hadFocus = this.box.contains(document.activeElement);
    this.shape = shapeOf(state);
    const { columns, rows } = picture;
    this.at = [Math.min(this.at[0], columns.length - 1), Math.min(this.at[1], rows.length - 1)];
    const root = svg("svg", { viewBox: this.shape.box(columns.length, rows.length).join(" "), role: "group", "aria-label": `${state.title}, the board` });
    root.append(...this.shape.ground(columns.length, rows.length), ...this.labels());
    this.over = svg("g", { "aria-hidden": true });
    this.targets = svg("g");
    const few = this.legal.length < (columns.length * rows.length) / 2; // worth showing where
    this.eachPlace((name, column, row, letter) => {
      const mark = this.shape.mark(letter, ...this.shape.place(column, row));
      if (mark) root.append(mark);
      const target = this.target(name, column, row, letter);
      if (few && target.classList.contains("can") && !mark) root.append(this.ring(name.toUpperCase(), 0.1, "may"));
      this.targets.append(target);
    });
    for (const name of placesOf(last, this.names())) root.append(this.ring(name, 0.2, "last"));
    root.append(this.over, this.targets);
    root.addEventListener("keydown", (event) => this.key(event));
    this.box.replaceChildren(root);
    if (hadFocus) this.focus();
  }

  clear() {
    this.box.replaceChildren();
    this.drawing = this.chosen = this.over = null;
  }

  // What a search considers, and a hint, on top of the position.
  overlay(candidates, hint) {
    if (!this.over) return;
    this.over.replaceChildren();
    const all = candidates.reduce((sum, [, visits]) => sum + visits, 0) || 1;
    const names = this.names();
    for (const [move, visits, value] of candidates) {
      const name = placesOf(move, names).pop();
      if (!name || visits / all < LEAST_SHARE) continue;
      const [x, y] = this.centre(name);
      const r = 0.2 + 0.25 * Math.sqrt(visits / all);
      this.over.append(svg("circle", { cx: x, cy: y, r, class: "candidate", opacity: 0.35 + 0.65 * Math.sqrt(visits / all) }));
      this.over.append(svg("text", { x, y, class: "worth" }, Math.round(100 * value)));
    }
    for (const name of placesOf(hint, names)) this.over.append(this.ring(name, 0.46, "hint"));
  }

  labels() {
    const { columns, rows } = this.picture;
    const [x0] = this.shape.place(-0.85, 0);
    const above = columns.map((text, i) => {
      const [x, y] = this.shape.place(i, 0);
      return svg("text", { x: x - (this.shape.place(0, 1)[0] ? 0.4 : 0), y: y - 0.85, class: "label" }, text);
    });
    const left = rows.map((text, i) => {
      const [x, y] = this.shape.place(0, i);
      return svg("text", { x: x + x0, y, class: "label" }, text);
    });
    return above.concat(left);
  }

  eachPlace(visit) {
    const { columns, rows, cells } = this.picture;
    rows.forEach((number, row) => columns.forEach((letter, column) => visit(letter + number, column, row, cells[row][column])));
  }

  names() {
    const names = new Map();
    if (this.picture.columns) this.eachPlace((name, column, row) => names.set(name.toUpperCase(), [column, row]));
    return names;
  }

  centre(name) {
    return this.shape.place(...this.names().get(name));
  }

  ring(name, r, kind) {
    const [cx, cy] = this.centre(name);
    return svg("circle", { cx, cy, r, class: kind });
  }

  target(name, column, row, letter) {
    const [cx, cy] = this.shape.place(column, row);
    const can = this.meant(name).length > 0 || this.startsHere(name);
    const kind = `place${can ? " can" : ""}${this.chosen === name ? " chosen" : ""}`;
    const here = column === this.at[0] && row === this.at[1];
    const target = svg("circle", { cx, cy, r: 0.48, class: kind, role: "button", tabindex: here ? 0 : -1, "data-place": name, "aria-disabled": !can, "aria-label": `${name}, ${this.spoken(letter)}` });
    target.addEventListener("click", () => this.choose(name, column, row));
    return target;
  }

  spoken(letter) {
    if (letter === ".") return "empty";
    return (this.state.shape === "pieces" && pieceName(letter)) || { X: this.state.players[0], O: this.state.players[1] }[letter] || letter;
  }

  // The legal moves that a click on a place may mean.
  meant(name) {
    const wanted = ((this.chosen || "") + name).toUpperCase();
    return this.legal.filter((move) => {
      const upper = move.toUpperCase();
      return upper === wanted || (this.chosen !== null && upper.startsWith(wanted));
    });
  }

  startsHere(name) {
    const upper = name.toUpperCase();
    return this.legal.some((move) => placesOf(move, this.names()).length === 2 && move.toUpperCase().startsWith(upper));
  }

  choose(name, column, row) {
    this.at = [column, row];
    const moves = this.meant(name);
    if (moves.length) {
      this.chosen = null;
      this.play(moves);
    } else {
      this.chosen = this.startsHere(name) && this.chosen !== name ? name : null;
    }
    this.redraw();
  }

  redraw() {
    const last = this.state.moves.at(-1);
    this.draw(this.state, this.picture, this.legal.length > 0, last && last.move);
    this.focus();
  }

  focus() {
    this.targets?.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  key(event) {
    const step = ARROWS[event.key];
    const place = event.target.dataset.place;
    if (step) {
      const { columns, rows } = this.picture;
      const column = Math.min(Math.max(this.at[0] + step[0], 0), columns.length - 1);
      const row = Math.min(Math.max(this.at[1] + step[1], 0), rows.length - 1);
      this.targets.children[this.at[1] * columns.length + this.at[0]].setAttribute("tabindex", -1);
      this.at = [column, row];
      this.targets.children[row * columns.length + column].setAttribute("tabindex", 0);
      this.focus();
    } else if ((event.key === "Enter" || event.key === " ") && place) {
      this.choose(place, ...this.at);
    } else if (event.key === "Escape") {
      this.chosen = null;
      this.redraw();
    } else {
      return;
    }
    event.preventDefault();
  }
}

// The places that a move names: one, two, or none (pass, swap).
export function placesOf(move, names) {
  const upper = (move || "").toUpperCase();
  if (names.has(upper)) return [upper];
  for (let cut = 2; cut < upper.length; cut++) {
    const rest = [upper.slice(cut), upper.slice(cut, -1)].find((part) => names.has(part));
    if (rest && names.has(upper.slice(0, cut))) return [upper.slice(0, cut), rest];
  }
  return [];
}

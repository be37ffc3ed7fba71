// How a board of each shape looks. A shape has
//   place(column, row)         the centre of a place, counted from the upper left corner
//   ground(columns, rows)      what lies below the marks: SVG elements
//   mark(letter, x, y)         what the game's letter for a place looks like, or null
//   box(columns, rows)         [x, y, width, height] of all of it
// in units of one place. To add a shape, add an entry to SHAPES, and its name to shapes.py.
import { pieceOf } from "./pieces.js";
import { svg } from "./svg.js";

const ROOT3 = Math.sqrt(3);
const EMPTY = ".";

function square(column, row) {
  return [column, row];
}

function squareBox(columns, rows) {
  return [-1.1, -1.1, columns + 0.7, rows + 0.7];
}

function disc(letter, x, y, r = 0.45) {
  const kind = { X: "first", O: "second" }[letter];
  return kind ? svg("circle", { cx: x, cy: y, r, class: kind }) : word(letter, x, y);
}

function word(letter, x, y) {
  return letter === EMPTY ? null : svg("text", { x, y, class: "other" }, letter);
}

function stars(columns, rows) {
  if (columns !== rows || columns < 7) return [];
  const far = columns < 10 ? 2 : 3;
  const ends = [far, columns - 1 - far];
  const middle = (columns - 1) / 2;
  const places = ends.flatMap((x) => ends.map((y) => [x, y]));
  if (columns % 2) places.push([middle, middle]);
  return places.map(([cx, cy]) => svg("circle", { cx, cy, r: 0.1, class: "star" }));
}

const points = {
  place: square,
  box: squareBox,
  mark: disc,
  ground(columns, rows) {
    const drawn = [svg("rect", { x: -0.6, y: -0.6, width: columns + 0.2, height: rows + 0.2, rx: 0.1, class: "wood" })];
    let path = "";
    for (let x = 0; x < columns; x++) path += `M${x} 0V${rows - 1}`;
    for (let y = 0; y < rows; y++) path += `M0 ${y}H${columns - 1}`;
    drawn.push(svg("path", { d: path, class: "grid" }));
    return drawn.concat(stars(columns, rows));
  },
};

function squares(columns, rows, kind) {
  const drawn = [];
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      drawn.push(svg("rect", { x: x - 0.5, y: y - 0.5, width: 1, height: 1, class: kind(x, y) }));
  return drawn;
}

function crossOrNought(letter, x, y) {
  if (letter === "X") return svg("path", { d: `M${x - 0.28} ${y - 0.28}l.56 .56m0-.56l-.56 .56`, class: "cross" });
  if (letter === "O") return svg("circle", { cx: x, cy: y, r: 0.3, class: "nought" });
  return word(letter, x, y);
}

const cells = {
  place: square,
  box: squareBox,
  mark: crossOrNought,
  ground: (columns, rows) => squares(columns, rows, () => "plain"),
};

const discs = { ...cells, mark: disc, ground: (columns, rows) => squares(columns, rows, () => "felt") };

const pieces = {
  ...cells,
  mark: (letter, x, y) => pieceOf(letter, x, y) || word(letter, x, y),
  ground: (columns, rows) => squares(columns, rows, (x, y) => ((x + y) % 2 ? "dark-square" : "light-square")),
};

function hexPlace(column, row) {
  return [column + row / 2, (row * ROOT3) / 2];
}

function corners(x, y) {
  const far = 1 / ROOT3;
  return [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = (Math.PI / 3) * i - Math.PI / 2;
    return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
  });
}

// The zigzag along a side: the corners `which` of the hexagons along it.
function side(places, which) {
  return places.flatMap(([column, row]) => {
    const all = corners(...hexPlace(column, row));
    return which.map((i) => all[i].map((v) => v.toFixed(3)).join(","));
  }).join(" ");
}

const hexagons = {
  place: hexPlace,
  box: (columns, rows) => [-1.2, -1.3, columns + rows / 2 + 1.7, (rows * ROOT3) / 2 + 1.7],
  mark: (letter, x, y) => disc(letter, x, y, 0.38),
  ground(columns, rows) {
    const drawn = [];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const outline = corners(...hexPlace(column, row)).map((at) => at.map((v) => v.toFixed(3)).join(","));
        drawn.push(svg("polygon", { points: outline.join(" "), class: "hexagon" }));
      }
    const across = [...Array(columns).keys()];
    const down = [...Array(rows).keys()];
    const sides = [
      [across.map((c) => [c, 0]), [5, 0, 1], "edge-first"],
      [across.map((c) => [c, rows - 1]), [4, 3, 2], "edge-first"],
      [down.map((r) => [0, r]), [5, 4], "edge-second"],
      [down.map((r) => [columns - 1, r]), [1, 2], "edge-second"],
    ];
    for (const [places, which, kind] of sides)
      for (const part of ["edge-rim", kind])
        drawn.push(svg("polyline", { points: side(places, which), class: part }));
    return drawn;
  },
};

const SHAPES = { points, cells, hexagons, pieces };

// The shape that the server names; marks of Othello lie on felt.
export function shapeOf(state) {
  return state.title === "Othello" ? discs : SHAPES[state.shape];
}

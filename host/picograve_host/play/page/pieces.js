// Chess pieces as outlines in a box of 45 x 45, so that no font is needed.
import { svg } from "./svg.js";

const SIZE = 45;
const OUTLINES = {
  p: "M22.5 9a5 5 0 0 1 3 9c3 2 4 5 4 8h-14c0-3 1-6 4-8a5 5 0 0 1 3-9zM12 37c0-6 4-9 10.5-9s10.5 3 10.5 9z",
  r: "M12 9h5v4h3.5v-4h4v4H28v-4h5v8l-3 3v11l4 6H11l4-6V20l-3-3z",
  n: "M13 37c0-9 8-11 9-17l-7 5-5-4 8-9-1-5 6 4c9 1 12 10 11 26z",
  b: "M22.5 6a3 3 0 0 1 2 5c5 4 7 8 5 13l-3 3 3 4h4v6h-22v-6h4l3-4-3-3c-2-5 0-9 5-13a3 3 0 0 1 2-5z",
  q: "M8 13l6 9 3-13 5.5 12L28 9l3 13 6-9-4 19v5H12v-5z",
  k: "M21 5h3v3h3v3h-3v4c8-4 15 2 11 9l-5 8v5H15v-5l-5-8c-4-7 3-13 11-9v-4h-3V8h3z",
};
const NAMES = { p: "pawn", r: "rook", n: "knight", b: "bishop", q: "queen", k: "king" };

export function pieceOf(letter, x, y) {
  const outline = OUTLINES[letter.toLowerCase()];
  if (!outline) return null;
  const side = letter === letter.toLowerCase() ? "second" : "first";
  const move = `translate(${x - 0.45} ${y - 0.45}) scale(${0.9 / SIZE})`;
  return svg("path", { d: outline, transform: move, class: `piece-${side}` });
}

export function pieceName(letter) {
  const name = NAMES[letter.toLowerCase()];
  return name && `${letter === letter.toLowerCase() ? "black" : "white"} ${name}`;
}

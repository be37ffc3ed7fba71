// The form for a new game: what the server offers, and nothing else.
import { byId } from "./panels.js";
import { html } from "./svg.js";

const NUMBERS = [
  ["bytes", "Bytes", "64000", "any"],
  ["playouts", "Playouts", "", "as many as fit"],
  ["seconds", "Seconds a move", "", "no limit"],
  ["minutes", "Minutes each", "", "no clock"],
  ["seed", "Seed", "1", ""],
];
const SIDES = { first: "the first player", second: "the second player", both: "both sides", none: "nobody: watch it play" };

export function fillForm(offer, start) {
  const fields = byId("fields");
  const games = select("game", "Game", offer.games.map(({ name, title }) => [name, title]));
  const inputs = [
    games,
    select("opponent", "Opponent", offer.opponents),
    select("search", "Search", offer.searches.map((name) => [name, name])),
    select("preset", "Preset", offer.presets.map((name) => [name, name])),
    select("side", "You play", offer.sides.map((name) => [name, SIDES[name]])),
    ...NUMBERS.map(([name, title, value, hint]) => number(name, title, value, hint)),
    number("komi", "Komi", "", "7.5"),
    check("swap", "Swap rule"),
  ];
  fields.replaceChildren(...inputs.flat());
  const game = byId("f-game");
  const change = () => {
    const chosen = offer.games.find(({ name }) => name === game.value);
    byId("f-search").value = chosen.search;
    for (const option of ["komi", "swap"])
      for (const node of fields.querySelectorAll(`[data-field="${option}"]`)) node.hidden = !chosen.options.includes(option);
  };
  game.addEventListener("change", change);
  game.value = (offer.games.find(({ name }) => name === "go9") || offer.games[0]).name;
  byId("f-preset").value = "strong";
  change();
  byId("f-opponent").addEventListener("change", (event) => {
    byId("f-bytes").value = event.target.value === "desktop" ? "64000" : ""; // a board has its own
  });
  byId("form-box").onclose = () => {
    if (byId("form-box").returnValue === "start") start(wish());
  };
}

// The message that the form stands for; what is empty or hidden is left out.
function wish() {
  const message = { do: "new" };
  for (const input of byId("fields").querySelectorAll("select, input")) {
    if (input.hidden || input.value === "") continue;
    if (input.type === "checkbox") message[input.name] = input.checked;
    else message[input.name] = input.type === "number" ? Number(input.value) : input.value;
  }
  return message;
}

function labelled(name, title, input) {
  return [html("label", { for: `f-${name}`, "data-field": name }, title), input];
}

function select(name, title, options) {
  const input = html("select", { id: `f-${name}`, name, "data-field": name });
  input.append(...options.map(([value, text]) => html("option", { value }, text)));
  return labelled(name, title, input);
}

function number(name, title, value, hint) {
  return labelled(name, title, html("input", { id: `f-${name}`, name, type: "number", step: "any", value, placeholder: hint, "data-field": name }));
}

function check(name, title) {
  return labelled(name, title, html("input", { id: `f-${name}`, name, type: "checkbox", "data-field": name }));
}

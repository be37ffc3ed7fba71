// The page of `picograve play`. The server holds the game; the page shows what it is sent and sends
// what is clicked (server.py lists the messages). Nothing is ever read as HTML.
//
// board.js    the board, for mouse, touch and keys       shapes.js  what each shape looks like
// panels.js   figures, chances, pool, memory             pieces.js  chess pieces
// form.js     the form for a new game                    svg.js     makes elements
import { Board, placesOf } from "./board.js";
import { fillForm } from "./form.js";
import { byId, showCurve, showLedger, showPool, showThought } from "./panels.js";
import { button, html } from "./svg.js";

const AGAIN = 1500; // milliseconds until a lost connection is tried again
let socket, state = null, seat = false, looking = null, live = null, hint = null, note = "";
let begun = null; // number of the game that the person has left for a new one
let clockAt = 0; // when the state came, by performance.now()
const board = new Board(byId("board"), choose);

function connect() {
  socket = new WebSocket(new URL("ws", location.href).href.replace(/^http/, "ws"));
  socket.onmessage = (event) => {
    for (const [kind, data] of Object.entries(JSON.parse(event.data))) hear[kind]?.(data);
  };
  socket.onclose = () => {
    seat = false;
    say("The connection is lost; trying again …");
    setTimeout(connect, AGAIN);
  };
}

function send(message) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  else byId("error").textContent = "Not connected: try again in a moment";
}
const act = (message) => { byId("error").textContent = ""; send(message); };
const play = (move) => act({ do: "play", move, at: [state.number, state.moves.length] });
const begin = (message) => { begun = state?.number ?? null; act(message); show(); };

const hear = {
  offer(offer) {
    byId("open-form").hidden = Boolean(offer.match); // a match has its own games
    if (offer.games) fillForm(offer, begin);
    byId("open-form").disabled = false;
  },
  seat: (mine) => { seat = mine; show(); },
  state(news) {
    if (!news) return leave();
    if (!state || news.number !== state.number || news.moves.length < state.moves.length) { showPool(null); live = null; }
    if (!state || news.moves.length !== state.moves.length) looking = hint = live = null;
    if (!news.thinking) live = null;
    state = news;
    clockAt = performance.now();
    show();
  },
  live(thought) {
    if (!state?.thinking) return;
    live = thought;
    if (live.pool) showPool(live.pool);
    if (looking) return;
    showThought(live, state);
    board.overlay(live.candidates, null);
  },
  progress(made) {
    if (!state?.thinking) return;
    live = { ...live, ...made };
    if (!looking) showThought(live, state);
  },
  pool: (pool) => { if (pool) showPool(pool); },
  hint: (found) => { hint = found; show(); },
  look: (picture) => { looking = picture; show(); },
  note: (text) => { note = text; show(); },
  error: (text) => { byId("error").textContent = text; begun = null; show(); },
  record: ({ name, text }) => save(name, text),
};

// A game that could not begin: the one before is gone, too.
function leave() {
  state = live = hint = looking = begun = null;
  board.clear();
  showPool(null);
  for (const id of ["who", "clocks", "actions", "words", "figures", "variation", "candidates", "curve", "moves", "records", "steps"]) byId(id).replaceChildren();
  byId("typed").hidden = true;
  say("There is no game. Begin a new one.");
}

// Until a new game is there, the old one is only looked at.
const isMine = () => seat && state && state.number !== begun && !state.result && !state.thinking && state.seats.includes(state.turn);

function show() {
  if (!state) return say(note || "Loading …");
  const pair = state.rivals || [state.title, `${state.search} on ${state.where}`];
  byId("who").textContent = pair.join(" against ");
  const picture = looking || state.picture;
  const mine = isMine() && !looking;
  byId("board").dataset.game = state.number;
  const last = state.moves[picture.ply - 1];
  board.draw(state, picture, mine, last?.move);
  const thought = looking ? state.moves[picture.ply]?.thought || last?.thought : live || last?.thought || state.moves.at(-2)?.thought;
  const ahead = looking ? state.moves[picture.ply]?.thought?.candidates : live?.candidates;
  board.overlay(ahead || [], hint?.move);
  showThought(thought || {}, state);
  showCurve(state);
  showLedger(state);
  showActions(mine);
  showMoves(picture.ply);
  say(statusText(picture));
}

function statusText(picture) {
  if (note) return note;
  if (looking) return `Move ${picture.ply} of ${state.moves.length}`;
  if (state.result) return `The game is over: ${state.result}`;
  const last = state.moves.at(-1);
  const before = last ? `${state.players[last.turn]} played ${last.move}. ` : "";
  if (state.thinking) return `${before}${state.players[state.turn]} is thinking …`;
  if (state.paused && !state.seats.length) return `${before}Paused before ${state.players[state.turn]}'s move.`;
  if (!seat) return `${before}You are watching; another page holds the seat.`;
  const advice = hint ? ` A search would play ${hint.move}, ${Math.round(100 * hint.value)} %.` : "";
  return `${before}Your move, ${state.players[state.turn]}.${advice}`;
}

function showActions(mine) {
  const names = board.names();
  const words = state.legal.filter((move) => !placesOf(move, names).length);
  const onBoard = Boolean(state.picture.columns);
  const keys = (text, message, can) => button(text, () => act(message), can ? {} : { disabled: "" });
  const over = Boolean(state.result);
  refill(byId("actions"), [
    ...(onBoard && mine ? words.map((move) => button(capital(move), () => play(move))) : []),
    ...(state.seats.length ? [] : [
      state.paused ? keys("Go on", { do: "go" }, seat && !over) : keys("Pause", { do: "pause" }, seat && !over),
      keys("Step", { do: "step" }, seat && !over && !state.thinking),
    ]),
    ...(state.rivals ? [keys("Next game", { do: "new" }, seat)] : []),
    keys("Stop", { do: "stop" }, seat && state.thinking),
    keys("Undo", { do: "undo" }, seat && state.moves.length > 0),
    keys("Hint", { do: "hint" }, mine),
    keys("Switch sides", { do: "switch" }, seat && !over && !state.rivals),
    keys("Resign", { do: "resign" }, seat && !over && state.seats.length > 0),
  ]);
  byId("typed").hidden = !mine;
  refill(byId("words"), onBoard || !mine ? [] : words.map((move) => button(move, () => play(move))));
}

// Buttons that are there stay, so that a click which begins on one ends on it, too.
function refill(box, buttons) {
  const same = box.childElementCount === buttons.length && buttons.every((one, i) => one.textContent === box.children[i].textContent);
  if (!same) return box.replaceChildren(...buttons);
  buttons.forEach((one, i) => { box.children[i].disabled = one.disabled; });
}

// Several moves are possible only where a pawn becomes another piece.
function choose(moves) {
  if (moves.length === 1) return play(moves[0]);
  byId("words").replaceChildren(...moves.map((move) => button(move, () => play(move))));
  byId("words").firstChild.focus();
}

function showMoves(ply) {
  const steps = [["«", 0, "To the start"], ["‹", ply - 1, "One move back"], ["›", ply + 1, "One move on"], ["»", state.moves.length, "To the end"]];
  byId("steps").replaceChildren(...steps.map(([text, to, title]) => button(text, () => look(to), { "aria-label": title, ...(to < 0 || to > state.moves.length ? { disabled: "" } : {}) })));
  const list = state.moves.map(({ move, thought }, i) => {
    const item = html("li");
    const title = thought ? `${(100 * thought.value).toFixed(1)} %, ${thought.playouts} playouts` : "";
    item.append(button(`${i + 1} ${move}`, () => look(i + 1), { title, class: i + 1 === ply ? "now" : "" }));
    return item;
  });
  if (byId("moves").childElementCount !== list.length || looking || !state.thinking) byId("moves").replaceChildren(...list);
  refill(byId("records"), state.records.map((kind) => button(RECORDS[kind], () => send({ do: "record", kind }))));
}

const RECORDS = { sgf: "Save SGF", pgn: "Save PGN", txt: "Save moves", jsonl: "Save memory log" };

function look(ply) {
  if (ply === state.moves.length) { looking = null; show(); } else send({ do: "look", ply });
}

function save(name, text) {
  const link = html("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.click();
  URL.revokeObjectURL(link.href);
}

function showClocks() {
  if (!state) return;
  const { used, limit } = state.clock;
  const runs = state.result ? -1 : state.turn;
  const passed = (performance.now() - clockAt) / 1000;
  byId("clocks").replaceChildren(...state.players.map((name, side) => {
    const seconds = used[side] + (side === runs ? passed : 0);
    const shown = Math.max(0, limit ? limit - seconds : seconds);
    if (limit && seconds > limit && side === runs && seat) { clockAt = Infinity; send({ do: "flag" }); }
    return html("span", { class: side === runs ? "runs" : "" }, `${name} ${Math.floor(shown / 60)}:${String(Math.floor(shown % 60)).padStart(2, "0")}`);
  }));
}

function say(text) {
  if (byId("status").textContent !== text) byId("status").textContent = text;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

if (localStorage.getItem("theme")) document.documentElement.dataset.theme = localStorage.getItem("theme");
byId("theme").addEventListener("click", switchTheme);
byId("open-form").addEventListener("click", () => {
  byId("form-box").returnValue = ""; // Escape must not start the game of last time
  byId("form-box").showModal();
});
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = byId("typed-move").value.trim();
  if (move) play(move);
  byId("typed-move").value = "";
});
setInterval(showClocks, 250);
connect();

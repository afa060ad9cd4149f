// The network desk: cards, edges and what is drawn over them, as a function of the state.

import { createCanvas } from "./canvas.js";
import { createCards } from "./cards.js";
import { HEADER } from "./card.js";
import { replace, s } from "../frame/dom.js";
import { say } from "../frame/words.js";
import { arrowHeads, createEdges, pathOf, straightRoute } from "./edges.js";
import { createMinimap } from "./minimap.js";
import { listenToPointer } from "./pointer.js";
import { behindBars } from "./state.js";

const NEVER = Symbol("never drawn");

/** @param {App} app @param {HTMLElement} corner where the minimap goes */
export function createDesk(app, svg, corner) {
  /** @type {any} */
  const desk = { wasDragged: false };
  listenToPointer(app, svg, desk);
  const canvas = createCanvas(svg, onMoved);
  const [edgeLayer, constraintLayer, cardLayer] = ["edges", "constraints", "cards"].map((name) => s("g", { class: name }));
  svg.prepend(arrowHeads());
  canvas.world.append(edgeLayer, constraintLayer, cardLayer);
  const cards = createCards(cardLayer);
  const edges = createEdges(edgeLayer);
  const minimap = createMinimap(corner, canvas);
  /** @type {any[]} */
  let drawn = [NEVER];
  /** @type {any[]} */
  let painted = [NEVER];
  /** @type {any} */
  let fitted = NEVER;

  function onMoved() {
    cards.show(canvas.seen(), app.state.names);
    cardLayer.classList.toggle("far", canvas.scale < 0.15);
    minimap.move();
  }

  function shownVariables() {
    const network = /** @type {Network} */ (app.data.network);
    const { focus } = app.state;
    if (focus === null) return network.variables;
    const near = neighbourhood(network, focus);
    return network.variables.filter(({ name }) => near.has(name));
  }

  function draw() {
    const network = /** @type {Network} */ (app.data.network);
    const variables = shownVariables();
    const names = new Set(variables.map(({ name }) => name));
    const isShown = (name) => names.has(name);
    svg.setAttribute("aria-label", say("network {0}", network.name));
    edges.draw(network, isShown);
    const focused = cards.draw(network, isShown, app.state.open);
    minimap.draw(variables);
    const wanted = JSON.stringify([network.name, app.state.focus]);
    if (fitted !== wanted) desk.fit();
    // a network that would be dust is shown from its first card on; the minimap and `f` show all
    if (fitted !== wanted && canvas.scale < 0.1) canvas.show(variables[0], true);
    fitted = wanted;
    cards.show(canvas.seen(), app.state.names);
    if (focused) desk.focus(focused.variable, focused.state);
  }

  /** @param {Network} network */
  function drawConstraints({ variables }) {
    const byName = new Map(variables.map((variable) => [variable.name, variable]));
    const lines = /** @type {const} */ (["forbidden", "demanded"]).flatMap((list) =>
      app.state.constraints[list].map(([from, to]) => {
        const [parent, child] = [byName.get(from), byName.get(to)];
        return parent && child && s("path", {
          class: `constraint ${list}`, d: pathOf(straightRoute(parent, child)), "marker-end": "url(#arrow)",
        });
      }));
    replace(constraintLayer, lines);
  }

  addEventListener("beforeprint", () => app.data.network && canvas.print(boundsOf(shownVariables())));
  addEventListener("afterprint", () => canvas.print(null));

  return Object.assign(desk, {
    canvas, cards,
    variable: (name) => app.data.network?.variables.find((one) => one.name === name),
    fit: () => app.data.network && canvas.fit(boundsOf(shownVariables())),
    redraw() { drawn = [NEVER]; desk.render(); },
    /** Show a card elsewhere, while it is being moved. @param {Variable} moved */
    place(moved) {
      cards.get(moved.name)?.group.setAttribute("transform", `translate(${moved.x} ${moved.y})`);
      edges.follow(app.data.network, moved);
    },
    /** Select a variable and bring it into view. */
    find(name) {
      if (app.state.focus !== null && !cards.get(name)) app.send({ kind: "neighbourhood_shown", variable: null });
      app.send({ kind: "variable_selected", variable: name });
      const variable = desk.variable(name);
      if (variable) canvas.show(variable, true);
      cards.show(canvas.seen(), app.state.names);
      desk.focus(name, null);
    },
    /** Put the focus on a state, or on the name. */
    focus(name, state) {
      const stops = cards.stops(name);
      const stop = stops[state === null ? 0 : Math.min(stops.length - 1, Number(state) + 1)];
      if (!stop) return;
      svg.querySelectorAll('[tabindex="0"]').forEach((other) => other.setAttribute("tabindex", "-1"));
      stop.setAttribute("tabindex", "0");
      stop.focus({ preventScroll: true });
    },
    render() {
      const { network } = app.data;
      svg.classList.toggle("drawing", app.state.drawing !== null);
      if (!network || network.refused) return;
      const inputs = [network, app.state.focus, app.state.language, app.state.constraints, app.state.names];
      if (!same(inputs, drawn)) {
        draw();
        drawConstraints(network);
        drawn = inputs;
        painted = [NEVER];
      }
      const shown = shownOf(app);
      const values = Object.values(shown.inputs);
      if (!same(values, painted)) {
        cards.update(shown.view);
        edges.mark(app.data.separation?.path ?? null);
        painted = values;
      }
      svg.classList.toggle("is-old", isOld(app));
      if (!svg.querySelector('[tabindex="0"]')) svg.querySelector(".header")?.setAttribute("tabindex", "0");
    },
  });
}

/** Whether the bars are not those of this evidence: impossible, or not computed. @param {App} app */
const isOld = ({ data }) => Boolean(data.answer?.impossible || data.answer?.costly || data.answer?.refused);

/** What the cards show, and what that depends on. @param {App} app */
function shownOf({ state, data }) {
  const { answer, scenarios, separation, mostProbable, bars, ghost } = data;
  const inputs = {
    evidence: state.evidence, selected: state.selected, target: state.target, from: state.from,
    likely: state.likely, becoming: state.becoming, pinned: state.pinned, kept: state.scenarios, answer, scenarios, separation, mostProbable, bars, ghost,
  };
  const view = {
    ...inputs,
    probabilities: bars?.probabilities ?? null,
    ghosts: behindBars(state, data)?.probabilities ?? null,
    errors: bars?.standard_errors ?? null,
    mostProbable: mostProbable?.states ?? null,
    clashing: new Set(answer?.impossible?.variables ?? []),
    connected: separation?.connected ? new Set([...separation.connected, state.from]) : null,
    onPath: new Set(separation?.path ?? []),
  };
  return { inputs, view };
}

const same = (one, other) => one.length === other.length && one.every((value, place) => value === other[place]);

/** A variable, its parents, its children and their other parents. @param {Network} network */
export function neighbourhood({ variables }, name) {
  const near = new Set([name]);
  for (const variable of variables) {
    if (variable.name === name) variable.parents.forEach((parent) => near.add(parent));
    if (variable.parents.includes(name)) [variable.name, ...variable.parents].forEach((other) => near.add(other));
  }
  return near;
}

/** @param {Variable[]} variables */
export function boundsOf(variables) {
  if (variables.length === 0) return { x: 0, y: 0, width: 400, height: HEADER };
  const left = Math.min(...variables.map(({ x }) => x));
  const top = Math.min(...variables.map(({ y }) => y));
  return {
    x: left, y: top,
    width: Math.max(...variables.map(({ x, width }) => x + width)) - left,
    height: Math.max(...variables.map(({ y, height }) => y + height)) - top,
  };
}

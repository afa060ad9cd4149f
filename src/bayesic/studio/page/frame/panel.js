// The panel: one column of sections that open and close, each drawn anew only when its inputs change.

import { h, replace, setAttribute, setText } from "./dom.js";
import { say } from "./words.js";

/**
 * What a section shows. A section is this, or fetches it when it is first opened.
 * @typedef {object} Contents
 * @property {(app: any) => any[]} inputs   what it is drawn from; drawn again when one of them changes
 * @property {(app: any) => any[]} draw
 *
 * @typedef {{id: string, title: (app: any) => string}} Titled
 * @typedef {Titled & Contents} Section
 * @typedef {Titled & {load: () => Promise<{contents: Contents}>}} LaterSection
 */

/**
 * @param {PageApp<any>} app
 * @param {[string, (Section | LaterSection)[]][]} groups   a heading, and the sections below it
 * @param {() => any} basis   what all sections need; while there is none, they are empty
 */
export function createPanel(app, place, groups, basis) {
  const headings = groups.map(([title, sections]) => {
    const heading = h("h2", {});
    const frames = sections.map(framed);
    place.append(heading, ...frames.map(({ details }) => details));
    return { heading, title, frames };
  });

  /** @param {Section | LaterSection} section */
  function framed(section) {
    const isOpen = () => Boolean(app.state.panels[section.id]);
    const open = (wanted) => app.send({ kind: "section_opened", section: section.id, open: wanted });
    // the state changes first: a section that opened by itself could be closed again by what is drawn meanwhile
    const summary = h("summary", { onclick: (event) => { event.preventDefault(); open(!isOpen()); bring(); } });
    const body = h("div", { class: "section-body" });
    const details = h("details", {
      class: "section", id: `section-${section.id}`,
      ontoggle: () => details.open !== isOpen() && open(details.open), // the browser finds a text in it
    }, summary, body);
    const contents = /** @type {Contents | null} */ ("load" in section ? null : section);
    /** What was opened is brought into view, as far as it has room. */
    const bring = () => requestAnimationFrame(() => details.open && details.scrollIntoView({ block: "nearest" }));
    return { section, details, summary, body, contents, isAsked: false, drawn: /** @type {any[] | null} */ (null) };
  }

  /** @param {ReturnType<typeof framed>} frame */
  async function fetchContents(frame) {
    if (frame.isAsked || !("load" in frame.section)) return;
    frame.isAsked = true;
    try {
      frame.contents = (await frame.section.load()).contents;
      app.render();
    } catch {
      frame.isAsked = false; // the server is gone; once more when it is back
    }
  }

  return {
    render() {
      setAttribute(place, "aria-label", say("panel"));
      for (const { heading, title } of headings) setText(heading, say(title));
      for (const frame of headings.flatMap(({ frames }) => frames)) {
        setText(frame.summary, frame.section.title(app));
        const isOpen = Boolean(app.state.panels[frame.section.id]);
        if (frame.details.open !== isOpen) frame.details.open = isOpen;
        if (!frame.details.open) continue;
        if (!frame.contents) { fetchContents(frame); continue; }
        const inputs = [...frame.contents.inputs(app), app.state.language, basis()];
        const { drawn } = frame;
        if (drawn && inputs.every((value, number) => value === drawn[number])) continue;
        frame.drawn = inputs;
        replace(frame.body, basis() ? frame.contents.draw(app) : []);
      }
    },
  };
}

import katex from "katex";
import "katex/dist/katex.min.css";

/**
 * Typesets a formula in its place. KaTeX builds elements and sets styles through the CSSOM, which the content security policy
 * allows; `trust: false` refuses links, pictures and HTML in formulas. A faulty formula stays as source.
 */
export function drawFormula(place: HTMLElement): void {
  const source = place.dataset["source"];
  if (source === undefined) return;
  const drawn = document.createElement("span");
  try {
    katex.render(source, drawn, {
      displayMode: place.classList.contains("wide"),
      trust: false,
      strict: "ignore",
      maxExpand: 1000,
      maxSize: 20,
      output: "htmlAndMathml",
    });
  } catch (error) {
    place.title = error instanceof Error ? error.message.slice(0, 200) : "";
    place.classList.add("faulty");
    return;
  }
  place.replaceChildren(drawn);
}

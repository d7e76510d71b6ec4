import mermaid from "mermaid";
import type { DiagramRequest, DrawnDiagram } from "./mermaid-drawings.ts";

/** The script of `mermaid-frame.html`: draws the diagrams that the app sends, one at a time. */
let last: Promise<unknown> = Promise.resolve();

addEventListener("message", ({ source, data }: MessageEvent<DiagramRequest>) => {
  if (source !== parent) return;
  last = last.then(async () => parent.postMessage(await draw(data), "*"));
});
parent.postMessage("ready", "*");

async function draw({ id, source, isDark }: DiagramRequest): Promise<DrawnDiagram> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: isDark ? "dark" : "neutral",
    fontFamily: "system-ui, sans-serif",
    maxTextSize: 50_000,
    maxEdges: 500,
    // A diagram may not change these in its `init` directive.
    secure: [
      "secure",
      "securityLevel",
      "startOnLoad",
      "maxTextSize",
      "maxEdges",
      "htmlLabels",
      "themeCSS",
      "fontFamily",
    ],
  });
  try {
    const { svg } = await mermaid.render(`drawing-${id}`, source);
    return { id, svg };
  } catch (error) {
    return { id, error: (error instanceof Error ? error.message : String(error)).slice(0, 300) };
  }
}

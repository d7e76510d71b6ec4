/** Answer of the frame that draws: an SVG, or the error of a faulty diagram. */
export type DrawnDiagram =
  | { readonly id: number; readonly svg: string }
  | { readonly id: number; readonly error: string };

export interface DiagramRequest {
  readonly id: number;
  readonly source: string;
  readonly isDark: boolean;
}

const PATIENCE_MS = 20_000;
let frame: Promise<Window> | undefined;
let requests = 0;

/**
 * Draws a Mermaid diagram in its place, as a picture. Mermaid needs inline styles, which the app's content security policy forbids: it
 * runs in a sandboxed frame without an origin, and its SVG is shown by `<img>`, where no script and no request is possible.
 */
export async function drawMermaid(place: HTMLElement, isDark: boolean): Promise<void> {
  const source = place.dataset["source"];
  if (source === undefined || place.dataset["drawn"] === String(isDark)) return;
  const drawn = await askFrame(source, isDark);
  place.dataset["drawn"] = String(isDark);
  if ("error" in drawn) {
    place.classList.add("faulty");
    place.title = drawn.error;
    return;
  }
  const picture = place.querySelector("img") ?? document.createElement("img");
  const before = picture.src;
  picture.src = URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" }));
  if (before !== "") URL.revokeObjectURL(before);
  picture.alt = source;
  const size = /viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"/.exec(drawn.svg);
  if (size) [picture.width, picture.height] = [Math.ceil(Number(size[1])), Math.ceil(Number(size[2]))];
  place.replaceChildren(picture);
}

async function askFrame(source: string, isDark: boolean): Promise<DrawnDiagram> {
  const target = await (frame ??= openFrame());
  const id = ++requests;
  return new Promise((resolve) => {
    const end = (answer: DrawnDiagram): void => {
      clearTimeout(limit);
      removeEventListener("message", listen);
      resolve(answer);
    };
    const listen = ({ source: from, data }: MessageEvent<DrawnDiagram>): void => {
      if (from === target && data.id === id) end(data);
    };
    const limit = setTimeout(() => end({ id, error: "Mermaid did not answer" }), PATIENCE_MS);
    addEventListener("message", listen);
    // The frame has no origin that could be named.
    target.postMessage({ id, source, isDark } satisfies DiagramRequest, "*");
  });
}

function openFrame(): Promise<Window> {
  const element = document.createElement("iframe");
  element.setAttribute("sandbox", "allow-scripts");
  element.className = "drawing-frame";
  element.title = "Mermaid";
  element.tabIndex = -1;
  element.setAttribute("aria-hidden", "true");
  element.src = "/app/mermaid-frame.html";
  return new Promise((resolve) => {
    const ready = ({ source, data }: MessageEvent): void => {
      if (source !== element.contentWindow || data !== "ready") return;
      removeEventListener("message", ready);
      resolve(element.contentWindow!);
    };
    addEventListener("message", ready);
    document.body.append(element);
  });
}

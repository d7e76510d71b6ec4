import { html } from "hono/html";
import { type FlowerWish, flowerShape } from "../domain/flower.ts";

type Html = ReturnType<typeof html>;

/** A flower with its stem, as SVG. The page's style sets its hues: `--flower`, `--flower-2`, `--flower-3`. */
export function flowerSvg(text: string, wish: FlowerWish, look: "" | "draft" = ""): Html {
  const { viewBox, petals, heart, seeds, stem, leaves } = flowerShape(text, wish);
  const [, , width, height] = viewBox.split(" ").map(Number);
  return html`<svg class="flower ${look}" width="${Math.round((wish.sizePx * width!) / height!)}" height="${wish.sizePx}" viewBox="${viewBox}" aria-hidden="true">
${stem === undefined ? "" : html`<path class="stem" d="${stem}"/>`}
${leaves.map(({ path, transform }) => html`<path class="leaf" d="${path}" transform="${transform}"/>`)}
${petals.map(
  ({ ring, turn, path, vein }) =>
    html`<g transform="rotate(${turn})"><path class="petal ring-${ring}" d="${path}"/>${vein === undefined ? "" : html`<path class="vein" d="${vein}"/>`}</g>`,
)}
<circle class="heart" r="${heart}"/>
${seeds.map(({ x, y, r }) => html`<circle class="seed" cx="${x}" cy="${y}" r="${r}"/>`)}
</svg>`;
}

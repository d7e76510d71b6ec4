import type { Language } from "../../base/text.ts";
import type { Diagram } from "../diagram/diagram.ts";
import { type Finding, hasErrors } from "../finding.ts";
import { drawDiagram } from "./draw.ts";
import { escaped } from "./paint/xml.ts";

export interface Exhibit {
  readonly name: string;
  readonly diagram: Diagram;
  /** Findings of the check; the findings of the drawing are added. */
  readonly findings: readonly Finding[];
}

export interface GalleryOptions {
  readonly language: Language;
  readonly title?: string;
}

const words = {
  uk: {
    title: "Галерея діаграм",
    dark: "Темна тема",
    icons: "ікон",
    clean: "без зауважень",
    turned: "повернуто питання",
  },
  en: {
    title: "Gallery of diagrams",
    dark: "Dark theme",
    icons: "icons",
    clean: "no findings",
    turned: "questions turned",
  },
} as const satisfies Record<Language, Record<string, string>>;

/** An HTML page with every diagram, its name and its findings. Self-contained: no scripts and no external resources. */
export function galleryPage(exhibits: readonly Exhibit[], { language, title }: GalleryOptions): string {
  const said = words[language];
  const heading = title ?? said.title;
  const places = exhibits.map((exhibit, at) => figure(exhibit, at, language));
  const contents = exhibits.map(({ name }, at) => `<li><a href="#d${at}">${escaped(name)}</a></li>`).join("\n");
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(heading)}</title>
<style>${STYLE}</style>
</head>
<body>
<input type="checkbox" id="dark"><label for="dark">${said.dark}</label>
<h1>${escaped(heading)} (${exhibits.length})</h1>
<nav><ol>
${contents}
</ol></nav>
<main>
${places.join("\n")}
</main>
</body>
</html>
`;
}

function figure({ name, diagram, findings }: Exhibit, at: number, language: Language): string {
  const said = words[language];
  const light = drawDiagram(diagram, { name, language, theme: "light" });
  const dark = drawDiagram(diagram, { name, language, theme: "dark" });
  const all = [...findings, ...light.findings];
  const about = [`${said.icons}: ${diagram.icons.size}`, ...(all.length === 0 ? [said.clean] : [])];
  if (light.turned.size > 0) about.push(`${said.turned}: ${[...light.turned].join(", ")}`);
  const told = all
    .slice(0, 20)
    .map(
      ({ code, icon, message }) =>
        `<li>${code}${icon === undefined ? "" : ` ${escaped(icon)}`}: ${escaped(message[language])}</li>`,
    )
    .join("\n");
  return `<figure id="d${at}" class="${hasErrors(all) ? "bad" : "good"}">
<figcaption><h2>${escaped(name)}</h2><p>${escaped(about.join(" · "))}</p>${told === "" ? "" : `<ul>\n${told}\n</ul>`}</figcaption>
<div class="light">${light.svg}</div>
<div class="dark">${dark.svg}</div>
</figure>`;
}

/** The theme is switched by a check box: the content security policy may forbid scripts. */
const STYLE = [
  "body{font-family:'Segoe UI',Roboto,Arial,sans-serif;margin:2rem;background:#fff;color:#18212b}",
  "nav ol{columns:18rem;font-size:.9rem;overflow-wrap:anywhere}",
  "main{display:flex;flex-wrap:wrap;align-items:flex-start;gap:2rem}",
  "figure{margin:0;border-top:1px solid #8884;padding-top:1rem;max-width:100%}",
  "figure>div{overflow:auto;max-height:90vh;border-radius:8px}",
  "figcaption{max-width:40rem}figcaption h2{margin:0;font-size:1.1rem}figcaption p,figcaption ul{font-size:.9rem;color:#5b6774}",
  ".bad h2{color:#c0392b}",
  "figure>.dark{display:none}",
  "#dark:checked~main>figure>.dark{display:block}#dark:checked~main>figure>.light{display:none}",
  "body:has(#dark:checked){background:#0c0f13;color:#e8edf3}",
].join("");

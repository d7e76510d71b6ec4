import { type Language, verbatim } from "../../base/text.ts";
import { drawDiagram } from "../../drakon/draw/draw.ts";
import { galleryPage } from "../../drakon/draw/gallery.ts";
import { type DrawingTheme, themes } from "../../drakon/draw/paint/theme.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { type NamedDiagram, nameOf, writeFile } from "./diagram-files.ts";

/** SVG to the standard output, to a file, or several into a folder. Broken diagrams are drawn as far as they go. */
export async function drawDiagrams(
  context: Context,
  diagrams: readonly NamedDiagram[],
  language: Language,
): Promise<Report> {
  const out = textOption(context, "out");
  const theme = themeOf(context);
  if (diagrams.length > 1 && out === undefined) {
    throw wrongUse(
      { en: "several pictures need a folder", uk: "кілька рисунків потребують теки" },
      { en: "Name it with --out DIR.", uk: "Назвіть її: --out ТЕКА." },
    );
  }
  const drawn = diagrams.map(({ file, name, checked }) => {
    const { svg, findings, picture } = drawDiagram(checked.diagram, { language, theme, name });
    const target =
      out === undefined ? undefined : diagrams.length > 1 ? `${out}/${nameOf(file) || "diagram"}.svg` : out;
    return {
      file,
      target,
      width: picture.width,
      height: picture.height,
      findings: [...checked.findings, ...findings],
      svg,
    };
  });
  for (const { target, svg } of drawn) if (target !== undefined) await writeFile(context, target, svg);
  if (out === undefined) return { text: verbatim(drawn[0]!.svg.trimEnd()), json: drawn[0], asked: true };
  const targets = drawn.map(({ target }) => target).join(", ");
  const json = drawn.map(({ svg, ...rest }) => ({ ...rest, bytes: Buffer.byteLength(svg) }));
  return { text: { en: `Drew ${targets}`, uk: `Нарисовано ${targets}` }, json };
}

/** One page that shows them all, in light and dark. */
export async function drawGallery(
  context: Context,
  diagrams: readonly NamedDiagram[],
  language: Language,
): Promise<Report> {
  const page = galleryPage(
    diagrams.map(({ file, name, checked }) => ({
      name: name || file,
      diagram: checked.diagram,
      findings: checked.findings,
    })),
    { language },
  );
  const out = textOption(context, "out");
  if (out === undefined) return { text: verbatim(page.trimEnd()), json: { page }, asked: true };
  await writeFile(context, out, page);
  return {
    text: {
      en: `Drew ${diagrams.length} diagrams into ${out}`,
      uk: `Нарисовано діаграм: ${diagrams.length}, у ${out}`,
    },
    json: { file: out, diagrams: diagrams.length },
  };
}

export function themeOf(context: Context): DrawingTheme {
  const asked = textOption(context, "theme") ?? "light";
  const theme = themes.find((one) => one === asked);
  if (theme) return theme;
  throw wrongUse(
    { en: `no such theme: ${asked}`, uk: `немає такої теми: ${asked}` },
    { en: `Use ${themes.join(", ")}.`, uk: `Є такі: ${themes.join(", ")}.` },
  );
}

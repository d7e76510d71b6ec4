import { type Language, verbatim } from "../../base/text.ts";
import { drawDiagram } from "../../drakon/draw/draw.ts";
import { galleryPage } from "../../drakon/draw/gallery.ts";
import { type DrawingTheme, themes } from "../../drakon/draw/paint/theme.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { choiceOption, textOption } from "../options.ts";
import { type DiagramFile, diagramNameOf, writeFile } from "./diagram-files.ts";

/** Writes SVG to standard output, to a file, or several into a folder. Broken diagrams are drawn as far as possible. */
export async function drawDiagrams(
  context: CommandContext,
  diagrams: readonly DiagramFile[],
  language: Language,
): Promise<CommandReport> {
  const out = textOption(context, "out");
  const theme = themeOption(context);
  if (diagrams.length > 1 && out === undefined) {
    throw usageError(
      { en: "diagram draw: several files need an output folder", uk: "кілька рисунків потребують теки" },
      { en: "Add --out DIR.", uk: "Назвіть її: --out ТЕКА." },
    );
  }
  const drawn = diagrams.map(({ file, name, checked }) => {
    const { svg, findings, picture } = drawDiagram(checked.diagram, { language, theme, name });
    const target =
      out === undefined ? undefined : diagrams.length > 1 ? `${out}/${diagramNameOf(file) || "diagram"}.svg` : out;
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
  return { text: { en: `Wrote ${targets}`, uk: `Нарисовано ${targets}` }, json };
}

/** An HTML page with all diagrams, in both themes. */
export async function drawGallery(
  context: CommandContext,
  diagrams: readonly DiagramFile[],
  language: Language,
): Promise<CommandReport> {
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
    text: { en: `Wrote ${diagrams.length} diagrams to ${out}`, uk: `Нарисовано діаграм: ${diagrams.length}, у ${out}` },
    json: { file: out, diagrams: diagrams.length },
  };
}

export const themeOption = (context: CommandContext): DrawingTheme => choiceOption(context, "theme", themes) ?? "light";

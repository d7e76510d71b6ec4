import { type RefObject, useEffect } from "react";
import { useIsDark } from "./use-is-dark.ts";

/** Draws the formulas and diagrams in rendered HTML. The code for it is loaded at the first one; on a failure the source stays. */
export function useDrawings(shown: RefObject<HTMLElement | null>, html: string): void {
  const isDark = useIsDark();
  const hasFormula = html.includes('class="formula');
  const hasDrawing = html.includes('class="drawing"');
  useEffect(() => {
    if (!hasFormula || !shown.current) return;
    const places = shown.current.querySelectorAll<HTMLElement>(".formula[data-source]");
    void import("./formulas.ts").then(({ drawFormula }) => places.forEach(drawFormula));
  }, [shown, html, hasFormula]);
  useEffect(() => {
    if (!hasDrawing || !shown.current) return undefined;
    const places = [...shown.current.querySelectorAll<HTMLElement>(".drawing[data-source]")];
    let isOver = false;
    const drawAll = async (): Promise<void> => {
      const { drawMermaid } = await import("./mermaid-drawings.ts");
      for (const place of places) if (!isOver) await drawMermaid(place, isDark);
    };
    void drawAll();
    return () => {
      isOver = true;
    };
  }, [shown, html, hasDrawing, isDark]);
}

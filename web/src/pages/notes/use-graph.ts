import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { useIsDark } from "../../components/use-is-dark.ts";
import { type ForceLayout, forceLayout } from "./force-layout.ts";
import { type DrawnGraph, drawGraph, fittingCamera, type GraphCamera, pointAt } from "./graph-canvas.ts";

type Graph = AnswerOf<"GET /graph">;

/** Time for the layout in one frame; the rest is for drawing and for the person. */
const LAYOUT_MS = 9;

export interface GraphControls {
  zoom(by: number, at?: { readonly x: number; readonly y: number }): void;
  pan(x: number, y: number): void;
  fit(): void;
  pointAt(at: { readonly x: number; readonly y: number }): number | undefined;
}

/** Lays the graph out and draws it on a canvas, frame by frame until it is at rest. */
export function useGraph(canvas: RefObject<HTMLCanvasElement | null>, graph: Graph, chosen: number | undefined) {
  const isDark = useIsDark();
  const drawn = useMemo<DrawnGraph>(() => {
    const degrees = graph.notes.map(() => 0);
    for (const { from, to } of graph.links) {
      degrees[from]!++;
      degrees[to]!++;
    }
    const links = graph.links.map(({ from, to }) => [from, to] as const);
    return {
      layout: forceLayout(graph.notes.length, links),
      titles: graph.notes.map(({ title }) => title),
      links,
      degrees,
      byDegree: degrees.map((_, point) => point).toSorted((a, b) => degrees[b]! - degrees[a]!),
    };
  }, [graph]);
  const camera = useRef<GraphCamera>({ x: 0, y: 0, scale: 1 });
  const isOwn = useRef(false);
  const last = useRef(chosen);
  last.current = chosen;
  const drawing = useRef(0);
  // A wheel sends several events per frame: they are drawn together.
  const draw = useCallback(() => {
    cancelAnimationFrame(drawing.current);
    drawing.current = requestAnimationFrame(() => {
      if (canvas.current) drawGraph(canvas.current, drawn, camera.current, last.current);
    });
  }, [canvas, drawn]);
  const frame = useRef(0);
  const run = useCallback(() => {
    cancelAnimationFrame(frame.current);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const next = (): void => {
      if (!canvas.current) return;
      const isMoving = work(drawn.layout);
      if (!isOwn.current) camera.current = fittingCamera(canvas.current, drawn.layout);
      if (!isMoving || !still) draw();
      canvas.current.dataset["state"] = isMoving ? "moving" : "resting";
      if (isMoving) frame.current = requestAnimationFrame(next);
    };
    frame.current = requestAnimationFrame(next);
  }, [canvas, drawn, draw]);
  useEffect(() => {
    isOwn.current = false;
    run();
    const watch = new ResizeObserver(() => draw());
    if (canvas.current) watch.observe(canvas.current);
    return () => {
      cancelAnimationFrame(frame.current);
      watch.disconnect();
    };
  }, [canvas, run, draw]);
  useEffect(() => draw(), [draw, chosen, isDark]);
  return useMemo<GraphControls>(
    () => ({
      zoom(by, at) {
        const { clientWidth, clientHeight } = canvas.current!;
        const { x, y, scale } = camera.current;
        const next = Math.max(0.02, Math.min(6, scale * by));
        const [dx, dy] = at ? [at.x - clientWidth / 2, at.y - clientHeight / 2] : [0, 0];
        camera.current = { x: x + dx / scale - dx / next, y: y + dy / scale - dy / next, scale: next };
        isOwn.current = true;
        draw();
      },
      pan(x, y) {
        const { scale } = camera.current;
        camera.current = { x: camera.current.x + x / scale, y: camera.current.y + y / scale, scale };
        isOwn.current = true;
        draw();
      },
      fit() {
        isOwn.current = false;
        camera.current = fittingCamera(canvas.current!, drawn.layout);
        draw();
      },
      pointAt: (at) => pointAt(canvas.current!, drawn, camera.current, at),
    }),
    [canvas, drawn, draw],
  );
}

/** Steps within the time of one frame. Returns false at rest. */
function work(layout: ForceLayout): boolean {
  const end = performance.now() + LAYOUT_MS;
  do if (!layout.step()) return false;
  while (performance.now() < end);
  return true;
}

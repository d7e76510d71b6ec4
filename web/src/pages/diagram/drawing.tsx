import { useMemo } from "react";
import { Canvas, type CanvasProps } from "./canvas.tsx";
import { centre } from "./neighbours.ts";
import type { DiagramPlace } from "./places.ts";
import { TextBox } from "./text-box.tsx";
import type { EditorAnalysis } from "./use-analysis.ts";
import type { Drag } from "./use-drag.ts";
import type { EditorActions } from "./use-editor-actions.ts";
import type { EditorState } from "./use-editor-state.ts";

/** The canvas with the open text prompt over it. */
export function DrawingPane({
  editor,
  actions,
  analysis,
  tools,
  drag,
  focusList,
  ...rest
}: Pick<CanvasProps, "zoom" | "onZoom" | "onHold" | "onOpen" | "onKey" | "frame" | "list"> & {
  readonly editor: EditorState;
  readonly actions: EditorActions;
  readonly analysis: EditorAnalysis;
  readonly tools: readonly string[];
  readonly drag: Drag | undefined;
  readonly focusList: () => void;
}) {
  const { drawing, places } = editor;
  const { prompt } = actions;
  const svg = useMemo(() => drawing.svg.replace(/<style>[\s\S]*?<\/style>/, ""), [drawing]);
  const item = drag?.item ?? actions.picking;
  const targets = useMemo(
    () => item && new Set(places.filter((place) => item.dropAt(place)).map(({ key }) => key)),
    [item, places],
  );
  return (
    <Canvas
      svg={svg}
      picture={drawing.picture}
      places={places}
      chosen={editor.chosen}
      findings={analysis.findings}
      steps={actions.steps}
      targets={targets}
      over={drag?.over && { key: drag.over.key, isRefused: drag.refusal !== undefined }}
      onSelect={actions.select}
      {...rest}
    >
      {prompt && (
        <TextBox
          key={`${prompt.place.key} ${prompt.command.id}`}
          name={`diagram.${editor.base.slug}.${prompt.place.key}.${prompt.command.id}`}
          prompt={prompt.command.prompt}
          at={promptPosition(prompt.place, rest.zoom, rest.frame.current)}
          bound={analysis.bound}
          tools={tools}
          onSend={(texts) => {
            const operations = prompt.command.prompt.operations(texts);
            return operations.length === 0 ? undefined : editor.act(...operations);
          }}
          onClose={() => {
            actions.setPrompt(undefined);
            focusList();
          }}
        />
      )}
    </Canvas>
  );
}

const BOX_WIDTH = 336;

/** The position of a text prompt: over its place, but inside the frame. */
function promptPosition(place: DiagramPlace, zoom: number, frame: HTMLElement | null) {
  const { x, y } = place.kind === "line" ? centre(place) : place;
  const left = frame?.scrollLeft ?? 0;
  const most = left + Math.max(0, (frame?.clientWidth ?? 0) - BOX_WIDTH);
  return { x: Math.max(left, Math.min(most, x * zoom - 8)), y: Math.max(0, y * zoom - 8) };
}

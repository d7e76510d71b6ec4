import { useEffect, useState } from "react";
import { useDraft } from "../../parts/draft.ts";
import { useReader } from "../../words/say.ts";
import { type Move, movesAt } from "./moves.ts";
import type { Place } from "./places.ts";
import type { Editor } from "./use-editor.ts";

export interface Asking {
  readonly move: Extract<Move, { needs: "text" }>;
  readonly place: Place;
}

/** The texts that are being written, and where. A page that was loaded again opens them again. */
export function useAsking(editor: Editor): [Asking | undefined, (asking: Asking | undefined) => void] {
  const { language } = useReader();
  const [kept, keep] = useDraft(`diagram.${editor.base.slug}.asking`);
  const [asking, setAsking] = useState<Asking>();
  const [isFirst, setIsFirst] = useState(true);
  useEffect(() => {
    if (!isFirst) return;
    setIsFirst(false);
    const [key, id] = kept.split("\n");
    const place = editor.places.find((each) => each.key === key);
    const move = place && movesAt(editor.diagram, place, language).find((each) => each.id === id);
    if (!place || move?.needs !== "text") return;
    editor.choose(place.key);
    setAsking({ move, place });
  }, [isFirst, kept, editor, language]);
  return [
    asking,
    (now) => {
      setAsking(now);
      keep(now && `${now.place.key}\n${now.move.id}`);
    },
  ];
}

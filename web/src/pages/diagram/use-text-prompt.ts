import { useEffect, useState } from "react";
import { useDraft } from "../../components/draft.ts";
import { usePreferences } from "../../i18n/use-t.ts";
import type { TextCommand } from "./command.ts";
import { commandsAt } from "./commands.ts";
import type { DiagramPlace } from "./places.ts";
import type { EditorState } from "./use-editor-state.ts";

export interface OpenPrompt {
  readonly command: TextCommand;
  readonly place: DiagramPlace;
}

/** The open text prompt and its place. It is stored, so that a reload opens it again. */
export function useTextPrompt(editor: EditorState): [OpenPrompt | undefined, (prompt: OpenPrompt | undefined) => void] {
  const { language } = usePreferences();
  const [stored, store] = useDraft(`diagram.${editor.base.slug}.asking`);
  const [prompt, setPrompt] = useState<OpenPrompt>();
  const [isFirst, setIsFirst] = useState(true);
  useEffect(() => {
    if (!isFirst) return;
    setIsFirst(false);
    const [key, id] = stored.split("\n");
    const place = editor.places.find((each) => each.key === key);
    const command = place && commandsAt(editor.diagram, place, language).find((each) => each.id === id);
    if (!place || command?.needs !== "text") return;
    editor.choose(place.key);
    setPrompt({ command, place });
  }, [isFirst, stored, editor, language]);
  return [
    prompt,
    (now) => {
      setPrompt(now);
      store(now && `${now.place.key}\n${now.command.id}`);
    },
  ];
}

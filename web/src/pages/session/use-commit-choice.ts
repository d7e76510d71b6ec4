import { useSearch } from "@tanstack/react-router";
import { useKeys } from "../../components/use-keys.ts";
import type { CommitView } from "./commit-pane.tsx";

export interface SessionSearch {
  /** A commit of the session, or the entries that no commit has yet. */
  readonly commit?: string;
  readonly view?: CommitView;
}

/** The chosen commit and what is shown of it, from the address; `j` and `k` choose another one, `s` another view. */
export function useCommitChoice(props: {
  readonly choices: readonly string[];
  /** Chosen without an address that says otherwise. */
  readonly usual: string | undefined;
  readonly views: readonly CommitView[];
  readonly onChange: (search: SessionSearch) => void;
}): {
  readonly chosen: string | undefined;
  readonly view: CommitView;
  readonly choose: (now: SessionSearch) => void;
} {
  const { choices, usual, views, onChange } = props;
  const { commit, view: asked } = useSearch({ strict: false }) as SessionSearch;
  const view = asked !== undefined && views.includes(asked) ? asked : views[0]!;
  const chosen = commit !== undefined && choices.includes(commit) ? commit : usual;
  const choose = (now: SessionSearch): void =>
    onChange({ ...(chosen !== undefined && { commit: chosen }), ...(view !== views[0] && { view }), ...now });
  const move = (step: number): void => {
    const next = choices[choices.indexOf(chosen ?? "") + step];
    if (next === undefined) return;
    choose({ commit: next });
    requestAnimationFrame(() =>
      document.querySelector(".commit-row[aria-current=true]")?.scrollIntoView({ block: "nearest" }),
    );
  };
  const nextView = views[(views.indexOf(view) + 1) % views.length]!;
  useKeys({ j: () => move(1), k: () => move(-1), s: () => choose({ view: nextView }) });
  return { chosen, view, choose };
}

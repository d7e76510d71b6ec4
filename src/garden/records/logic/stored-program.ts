import type { Oid } from "../../../domain/git/git-names.ts";
import { keys, logicPath } from "../../../domain/layout.ts";
import { withCalledDiagrams } from "../../../drakon/called-logic.ts";
import { splitDiagrams } from "../../../drakon/diagram/called-diagrams.ts";
import type { Drift } from "../../../drakon/export/agent-exporter.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { Store } from "../../../ports/store.ts";
import { readDiagrams } from "../agents/agent-diagrams.ts";
import { logicTextAt } from "./logic-state.ts";

/** The agent's main diagram with the diagrams that it calls, as their files are now; undefined without a main diagram. */
export async function storedProgram(store: Store, slug: string, mainFile: string): Promise<string | undefined> {
  const stored = await store.get(keys.diagram(slug, mainFile));
  if (!stored) return undefined;
  const others = await readDiagrams(store, slug);
  return withCalledDiagrams(Buffer.from(stored.bytes).toString(), { mainFile, others }).text;
}

/** D-6: the called diagrams whose files differ from the current version at a commit. A version without called diagrams has none. */
export async function calledDrift(
  { repo, store }: { readonly repo: Repo; readonly store: Store },
  at: Oid,
  slug: string,
): Promise<readonly Drift[]> {
  const current = await logicTextAt(repo, at, logicPath.current(slug, "diagram"));
  const found: Drift[] = [];
  for (const [file, text] of splitDiagrams(current ?? "").called) {
    const stored = await store.get(keys.diagram(slug, file));
    if (stored && Buffer.from(stored.bytes).toString().trim() === text.trim()) continue;
    found.push({
      kind: "called-diagram",
      message: {
        en: `the called diagram ${file} differs from the logic version`,
        uk: `викликана діаграма ${file} не відповідає версії логіки`,
      },
    });
  }
  return found;
}

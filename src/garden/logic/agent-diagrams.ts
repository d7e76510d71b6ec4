import { Failure } from "../../base/failure.ts";
import { contractFile, frontValue } from "../../domain/contract-file.ts";
import { keys } from "../../domain/layout.ts";
import { keyProblem } from "../../domain/store-key.ts";
import { everyKey, type Store } from "../../ports/store.ts";

const DEFAULT_MAIN = "main-flow.drakon.json";
const MARK = /\s*#\s*modified manually\s*$/;

/** What a contract says about where its body came from (D-6). */
export interface Origin {
  /** The diagram's file; undefined if the contract names none. */
  readonly file: string | undefined;
  /** `# modified manually`: somebody changed the body and said so. */
  readonly byHand: boolean;
}

export function originOf(contract: string): Origin {
  const file = contractFile(contract);
  const said = file && frontValue(file, "generated_from");
  if (said === undefined || said === "") return { file: undefined, byHand: false };
  return { file: said.replace(MARK, ""), byHand: MARK.test(said) };
}

/** The file of the main diagram: as the contract calls it, else as everybody does. */
export function mainFileOf(contract: string | undefined): string {
  const file = (contract === undefined ? undefined : originOf(contract).file) ?? DEFAULT_MAIN;
  const problem = file.includes("/") ? "a folder in it" : keyProblem(file);
  if (problem === undefined) return file;
  throw new Failure(
    "VALIDATION_FAILED",
    {
      en: `the diagram's file cannot be called ${JSON.stringify(file)} (${problem})`,
      uk: `файл діаграми не може зватися ${JSON.stringify(file)} (${problem})`,
    },
    {
      hint: {
        en: `Lower-case letters, digits and hyphens are safe everywhere: ${DEFAULT_MAIN}.`,
        uk: `Малі літери, цифри й дефіси безпечні всюди: ${DEFAULT_MAIN}.`,
      },
      details: { file },
    },
  );
}

/** The agent's diagrams beside the main one: subroutines and the like. */
export async function otherDiagrams(
  store: Store,
  slug: string,
  mainFile: string,
): Promise<{ readonly file: string; readonly text: string }[]> {
  const found: { file: string; text: string }[] = [];
  const folder = keys.diagrams(slug);
  for await (const { key } of everyKey(store, folder)) {
    const file = key.slice(folder.length);
    if (file === mainFile || file.includes("/") || !/\.drakon(\.json)?$/.test(file)) continue;
    const stored = await store.get(key);
    if (stored) found.push({ file, text: Buffer.from(stored.bytes).toString() });
  }
  return found;
}

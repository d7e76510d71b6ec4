import { Failure } from "../../../base/failure.ts";
import { contractFile, frontValue } from "../../../domain/contract/contract-file.ts";
import { keyProblem } from "../../../domain/store-key.ts";
import { MAIN_DIAGRAM, originOf as withoutMark } from "../agents/agent-diagrams.ts";

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
  const name = withoutMark(said);
  return { file: name, byHand: name !== said };
}

/** The file of the main diagram: as the contract calls it, else as everybody does. */
export function mainFileOf(contract: string | undefined): string {
  const file = (contract === undefined ? undefined : originOf(contract).file) ?? MAIN_DIAGRAM;
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
        en: `Lower-case letters, digits and hyphens are safe everywhere: ${MAIN_DIAGRAM}.`,
        uk: `Малі літери, цифри й дефіси безпечні всюди: ${MAIN_DIAGRAM}.`,
      },
      details: { file },
    },
  );
}

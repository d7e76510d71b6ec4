import { Failure } from "../../../base/failure.ts";
import { contractFile, frontValue } from "../../../domain/contract/contract-file.ts";
import { keyProblem } from "../../../domain/store-key.ts";
import { MAIN_DIAGRAM, originFile } from "../agents/agent-diagrams.ts";

/** The origin of a contract's body, as its front matter names it (D-6). */
export interface ContractOrigin {
  /** The diagram's file; undefined if the contract names none. */
  readonly file: string | undefined;
  /** `# modified manually`: the body was changed by hand and marked so. */
  readonly byHand: boolean;
}

export function contractOrigin(contract: string): ContractOrigin {
  const file = contractFile(contract);
  const said = file && frontValue(file, "generated_from");
  if (said === undefined || said === "") return { file: undefined, byHand: false };
  const name = originFile(said);
  return { file: name, byHand: name !== said };
}

/** The file of the main diagram: the one that the contract names, else the default. */
export function mainFileOf(contract: string | undefined): string {
  const file = (contract === undefined ? undefined : contractOrigin(contract).file) ?? MAIN_DIAGRAM;
  const problem = file.includes("/") ? "a folder in it" : keyProblem(file);
  if (problem === undefined) return file;
  throw new Failure("VALIDATION_FAILED", {
    en: `the diagram's file cannot be called ${JSON.stringify(file)} (${problem})`,
    uk: `файл діаграми не може зватися ${JSON.stringify(file)} (${problem})`,
    hint: {
      en: `Lower-case letters, digits and hyphens are safe everywhere: ${MAIN_DIAGRAM}.`,
      uk: `Малі літери, цифри й дефіси безпечні всюди: ${MAIN_DIAGRAM}.`,
    },
    details: { file },
  });
}

import type { Json } from "../../../../base/canonical.ts";
import { didYouMean } from "../../../../base/did-you-mean.ts";
import { Failure } from "../../../../base/failure.ts";
import { logicPath } from "../../../../domain/layout.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { diagramsOfVersion } from "../../../../drakon/called-logic.ts";
import {
  type AgentDiagram,
  diagramOf,
  MAIN_DIAGRAM,
  originFile,
  readDiagrams,
} from "../../../records/agents/agent-diagrams.ts";
import { nameField } from "../input-fields.ts";
import { gardenTool, type ToolContext } from "../tool.ts";

/** Larger diagrams are refused: a cut diagram would be a different one. */
const MAX_DIAGRAM = 400_000;
const ENDING = /\.drakon\.json$/i;

/**
 * Reads one of the agent's own diagrams. Those of its logic version are read from git at the run's commit, the others from the
 * store as they are now.
 */
export const readDrakonTool = gardenTool({
  name: "read-drakon",
  description: {
    en: "Read a diagram of this agent: its JSON and what is wrong with it. Without a name: the main one. `diagrams` lists all of them.",
    uk: "Прочитай діаграму цього агента: її JSON і що з нею не так. Без назви: головну. `diagrams` перелічує всі.",
  },
  input: group({ name: nameField.nullish() }),
  idempotent: true,
  async call({ name: wanted }, context) {
    const diagrams = await diagramsOf(context);
    const main = mainName(context);
    const found = wanted
      ? diagrams.find(({ file, checked }) => [file, file.replace(ENDING, ""), checked.diagram.name].includes(wanted))
      : (diagrams.find(({ file }) => file === main) ?? diagrams[0]);
    if (!found) throw noDiagram(wanted ?? main, diagrams);
    if (found.text.length > MAX_DIAGRAM) throw tooLarge(found);
    return {
      file: found.file,
      name: found.checked.diagram.name,
      diagram: parsed(found.text),
      findings: found.checked.findings
        .slice(0, 50)
        .map(
          ({ severity, icon, message }) =>
            `${severity}${icon === undefined ? "" : ` (${icon})`}: ${message[context.language]}`,
        ),
      diagrams: diagrams.map(({ file }) => file),
    };
  },
});

const mainName = ({ contract }: ToolContext): string =>
  contract.generated_from === undefined ? MAIN_DIAGRAM : originFile(contract.generated_from);

async function diagramsOf(context: ToolContext): Promise<AgentDiagram[]> {
  const { garden, slug, commit } = context;
  const stored = await readDiagrams(garden.store, slug);
  const pinned = await garden.repo.read(commit, logicPath.current(slug, "diagram"));
  if (!pinned) return stored;
  return diagramsOfVersion(Buffer.from(pinned.bytes).toString(), mainName(context), stored).map(({ file, text }) =>
    diagramOf(file, Buffer.from(text)),
  );
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null; // `findings` has the reason
  }
}

const noDiagram = (wanted: string, diagrams: readonly AgentDiagram[]): Failure => {
  const files = diagrams.map(({ file }) => file);
  const near = didYouMean(
    wanted.replace(ENDING, ""),
    files.map((file) => file.replace(ENDING, "")),
  );
  return new Failure("NOT_FOUND", {
    en: `this agent has no diagram ${JSON.stringify(wanted)}${near === undefined ? "" : `; did you mean "${near}"?`}`,
    uk: `у цього агента немає діаграми ${JSON.stringify(wanted)}${near === undefined ? "" : `; можливо, «${near}»?`}`,
    details: { diagrams: files },
  });
};

const tooLarge = ({ file, text }: AgentDiagram): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${file} has ${text.length} characters; at most ${MAX_DIAGRAM} are given, and never a part`,
    uk: `${file} має ${text.length} знаків; видають не більше ${MAX_DIAGRAM} і ніколи не частину`,
  });
